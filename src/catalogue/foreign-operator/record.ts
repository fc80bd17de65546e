/** A stored operator as it is kept and printed. */
import { columnsBy, printerOf } from '../member-record.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { namesIn } from '../members/member.ts';
import type { VersionNumber } from '../version.ts';
import type { Situacao } from '../versioned/model.ts';
import type { OperatorColumns } from './model.ts';

/** What a record shows, beside its place in a list. */
export interface PrintedOperator extends OperatorColumns, VersionNumber {
  readonly codigo: string;
  readonly codigoPais: string;
  readonly situacao: Situacao;
}

export const { columnsOf, contentOf } = columnsBy(OPERATOR);

/** The one form of every answer. */
export const printRecord = printerOf<PrintedOperator>(OPERATOR, namesIn(OPERATOR, 'list'));
/** The same without its place, and when the record was last changed (contract section 14). */
export const printPageItem = printerOf<PrintedOperator>(OPERATOR, namesIn(OPERATOR, 'page'));
