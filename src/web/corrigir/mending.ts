/** Builds the queries of the correction queue and words their results. */
import { ATTRIBUTE_CODES } from '../../catalogue/attribute/words/codes.ts';
import { valuesOf } from '../../catalogue/attribute/words/values.ts';
import type { MendingReason, PagedProduct } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import type { Fill } from '../kit/each/cells.ts';

/** A source is one of these constants or the number of a table that would make products invalid. */
export const BY_SYSTEM = 'deactivated';
export const REFUSED = 'refused';
export const DUE = 'due';

export interface QueueSource {
  readonly company: string;
  readonly toMend: string;
  /** The day on which its table comes into force. */
  readonly on: string | undefined;
}

/** Filter of the queue. Without a reason it matches all waiting products; without an NCM, all NCMs. */
export interface ReasonFilter {
  readonly reason?: string;
  readonly member?: string;
  readonly ncm?: string;
}

/** Returns the query that selects the same products in the list, in its sheets and in a batch change. */
export const filterOf = ({ toMend }: Pick<QueueSource, 'toMend'>, reasonFilter: ReasonFilter): Query =>
  Object.fromEntries(Object.entries({ toMend, ...reasonFilter }).filter(([, value]) => value !== ''));

export const reasonFilterOf = ({ reason, member }: MendingReason): ReasonFilter => ({
  reason,
  member: member ?? '',
});

export const sameReason =
  ({ reason, member }: Pick<ReasonFilter, 'reason' | 'member'>) =>
  (mendingReason: MendingReason): boolean =>
    mendingReason.reason === reason && (mendingReason.member ?? '') === member;

/** Returns the code of the attribute in a member path, or `undefined` if the path has none. */
export const attributeIn = (member: string | null): string | undefined =>
  /^atributo:([^/]+)/.exec(member ?? '')?.[1];

/**
 * Returns true for a part of a compound attribute. A batch change replaces all parts, so a single part is
 * corrected through a sheet, which keeps the others.
 */
export const isPart = ({ member }: MendingReason): boolean => member?.includes('/') === true;

/** Codes of values that must be removed, because nothing can be filled in at their place. */
const OUT_OF_PLACE: ReadonlySet<string> = new Set([
  ATTRIBUTE_CODES.notOfNcm.code,
  ATTRIBUTE_CODES.conditionNotMet.code,
]);
export const isOutOfPlace = ({ reason }: Pick<MendingReason, 'reason'>): boolean => OUT_OF_PLACE.has(reason);

/**
 * Returns the columns of a sheet that the user fills in and uploads. The situation is left out: the import
 * receives it as an option.
 */
export const columnsFor = (fills: readonly Fill[]): string =>
  [...new Set(['codigo', 'versao', 'denominacao', 'ncm', ...fills.map(({ target }) => target)])].join();

/** Returns the current value of a product at the target, as codes. */
export function currentTextOf(product: PagedProduct, target: string): string {
  if (target === 'ncm') return product.ncm ?? '';
  const [codigo = '', part] = target.slice('atributo:'.length).split('/');
  const { values, groups } = valuesOf(product);
  const texts =
    part === undefined ? (values[codigo] ?? []) : (groups[codigo] ?? []).map((group) => group[part] ?? '');
  return texts.join(' | ');
}
