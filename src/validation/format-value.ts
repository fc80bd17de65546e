/** Prints a received value for messages. */
import { isNumberText } from './json-number.ts';
import { visible } from './text.ts';

const RECEIVED_MAX_CHARACTERS = 100;

/** Replaces a secret in messages (`x-format-value`). */
export const secretPlaceholder = (): string => 'um valor que não é mostrado';

/** Prints a received value as JSON, cut at 100 characters (contract section 3). */
export function formatValue(value: unknown): string {
  const text = visible(beginningOf(value, 4 * RECEIVED_MAX_CHARACTERS));
  const characters = Array.from(text.slice(0, 4 * RECEIVED_MAX_CHARACTERS));
  return characters.length <= RECEIVED_MAX_CHARACTERS
    ? text
    : `${characters.slice(0, RECEIVED_MAX_CHARACTERS).join('')}…`;
}

/** Returns short JSON whole. Of a huge or deeply nested value it prints only the shown part. */
function beginningOf(value: unknown, maxCharacters: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, maxCharacters));
  if (isNumberText(value)) return value.rawJSON.slice(0, maxCharacters);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nada';
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const key in value) {
    if (text.length > maxCharacters) return text;
    if (text.length > 1) text += ',';
    if (!isList) text += `${JSON.stringify(key.slice(0, maxCharacters))}:`;
    text += beginningOf((value as Readonly<Record<string, unknown>>)[key], maxCharacters - text.length);
  }
  return text + (isList ? ']' : '}');
}
