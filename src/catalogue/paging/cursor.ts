/** Encodes the end of a page as a cursor: opaque to clients, and refused for another list. */
import { malformed } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { tryParseJson } from '../../validation/json.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import type { Order, PageEnd, PageRequest } from './model.ts';
import { PAGE_LIMIT_DEFAULT, orderOf } from './model.ts';

const ASKED_CHARACTERS = 12;

/** Types of the values at the end of a page, for each order. */
export type Ends<By extends string> = Readonly<Record<By, readonly ('string' | 'number')[]>>;

/** Members of a decoded query that are not filters. */
interface PageMembers<By extends string> {
  readonly order?: By | `-${By}`;
  readonly limit?: number;
  readonly after?: string;
  readonly from?: number;
}

/** Splits a decoded query into its filters and its page request. Throws 400 for a cursor of another list. */
export function pageOf<By extends string, Q extends PageMembers<By>>(
  { order: text, limit = PAGE_LIMIT_DEFAULT, after, from, ...filters }: Q,
  ends: Ends<By>,
  defaultOrder: NoInfer<By>,
): { readonly filters: Omit<Q, keyof PageMembers<By>>; readonly page: PageRequest<By> } {
  const order = orderOf(text ?? defaultOrder);
  const filterMark = fingerprint(filters);
  const end = after === undefined ? undefined : endOf(after, order, filterMark, ends[order.by]);
  if (end !== undefined && from !== undefined) throw twoPlaces(from);
  return { filters, page: { order, limit, filterMark, after: end, from } };
}

/** Returns the cursor after a page; `null` at the end of the list. */
export const cursorOf = ({ order, filterMark }: PageRequest, next: PageEnd | undefined): string | null =>
  next === undefined
    ? null
    : Buffer.from(JSON.stringify([orderText(order), filterMark, ...next])).toString('base64url');

/**
 * Returns a text for the filters that does not depend on their order: a short one is enough, since forging
 * it gains nothing.
 */
function fingerprint(filters: object): string {
  const text = JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
  return new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, ASKED_CHARACTERS);
}

const orderText = ({ by, isDescending }: Order): string => (isDescending ? `-${by}` : by);

function endOf(after: string, order: Order, filterMark: string, types: readonly string[]): PageEnd {
  const [cursorOrder, cursorFilterMark, ...end] = readCursor(after);
  if (cursorOrder !== orderText(order))
    throw wrongCursor(
      after,
      `é o cursor de uma lista em outra ordem, ${String(cursorOrder)}, e esta é em ordem ${orderText(order)}`,
    );
  if (cursorFilterMark !== filterMark) throw wrongCursor(after, 'é o cursor de uma lista com outros filtros');
  if (end.length !== types.length || !end.every((value, index) => typeof value === types[index]))
    throw wrongCursor(after, 'não é um cursor');
  return end;
}

/** Returns the values in a cursor: at least an order, its filters and one value. Throws 400. */
function readCursor(after: string): PageEnd {
  const values = tryParseJson(Buffer.from(after, 'base64url').toString());
  if (Array.isArray(values) && values.length > 2 && values.every(isValue)) return values;
  throw wrongCursor(after, 'não é um cursor');
}

const isValue = (value: unknown): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

function twoPlaces(from: number) {
  const message = `recebido ${from} junto com after; peça a página pelo lugar (from) ou pelo next da anterior (after).`;
  return malformed([fieldProblem('from', message, 'from')]);
}

function wrongCursor(after: string, reason: string) {
  const message = `recebido ${formatValue(after)}, que ${reason}. Envie o next da página anterior com os mesmos filtros e a mesma ordem, ou retire after para começar do início.`;
  return malformed([fieldProblem('after', message, 'after')]);
}
