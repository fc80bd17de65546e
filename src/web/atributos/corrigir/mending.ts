/** What the queue is asked, and what it answers, in words. */
import { valuesOf } from '../../../catalogue/attribute/words/values.ts';
import type { MendingReason, PagedProduct } from '../../api/answers.ts';
import type { Query } from '../../api/client.ts';
import type { Fill } from '../../kit/each/cells.ts';

/** Deactivated by the system; any other source is one of these, or the number of a table that would make products invalid. */
export const BY_SYSTEM = 'deactivated';
export const REFUSED = 'refused';
export const DUE = 'due';

export interface QueueOf {
  readonly company: string;
  readonly toMend: string;
  /** The day on which its table comes. */
  readonly on: string | undefined;
}

/** Without a reason all that wait; without an NCM those of all. */
export interface Asked {
  readonly reason?: string;
  readonly member?: string;
  readonly ncm?: string;
}

/** What finds the same products in the list, its sheets and a change of many. */
export const filterOf = ({ toMend }: Pick<QueueOf, 'toMend'>, asked: Asked): Query =>
  Object.fromEntries(Object.entries({ toMend, ...asked }).filter(([, value]) => value !== ''));

export const askedBy = ({ reason, member }: MendingReason): Asked => ({ reason, member: member ?? '' });

export const sameReason =
  ({ reason, member }: Pick<Asked, 'reason' | 'member'>) =>
  (one: MendingReason): boolean =>
    one.reason === reason && (one.member ?? '') === member;

/** The attribute that a member is of; `undefined`: none. */
export const attributeIn = (member: string | null): string | undefined =>
  /^atributo:([^/]+)/.exec(member ?? '')?.[1];

/** Of a compound a change of many replaces all parts: one of them is filled in by a sheet, which keeps the others. */
export const isPart = ({ member }: MendingReason): boolean => member?.includes('/') === true;

/** Nothing can be put there: it has to go. */
const OUT_OF_PLACE = new Set(['CATP-ER1102', 'CATP-ER1110']);
export const isOutOfPlace = ({ reason }: MendingReason): boolean => OUT_OF_PLACE.has(reason);

/** The columns of a sheet that is filled in and comes back; without the situation, which the import is told. */
export const columnsFor = (fills: readonly Fill[]): string =>
  [...new Set(['codigo', 'versao', 'denominacao', 'ncm', ...fills.map(({ target }) => target)])].join();

/** What a product has there now, by its codes. */
export function nowIn(product: PagedProduct, target: string): string {
  if (target === 'ncm') return product.ncm ?? '';
  const [codigo = '', part] = target.slice('atributo:'.length).split('/');
  const { values, groups } = valuesOf(product);
  const texts =
    part === undefined ? (values[codigo] ?? []) : (groups[codigo] ?? []).map((group) => group[part] ?? '');
  return texts.join(' | ');
}
