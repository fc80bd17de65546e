/** Lists that the browser stores for each user, such as saved filters. They outlive the session. */
import { currentUser } from './session.ts';

/**
 * Returns the list stored for the signed-in user. `undefined`: none is stored, or another version or program
 * stored something else there.
 */
export function storedList<T>(
  name: string,
  isItem: (value: unknown) => value is T,
): readonly T[] | undefined {
  const key = storageKey(name);
  const text = key === undefined ? null : localStorage.getItem(key);
  const value = text === null ? undefined : parsedOrUndefined(text);
  return Array.isArray(value) && value.every(isItem) ? value : undefined;
}

/** Does nothing while nobody is signed in. */
export function storeList(name: string, list: readonly unknown[]): void {
  const key = storageKey(name);
  if (key !== undefined) localStorage.setItem(key, JSON.stringify(list));
}

export const isString = (value: unknown): value is string => typeof value === 'string';

function storageKey(name: string): string | undefined {
  const user = currentUser.value;
  return typeof user === 'string' ? undefined : `catp.${name}.${user.documento}`;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not written by this module.
  }
}
