/** Stored and printed forms of an operator. */
import { columnsBy, printerOf } from '../member-record.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { namesIn } from '../members/member.ts';
import type { VersionNumber } from '../version.ts';
import type { Situacao } from '../versioned/model.ts';
import type { OperatorColumns } from './model.ts';

/** Members that a record prints, without its position in a list. */
export interface PrintedOperator extends OperatorColumns, VersionNumber {
  readonly codigo: string;
  readonly codigoPais: string;
  readonly situacao: Situacao;
}

export const { columnsOf, contentOf } = columnsBy(OPERATOR);

/** Prints the one form of every response. */
export const printRecord = printerOf<PrintedOperator>(OPERATOR, namesIn(OPERATOR, 'list'));
/** Prints the same form without its position, with the time of the last change (contract section 14). */
export const printPageItem = printerOf<PrintedOperator>(OPERATOR, namesIn(OPERATOR, 'page'));
