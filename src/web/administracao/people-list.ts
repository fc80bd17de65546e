/** Lines of a list of people, as typed or pasted from a spreadsheet. */
import {
  type PersonColumn,
  type PersonValues,
  PERSON_HEADINGS,
  personColumns,
  personFault,
} from '../../validation/person-columns.ts';
import { type NumberKind, numberFault, plainNumber } from './numbers.ts';

export interface PersonLine {
  readonly text: string;
  readonly values: PersonValues;
  /** The reason not to send the line. `undefined`: it is sent. */
  readonly fault: string | undefined;
}

/** Returns the line of headings and the lines below it, or why the list cannot be read. */
export function peopleIn(
  list: string,
): { readonly headings: string; readonly lines: readonly PersonLine[] } | string {
  const [headings = '', ...rows] = list.split('\n').filter((text) => text.trim() !== '');
  const columns = personColumns(cellsOf(headings));
  if (typeof columns === 'string') return `A lista: ${columns}`;
  if (rows.length === 0) return `A lista não tem linhas. ${PERSON_HEADINGS}`;
  return { headings, lines: rows.map((text) => lineOf(text, columns)) };
}

const cellsOf = (text: string): string[] =>
  text.split(text.includes('\t') ? '\t' : ';').map((cell) => cell.trim());

/**
 * Returns the fault of a number. Wrong check digits are a fault: only the dialog for one person can confirm
 * them.
 */
function faultOfNumber(kind: NumberKind, typedText: string): string | undefined {
  const fault = numberFault(kind, typedText);
  return fault?.mayBeIntended === true
    ? `os dígitos verificadores de ${typedText} não conferem; corrija-os, ou use “Dar acesso a uma pessoa” se o número é mesmo esse.`
    : fault?.message;
}

function lineOf(text: string, columns: readonly PersonColumn[]): PersonLine {
  const cells = cellsOf(text);
  const values: PersonValues = Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? '']));
  const { documento = '', empresa = '', papel = '' } = values;
  const fault =
    cells.length > columns.length
      ? 'tem mais valores do que colunas.'
      : (personFault(values) ?? faultOfNumber('documento', documento) ?? faultOfNumber('raiz', empresa));
  return {
    text,
    fault,
    values: {
      ...values,
      documento: plainNumber(documento),
      empresa: plainNumber(empresa),
      papel: papel.toLowerCase(),
    },
  };
}
