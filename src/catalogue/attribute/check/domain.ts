/** Domain of a list attribute: checks if it has a code, and guesses which code was meant. */
import { formatValue } from '../../../validation/format-value.ts';
import { folded, nearest } from '../../../validation/text.ts';
import type { DomainItem } from '../words/model.ts';

export interface Domain {
  readonly codes: ReadonlySet<string>;
  readonly items: readonly DomainItem[];
}

/** Returns `undefined` if the file has no domain: only the size is then checked (contract section 8). */
export const prepareDomain = (items: readonly DomainItem[]): Domain | undefined =>
  items.length === 0 ? undefined : { codes: new Set(items.map(({ codigo }) => codigo)), items };

const LISTED_MAX = 10;

/** Returns the first ten codes with their meanings, and a count. */
export function domainInWords({ items }: Domain): string {
  const first = items
    .slice(0, LISTED_MAX)
    .map(({ codigo, descricao }) => `${formatValue(codigo)} ${descricao}`.trimEnd());
  return items.length > LISTED_MAX ? `${first.join(', ')}, … (${items.length} valores)` : first.join(', ');
}

/** Length from which a value is compared: shorter codes all resemble each other, so a guess would mislead. */
const COMPARED_CHARACTERS = 4;

/** Size up to which a domain is searched for typing errors; municipalities (5 570) would take milliseconds. */
const COMPARED_ITEMS = 500;

/**
 * Returns the code that was probably meant: "1" → "01", a description → its code, a typing error → the
 * nearest code.
 */
export function nearestCode(domain: Domain, value: string): string | undefined {
  const code = spellings(domain).get(withoutZeros(value)) ?? spellings(domain).get(folded(value.trim()));
  if (code !== undefined || value.length < COMPARED_CHARACTERS || domain.items.length > COMPARED_ITEMS)
    return code;
  return nearest(
    value,
    domain.items.map(({ codigo }) => codigo),
  );
}

const cachedSpellings = new WeakMap<Domain, ReadonlyMap<string, string>>();

/** Returns each code by its other spellings; computed at the first refused value. */
function spellings(domain: Domain): ReadonlyMap<string, string> {
  const cachedMeanings = cachedSpellings.get(domain);
  if (cachedMeanings !== undefined) return cachedMeanings;
  const codesBySpelling = new Map<string, string>();
  for (const { codigo } of domain.items) setFirst(codesBySpelling, withoutZeros(codigo), codigo);
  for (const { codigo } of domain.items) setFirst(codesBySpelling, folded(codigo), codigo);
  for (const { codigo, descricao } of domain.items)
    setFirst(codesBySpelling, folded(descricao.trim()), codigo);
  cachedSpellings.set(domain, codesBySpelling);
  return codesBySpelling;
}

function setFirst(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}

const withoutZeros = (code: string): string => code.trim().replace(/^0+(?=.)/, '');
