/**
 * Keeps the digits of JSON numbers that JavaScript numbers would change (`1.10`, `0.0000001`, twenty digits).
 * A parsed value holds them as the objects of `JSON.rawJSON`, which print as they were sent (contract
 * sections 4 and 10).
 */

/** A number with its original text, which `JSON.stringify` prints. */
export interface NumberText {
  readonly rawJSON: string;
}

/** ECMAScript's JSON source text access, which TypeScript does not declare yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => NumberText;
  readonly isRawJSON: (value: unknown) => value is NumberText;
};

export const isNumberText = isRawJSON;

/** Returns true when JavaScript would print the number differently. */
export const wouldChange = (source: string): boolean => String(Number(source)) !== source;

/** Reviver for `JSON.parse`: keeps the digits that a JavaScript number would lose. */
export function keepDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && wouldChange(source) ? rawJSON(source) : value;
}

/** Returns the original text of a JSON number or boolean. `undefined`: any other value. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isNumberText(value) ? value.rawJSON : undefined;
}

/** Returns the original digits of a JSON number. `undefined`: any other value. */
export const numberText = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? undefined : scalarText(value);

/** Accepts leading zeros, as in a path, and limits the length. */
const INTEGER_DIGITS = /^\d{1,16}$/;

/** Returns the integer of a JSON number or of a text of digits (contract section 4). */
export function integerOf(value: unknown): number | undefined {
  let number: unknown = value;
  if (typeof value === 'string') number = INTEGER_DIGITS.test(value) ? Number(value) : undefined;
  else if (isNumberText(value)) number = Number(value.rawJSON);
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined; // -0 is 0
}
