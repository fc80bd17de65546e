/**
 * Corrections that a user chose for the rows of a sheet: for one received value, for all rows or for one row.
 */
import { MALFORMED_CODE } from '../../../validation/decoding.ts';
import { ATTRIBUTE_CODES } from '../../../catalogue/attribute/words/codes.ts';
import type { Corrections, ImportReason } from '../../api/answers.ts';
import { isOutOfPlace } from '../../corrigir/mending.ts';
import { fillsOf } from '../../kit/each/cells.ts';

/** Values by the key of their place; '' or absent means unchanged. */
export type Values = Readonly<Record<string, string>>;

/** Answer other than a value: empties the cells, or leaves the rows out. */
export type Removal = 'empty' | 'skip';

export interface ChosenCorrections {
  readonly fixes: Values;
  /** Removals by the key of their fix. A removal wins over a value. */
  readonly removals: Readonly<Record<string, Removal>>;
  /** Decimal sign of a whole column, by member. */
  readonly decimals: Values;
  /** Reasons whose replacements are remembered, by `reasonKey`. */
  readonly remembered: Readonly<Record<string, boolean>>;
}

export const NOTHING_CHOSEN: ChosenCorrections = { fixes: {}, removals: {}, decimals: {}, remembered: {} };

type Entries = Corrections['set'];
type Refused = Pick<ImportReason, 'reason' | 'member'>;

export const reasonKey = ({ reason, member }: Refused): string => JSON.stringify([reason, member]);

/** Replacement to fill in, for one received value or for all rows. */
export interface Fix {
  readonly key: string;
  readonly label: string;
  readonly accepted: readonly string[] | null;
  readonly member: string;
  readonly received?: string;
  /** Members to empty instead, because no value is right there. */
  readonly outOfPlace?: readonly string[];
}

/**
 * Codes of values that are wrong in every row. Their answer holds for the whole sheet, also for rows in which
 * another fault hides the value.
 */
const WRONG_EVERYWHERE: ReadonlySet<string> = new Set([
  MALFORMED_CODE,
  ATTRIBUTE_CODES.notInDomain.code,
  ATTRIBUTE_CODES.wrongType.code,
]);

export function fixesOf(importReason: ImportReason): readonly Fix[] {
  const { reason, member, received, accepted, parts } = importReason;
  const fixOf = (fix: Omit<Fix, 'key'>): Fix => ({
    ...fix,
    key: JSON.stringify([reason, fix.member, fix.received ?? null]),
  });
  if (member !== null && isOutOfPlace(importReason)) {
    const label = `${importReason.heading ?? member}, em todas`;
    return [
      fixOf({ member, accepted: null, label, outOfPlace: fillsOf(importReason).map(({ target }) => target) }),
    ];
  }
  if (member === null || parts.length > 0 || received.length === 0)
    return fillsOf(importReason).map(({ target, heading, accepted: texts }) =>
      fixOf({ member: target, accepted: texts, label: `${heading}, em todas` }),
    );
  return received.map(({ value, count }) => {
    const label = `Em vez de ${value === '' ? 'nada' : `“${value}”`} (${count})`;
    return fixOf({ member, accepted, label, received: value });
  });
}

/** Returns true if the replacements of a reason can be remembered: it has values, and not only empty cells. */
export const isMemorable = (importReason: ImportReason): boolean =>
  fixesOf(importReason).some(({ received = '' }) => received !== '');

/** Meanings of a point in an ambiguous number, each as the sign that separates the decimals. */
export const pointOptions = (text: string) => [
  { value: '', label: 'deixar como está' },
  { value: ',', label: `separa milhares: ${text} é ${text.replace('.', '')}` },
  { value: '.', label: `separa decimais: ${text} é ${text.replace('.', ',')}` },
];

/** Returns the key of the value of one row. */
export const rowKey = ({ reason }: Pick<Refused, 'reason'>, member: string, row: number): string =>
  JSON.stringify([reason, member, null, row]);

interface RowValue {
  readonly reason: string;
  readonly member: string;
  readonly row: number;
  readonly value: string;
}

/** Returns the filled values of single rows. */
function rowValues(values: Values): readonly RowValue[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const [reason, member, , row] = JSON.parse(key) as [string, string, string | null, number?]; // keys of this module
    return row === undefined || value === '' ? [] : [{ reason, member, row, value }];
  });
}

/** Returns the number of rows of a reason that have a value of their own. */
export function ownRows({ reason, ...rest }: ImportReason, values: Values): number {
  const members = new Set(fillsOf(rest).map(({ target }) => target));
  const own = rowValues(values).filter(
    (rowValue) => rowValue.reason === reason && members.has(rowValue.member),
  );
  return new Set(own.map(({ row }) => row)).size;
}

const SKIP = { skip: true } as const;

/** Returns the entry that leaves rows out. Each kind of record has its member. */
export const leavingOut = (rows: readonly number[]): Entries =>
  rows.length === 0 ? [] : [{ member: 'cpfCnpjRaiz', rows: [...rows], value: SKIP }];

/**
 * Returns the corrections that the user filled in. The value of a single row comes last, because the last one
 * wins.
 */
export function correctionsOf(
  reasons: readonly ImportReason[],
  { fixes: values, removals, decimals, remembered }: ChosenCorrections,
): Entries {
  const columns = new Set(reasons.flatMap(({ ambiguous, member }) => (ambiguous === null ? [] : [member])));
  const signs = Object.entries(decimals).flatMap<Entries[number]>(([member, decimal]) =>
    columns.has(member) && (decimal === '.' || decimal === ',') ? [{ member, decimal }] : [],
  );
  const shared = reasons.flatMap((importReason) =>
    fixesOf(importReason).flatMap<Entries[number]>(({ key, member, received, outOfPlace }) => {
      const { reason } = importReason;
      const removal = removals[key];
      const text = values[key] ?? '';
      if (removal === undefined && text === '') return [];
      const value = removal === undefined ? text : removal === 'skip' ? SKIP : null;
      if (outOfPlace !== undefined)
        return value === null
          ? outOfPlace.map((memberToEmpty) => ({ reason, member: memberToEmpty, value }))
          : [{ reason, member, value }];
      if (received === undefined) return [{ reason, member, value }];
      const isOfSheet = received !== '' && WRONG_EVERYWHERE.has(reason);
      const remember =
        remembered[reasonKey(importReason)] === true && removal === undefined && received !== '';
      return [
        { ...(!isOfSheet && { reason }), member, map: { [received]: value }, ...(remember && { remember }) },
      ];
    }),
  );
  const targets = new Set(
    reasons.flatMap((importReason) =>
      fillsOf(importReason).map(({ target }) => JSON.stringify([importReason.reason, target])),
    ),
  );
  const own = Map.groupBy(
    rowValues(values).filter(({ reason, member }) => targets.has(JSON.stringify([reason, member]))),
    ({ reason, member, value }) => JSON.stringify([reason, member, value]),
  );
  const single = [...own.values()].map((all): Entries[number] => {
    const [{ reason, member, value }] = all as [RowValue, ...RowValue[]]; // a group has one
    return { reason, member, value, rows: all.map(({ row }) => row) };
  });
  return [...signs, ...shared, ...single];
}
