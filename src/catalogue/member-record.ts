/**
 * Converts records between stored and printed forms, prepared once for each table of members (contract
 * section 4).
 */
import { momentText } from '../validation/calendar.ts';
import {
  type ColumnsOf,
  type ContentOf,
  type Identification,
  type Member,
  type MemberTable,
  contentNames,
  isList,
} from './members/member.ts';
import { type VersionNumber, versionText } from './version.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns converters from content to columns, and back. */
export function columnsBy<T extends MemberTable>(table: T) {
  const members = contentNames(table).map((name) => ({ name, ...(table[name] as Member) }));
  const each = (convert: (member: Member, value: unknown) => unknown) => (values: Values) => {
    const result: Record<string, unknown> = {};
    for (const member of members) result[member.name] = convert(member, values[member.name]);
    return result;
  };
  const columnsOf = each((member, value) =>
    isList(member) ? listText(member, value as readonly ListItem[]) : value,
  );
  // columnsOf wrote the texts.
  const contentOf = each((member, value) => (isList(member) ? parsed(value as string | null) : value));
  // The type follows from the names of the table.
  return { columnsOf, contentOf } as unknown as {
    columnsOf: (content: ContentOf<T>) => ColumnsOf<T>;
    contentOf: (columns: ColumnsOf<T>) => ContentOf<T>;
  };
}

/** Returns `null` for an empty list, if the list may be absent. */
const listText = ({ kind }: Member, list: readonly ListItem[]): string | null =>
  list.length === 0 && kind !== 'identifications' ? null : JSON.stringify(list.map(ordered));

/** Items of lists: codes, identifications, and attributes in all their forms. */
type ListItem =
  | string
  | readonly ListItem[]
  | Identification
  | { readonly atributo: string; readonly valor: string; readonly valores?: undefined }
  | { readonly atributo: string; readonly valores: readonly ListItem[] };

/** Sorts the members of list items, so that the order of the request does not matter. */
function ordered(item: ListItem): unknown {
  if (typeof item === 'string') return item;
  if ('map' in item) return item.map(ordered);
  if ('numero' in item) return { numero: item.numero, codigo: item.codigo };
  const { atributo, valores } = item;
  return valores === undefined
    ? { atributo, valor: item.valor }
    : { atributo, valores: valores.map(ordered) };
}

export const parsed = <I>(list: string | null): readonly I[] =>
  list === null ? [] : (JSON.parse(list) as I[]);

/** Characters that JSON escapes: quotation marks, backslashes, control characters, lone surrogates. */
// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need no escape, and this check is cheaper than JSON.stringify. */
function quoted(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** Values to print in addition to the columns of a record. */
export interface PrintedRow extends VersionNumber {
  readonly codigo: string | number;
  readonly situacao: string;
}

/** Context of a printed record. */
export interface PrintedPlace {
  readonly cpfCnpjRaiz: string;
  readonly seq: number;
}

export interface Printer<Row extends PrintedRow> {
  /** Returns JSON text. */
  text(row: Row, place: PrintedPlace): string;
  /** Returns an object, for other printed forms. */
  record(row: Row, place: PrintedPlace): Record<string, unknown>;
}

/** Returns the printed value of a member, as an expression over `row` and `place`. */
function expressionOf(name: string, { kind }: Member): string {
  if (name === 'seq') return 'place.seq';
  // Contract section 4: never a day on output, which public clients cannot read as the moment that they
  // expect.
  if (kind === 'day') return 'null';
  if (kind === 'company') return 'place.cpfCnpjRaiz';
  if (kind === 'version') return 'versionText(row)';
  return kind === 'moment' ? `momentText(row.${name})` : `row.${name}`;
}

/**
 * Companies, versions and moments are always present, and have only characters that JSON does not escape.
 */
function textOf(member: Member, expression: string): string {
  if (isList(member)) return `(${expression} ?? '[]')`;
  if (member.kind === 'number') return expression;
  return ['company', 'version', 'moment'].includes(member.kind)
    ? `'"' + ${expression} + '"'`
    : `quoted(${expression})`;
}

/**
 * Returns a printer for the members of a form, in their order. The generated code is what one would write by
 * hand, and contains only names of the table, no external input. A loop over the members takes three times
 * as long, which matters for a list of a million records. `join` makes one text at once: with `+` the runtime
 * keeps all parts, until the answer is sent. The first print generates the code, because a start prints no
 * record.
 */
export function printerOf<Row extends PrintedRow>(
  table: MemberTable,
  names: readonly string[],
): Printer<Row> {
  let generated: Printer<Row> | undefined;
  const printer = (): Printer<Row> => (generated ??= generatedPrinter(table, names));
  return {
    text: (row, place) => printer().text(row, place),
    record: (row, place) => printer().record(row, place),
  };
}

function generatedPrinter<Row extends PrintedRow>(
  table: MemberTable,
  names: readonly string[],
): Printer<Row> {
  const members = names.map((name) => {
    const member = table[name] as Member;
    return { name, member, expression: expressionOf(name, member) };
  });
  const texts = members.map(({ name, member, expression }, index) => {
    const text = textOf(member, expression);
    return `'${index === 0 ? '{' : ','}"${name}":', ${text}`;
  });
  const values = members.map(
    ({ name, member, expression }) => `${name}: ${isList(member) ? `parsed(${expression})` : expression}`,
  );
  const code = `return { text: (row, place) => [${texts.join(', ')}, '}'].join(''), record: (row, place) => ({ ${values.join(', ')} }) };`;
  const helpers = { quoted, parsed, versionText, momentText };
  // oxlint-disable-next-line typescript/no-implied-eval -- as the comment above says
  return new Function(...Object.keys(helpers), code)(...Object.values(helpers)) as Printer<Row>;
}
