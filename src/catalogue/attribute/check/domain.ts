/** The domain of a list attribute: is a code in it, and which one was perhaps meant. */
import { shown } from '../../../validation/shown.ts';
import { folded, nearest } from '../../../validation/text.ts';
import type { DomainItem } from '../words/model.ts';

export interface Domain {
  readonly codes: ReadonlySet<string>;
  readonly items: readonly DomainItem[];
}

/** `undefined` where the file carries no domain: then only the size is checked (contract section 8). */
export const prepareDomain = (items: readonly DomainItem[]): Domain | undefined =>
  items.length === 0 ? undefined : { codes: new Set(items.map(({ codigo }) => codigo)), items };

const SHOWN_ITEMS = 10;

/** The first ten codes with their meanings, and a count. */
export function domainInWords({ items }: Domain): string {
  const first = items
    .slice(0, SHOWN_ITEMS)
    .map(({ codigo, descricao }) => `${shown(codigo)} ${descricao}`.trimEnd());
  return items.length > SHOWN_ITEMS ? `${first.join(', ')}, … (${items.length} valores)` : first.join(', ');
}

/** Shorter codes are all near each other: a guess would mislead. */
const COMPARED_CHARACTERS = 4;

/** Of longer domains (municipalities: 5 570) slips of the finger are not looked for, it would take milliseconds. */
const COMPARED_ITEMS = 500;

/** The code that was perhaps meant: "1" → "01", a description → its code, a slip of the finger → the nearest code. */
export function nearestCode(domain: Domain, value: string): string | undefined {
  const meant = meanings(domain).get(withoutZeros(value)) ?? meanings(domain).get(folded(value.trim()));
  if (meant !== undefined || value.length < COMPARED_CHARACTERS || domain.items.length > COMPARED_ITEMS)
    return meant;
  return nearest(
    value,
    domain.items.map(({ codigo }) => codigo),
  );
}

const knownMeanings = new WeakMap<Domain, ReadonlyMap<string, string>>();

/** Other ways to write each code, made when a value is refused for the first time. */
function meanings(domain: Domain): ReadonlyMap<string, string> {
  const known = knownMeanings.get(domain);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  for (const { codigo } of domain.items) setFirst(made, withoutZeros(codigo), codigo);
  for (const { codigo } of domain.items) setFirst(made, folded(codigo), codigo);
  for (const { codigo, descricao } of domain.items) setFirst(made, folded(descricao.trim()), codigo);
  knownMeanings.set(domain, made);
  return made;
}

function setFirst(map: Map<string, string>, key: string, value: string): void {
  if (!map.has(key)) map.set(key, value);
}

const withoutZeros = (code: string): string => code.trim().replace(/^0+(?=.)/, '');
