/** Writes the records of a list or an export as texts. */
import type { PrintedRow, Printer, PrintedPlace } from './member-record.ts';
import { SITUACAO_WORDS } from './members/member.ts';

/** Request for a list or an export; plain values, since they are sent to the reading Worker. */
export interface Listing<Kind extends string = string, Filter = unknown> {
  readonly kind: Kind;
  /** `list`: the compact array of a list operation. `export`: the pretty-printed array of an export file. */
  readonly form: 'list' | 'export';
  readonly filter: Filter;
}

/** Yields the records of a list or an export, one text each; an empty one lets other reads run. */
export function* listTexts<Row extends PrintedRow>(
  rows: Iterable<Row | undefined>,
  print: Printer<Row>,
  cpfCnpjRaiz: string,
  form: Listing['form'],
): Generator<string> {
  let seq = 0;
  for (const row of rows) {
    if (row === undefined) {
      yield '';
      continue;
    }
    seq += 1;
    yield form === 'list'
      ? print.text(row, { cpfCnpjRaiz, seq })
      : exported(print, row, { cpfCnpjRaiz, seq });
  }
}

/** Returns the export form: the list form with the situation in words, pretty-printed. */
function exported<Row extends PrintedRow>(print: Printer<Row>, row: Row, place: PrintedPlace): string {
  const record = print.record(row, place);
  record['situacao'] = SITUACAO_WORDS[record['situacao'] as keyof typeof SITUACAO_WORDS];
  return prettyRecord(record);
}

/** Returns a record as part of a pretty-printed JSON array (two spaces). */
export const prettyRecord = (record: object): string => JSON.stringify([record], null, 2).slice(2, -2);
