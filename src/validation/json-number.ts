/**
 * JSON numbers whose digits JavaScript's own numbers would change (`1.10`, `0.0000001`, twenty digits) stand in a parsed
 * value as what `JSON.rawJSON` makes of them: they are printed again as they were sent (contract sections 4 and 10).
 */

/** A number as it was written; `JSON.stringify` prints its text. */
export interface NumberText {
  readonly rawJSON: string;
}

/** ECMAScript's JSON source text access, which TypeScript does not declare yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => NumberText;
  readonly isRawJSON: (value: unknown) => value is NumberText;
};

export const isNumberText = isRawJSON;

/** Whether JavaScript would print the number of that text otherwise. */
export const wouldChange = (source: string): boolean => String(Number(source)) !== source;

/** For `JSON.parse`: keeps the digits that a JavaScript number would lose. */
export function keepDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && wouldChange(source) ? rawJSON(source) : value;
}

/** The text of a JSON number or boolean as it was sent; `undefined` of anything else. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return isNumberText(value) ? value.rawJSON : undefined;
}

/** The digits of a JSON number as they were sent; `undefined` of anything else. */
export const numberText = (value: unknown): string | undefined =>
  typeof value === 'boolean' ? undefined : scalarText(value);

/** As in a path: leading zeros are allowed, but no text is read without end. */
const INTEGER_DIGITS = /^\d{1,16}$/;

/** The whole number that a JSON number gives, or a text of digits (contract section 4). */
export function integerOf(value: unknown): number | undefined {
  let number: unknown = value;
  if (typeof value === 'string') number = INTEGER_DIGITS.test(value) ? Number(value) : undefined;
  else if (isNumberText(value)) number = Number(value.rawJSON);
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined; // -0 is 0
}
