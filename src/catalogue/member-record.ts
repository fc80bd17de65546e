/** Records as they are kept and printed, made once for each table of members (contract section 4). */
import { momentText } from '../validation/calendar.ts';
import {
  type ColumnsOf,
  type ContentOf,
  type Member,
  type MemberTable,
  contentNames,
  isList,
} from './members/member.ts';
import { type VersionNumber, versionText } from './version.ts';

type Values = Readonly<Record<string, unknown>>;

/** The members of what lists hold, in the order in which they are kept, whatever the order of the request. */
const HELD = ['atributo', 'valor', 'valores', 'numero', 'codigo'];

/** A content as its columns, and back. */
export function columnsBy<T extends MemberTable>(table: T) {
  const members = contentNames(table).map((name) => ({ name, ...(table[name] as Member) }));
  const each = (of: (member: Member, value: unknown) => unknown) => (values: Values) => {
    const made: Record<string, unknown> = {};
    for (const member of members) made[member.name] = of(member, values[member.name]);
    return made;
  };
  const columnsOf = each((member, value) =>
    isList(member) ? listText(member, value as readonly object[]) : value,
  );
  // The texts were written by columnsOf.
  const contentOf = each((member, value) => (isList(member) ? parsed(value as string | null) : value));
  // By the names of the table.
  return { columnsOf, contentOf } as unknown as {
    columnsOf: (content: ContentOf<T>) => ColumnsOf<T>;
    contentOf: (columns: ColumnsOf<T>) => ContentOf<T>;
  };
}

/** Where a list may be absent, an empty one is. */
const listText = ({ kind }: Member, list: readonly object[]): string | null =>
  list.length === 0 && kind !== 'identifications' ? null : JSON.stringify(list, HELD);

export const parsed = <I>(list: string | null): readonly I[] =>
  list === null ? [] : (JSON.parse(list) as I[]);

/** What JSON writes otherwise than it is: quotation marks, backslashes, control characters, lone surrogates. */
// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need no escape, and to find that out is cheaper than to have them printed. */
function quoted(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** What is printed beside the columns of a record. */
export interface PrintedRow extends VersionNumber {
  readonly codigo: string | number;
  readonly situacao: string;
}

/** Where a record is printed. */
export interface PrintedPlace {
  readonly cpfCnpjRaiz: string;
  readonly seq: number;
}

type Print = (value: unknown, row: PrintedRow, place: PrintedPlace) => string;

function printOf(name: string, { kind, ...member }: Member): Print {
  if (name === 'seq') return (_value, _row, { seq }) => String(seq);
  if (isList({ kind, ...member })) return (list) => (list as string | null) ?? '[]';
  switch (kind) {
    case 'company':
      return (_value, _row, { cpfCnpjRaiz }) => `"${cpfCnpjRaiz}"`;
    case 'version':
      return (_value, row) => `"${versionText(row)}"`;
    case 'number':
      return String;
    case 'moment':
      return (moment) => `"${momentText(moment as number)}"`;
    // Contract section 4: never a day on output, which public clients cannot read as the moment that they expect.
    case 'day':
      return () => 'null';
    default:
      return (text) => quoted(text as string | null);
  }
}

export type Printer<Row extends PrintedRow = PrintedRow> = (row: Row, place: PrintedPlace) => string;

/** Prints the members of a form as JSON text, in their order. */
export function printerOf<Row extends PrintedRow>(
  table: MemberTable,
  names: readonly string[],
): Printer<Row> {
  const members = names.map((name, at) => ({
    name,
    before: `${at === 0 ? '{' : ','}"${name}":`,
    print: printOf(name, table[name] as Member),
  }));
  return (row, place) => {
    let text = '';
    for (const { name, before, print } of members)
      text += before + print((row as unknown as Values)[name], row, place);
    return `${text}}`;
  };
}
