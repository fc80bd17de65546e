/** A parsed JSON value of unknown form. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the member of that name. `undefined`: no object, or no such member. */
export const memberIn = (value: unknown, name: string): unknown =>
  isObject(value) ? value[name] : undefined;

export function textMemberIn(value: unknown, name: string): string | undefined {
  const member = memberIn(value, name);
  return typeof member === 'string' ? member : undefined;
}
