/** Computes the digest of a file's content, independent of layout: files with the same digest are equal as JSON. */
import { isNumberText } from '../../../validation/json-number.ts';
import type { OriginalTable } from './table-file.ts';

/** Hashes item by item: a sorted copy of the whole file would need as much memory again. */
export function contentDigest(file: OriginalTable): string {
  const content = new Bun.CryptoHasher('sha256');
  for (const [name, value] of membersInOrder(file)) {
    content.update(JSON.stringify(name) + (Array.isArray(value) ? '[' : ':'));
    for (const item of Array.isArray(value) ? value : [value])
      content.update(JSON.stringify(withMembersInOrder(item)));
  }
  return content.digest('hex');
}

const membersInOrder = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));

/** Sorts the members of objects, whose order has no meaning in JSON; lists keep their order. */
function withMembersInOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMembersInOrder);
  if (typeof value !== 'object' || value === null || isNumberText(value)) return value;
  return Object.fromEntries(
    membersInOrder(value).map(([name, member]) => [name, withMembersInOrder(member)]),
  );
}
