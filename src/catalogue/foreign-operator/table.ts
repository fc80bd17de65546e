/** Writes operators as a table to download (contract section 24). */
import type { Db } from '../../db/open.ts';
import { type TableRead, requestedColumns, tableTexts } from '../../sheet/table.ts';
import type { Order } from '../paging/model.ts';
import { memberColumns } from '../member-table.ts';
import { OPERATOR, OPERATOR_READING } from '../members/foreign-operator.ts';
import type { OperatorFilter } from './filter.ts';
import type { OperatorOrder } from './model.ts';
import { type PagedOperator, iterateOperators } from './list-query.ts';

export interface OperatorTableRead extends TableRead<'operatorTable', OperatorFilter> {
  readonly order: Order<OperatorOrder>;
}

export const OPERATOR_COLUMNS = memberColumns<PagedOperator>(OPERATOR, OPERATOR_READING);

export const operatorTableTexts = (db: Db, { filter, order, columns, format }: OperatorTableRead) =>
  tableTexts(format, requestedColumns(OPERATOR_COLUMNS, columns), iterateOperators(db, filter, order));
