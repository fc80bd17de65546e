/** A parsed JSON value, of which nothing is known yet. */

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there under that name, where it is an object. */
export const memberIn = (value: unknown, name: string): unknown =>
  isObject(value) ? value[name] : undefined;

export function textMemberIn(value: unknown, name: string): string | undefined {
  const found = memberIn(value, name);
  return typeof found === 'string' ? found : undefined;
}
