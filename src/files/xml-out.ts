/**
 * Prints JSON values as XML: a member is an element, a list repeats its element, `null` and an empty list are
 * absent.
 */
import { scalarText } from '../validation/json-number.ts';

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
// oxlint-disable-next-line no-control-regex -- these are what XML cannot hold
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * Escapes a text for an element or an attribute. Replaces characters that XML cannot contain with the
 * replacement character.
 */
const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll(/[&<>"]/g, (sign) => SPECIAL[sign] ?? sign)
    .replaceAll('\r', '&#13;');

/** Returns the elements of a JSON value under that name. */
export function xmlOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => xmlOf(name, item)).join('');
  const element = elementName(name);
  return `<${element}>${contentOf(value)}</${element}>`;
}

function contentOf(value: unknown): string {
  const scalar = typeof value === 'string' ? value : scalarText(value);
  if (scalar !== undefined) return xmlText(scalar);
  return Object.entries(value as object)
    .map(([name, member]) => xmlOf(name, member))
    .join('');
}

/** Returns a valid element name: the members of foreign records may have any name. */
const elementName = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name)
    ? name
    : `_${name.replaceAll(/[^\p{L}\p{N}_.-]/gu, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)}`;
