/** Fields of the page with a pending lookup. A submit waits until a typed text is resolved. */

const pendingFields = new Set<object>();
let waiting: (() => void)[] = [];

/** `field`: any object that identifies the field. */
export function setSearching(field: object, isSearching: boolean): void {
  if (isSearching) pendingFields.add(field);
  else pendingFields.delete(field);
  if (pendingFields.size > 0) return;
  for (const resolve of waiting) resolve();
  waiting = [];
}

/** Resolves when no lookup is pending. */
export async function searchesDone(): Promise<void> {
  if (pendingFields.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
}
