/** Masks the headers, members and parameters of a request and its answer that carry secrets. */
import type { JournalOperation } from './entry.ts';
import { withoutInvitations } from '../../http/address.ts';
import { tryParseJson } from '../../validation/json.ts';
import { type Schema, asSchema, holdsSecrets } from '../../validation/schema.ts';
import { secretPlaceholder } from '../../validation/format-value.ts';

/** Replaces a secret. curl.ts turns it into a shell variable. */
export interface Mask {
  /** The name that the request used. */
  readonly name: string;
}

/** Texts and masked secrets, in order. */
export type Parts = readonly (string | Mask)[];

const MASKED = '***';

const SECRET = /secret|segredo|senha|password|passwd|token|csrf|authorization|cookie|chave|apikey/;
/** Matches the header with a token's expiry, which is not a secret. */
const NOT_SECRET = /^xcsrfexpiration$/;

export function isSecret(name: string): boolean {
  const bare = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  return SECRET.test(bare) && !NOT_SECRET.test(bare);
}

export const maskedText = (parts: Parts): string =>
  parts.map((part) => (typeof part === 'string' ? part : MASKED)).join('');

/** Masks the value if `name` is the name of a secret. */
export const maskedValue = (name: string, value: string): Parts =>
  value !== '' && isSecret(name) ? [{ name }] : [value];

/** Masks the pairs of a query or a form, as in `a=1&b=2`. */
export function maskedPairs(text: string): Parts {
  const parts: (string | Mask)[] = [];
  for (const [index, pair] of text.split('&').entries()) {
    if (index > 0) parts.push('&');
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    if (equals === -1 || equals === pair.length - 1 || !isSecret(name)) parts.push(pair);
    else parts.push(pair.slice(0, equals + 1), { name });
  }
  return parts;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Replaces a whole body that cannot be parsed and may hold a secret anywhere. */
const HIDDEN = { name: 'corpo' } as const;

/** Masks the secrets of a body. The body may be truncated. */
export function maskedBody(text: string, operation?: JournalOperation): Parts {
  const schema = operation?.body && asSchema(operation.body);
  const isDiscreet = schema !== undefined && holdsSecrets(schema);
  if (!/^\s*[[{"]/.test(text)) return isDiscreet ? [HIDDEN] : maskedPairs(text);
  if (isDiscreet && tryParseJson(text) === undefined) return [HIDDEN];
  return withoutCredentials(maskedJson(text, isDiscreet ? secretOrUnknownIn(schema) : isSecret));
}

/**
 * Returns the test for members to mask where a secret is expected: the secret members, and unknown ones,
 * which may be misspelled.
 */
function secretOrUnknownIn({ properties = {} }: Schema): (name: string) => boolean {
  return (name) =>
    isSecret(name) ||
    !Object.hasOwn(properties, name) ||
    properties[name]?.['x-format-value'] === secretPlaceholder;
}

/** The credentials before the `@` of a URL. */
const CREDENTIALS = /:\/\/[^/@\s"?#]{1,200}@/g;

const withoutCredentials = (parts: Parts): Parts =>
  parts.map((part) =>
    typeof part === 'string' ? withoutInvitations(part.replaceAll(CREDENTIALS, `://${MASKED}@`)) : part,
  );

/**
 * Masks the values of secret members of any type. The rest stays unchanged, also where the JSON is invalid.
 */
function maskedJson(text: string, isHidden: (name: string) => boolean): Parts {
  const parts: (string | Mask)[] = [];
  let from = 0;
  let offset = 0;
  while (offset < text.length) {
    if (text[offset] !== '"') {
      offset += 1;
      continue;
    }
    const end = stringEnd(text, offset);
    const colon = skipSpace(text, end);
    const name = text[colon] === ':' ? stringAt(text, offset, end) : undefined;
    offset = end;
    if (name === undefined || !isHidden(name)) continue;
    const value = skipSpace(text, colon + 1);
    const valueEnd = endOfValue(text, value);
    offset = valueEnd;
    const received = text.slice(value, valueEnd);
    if (received === '' || received === 'null' || received === '""') continue;
    parts.push(`${text.slice(from, value)}"`, { name }, '"');
    from = valueEnd;
  }
  parts.push(text.slice(from));
  return parts;
}

function stringAt(text: string, start: number, end: number): string {
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    return text.slice(start + 1, end - 1);
  }
}

/** Returns the index after the closing quote, or the end of a truncated text. */
function stringEnd(text: string, start: number): number {
  for (let offset = start + 1; offset < text.length; offset += 1) {
    if (text[offset] === '\\') offset += 1;
    else if (text[offset] === '"') return offset + 1;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let offset = from;
  while (offset < text.length && ' \t\r\n'.includes(text[offset] as string)) offset += 1;
  return offset;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  let depth = 0;
  let offset = start;
  while (offset < text.length) {
    const character = text[offset] as string;
    if (character === '"') {
      offset = stringEnd(text, offset);
      continue;
    }
    if ('[{'.includes(character)) depth += 1;
    else if (depth === 0 && ',]}\n\r\t '.includes(character)) return offset;
    else if (']}'.includes(character)) {
      depth -= 1;
      if (depth === 0) return offset + 1;
    }
    offset += 1;
  }
  return offset;
}
