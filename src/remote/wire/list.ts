/** The list in the answer of a remote, read item by item: a long one leaves their turns to requests. */
import { FILE_LIMITS } from '../../files/file-limits.ts';
import { readItems } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { MAX_BYTES } from '../../outgoing/exchange.ts';

/** A filter that finds more [ours] tells nothing of the record that it is to find. */
export const LIST_MAX_ITEMS = 100_000;

/** In place of a list that has more. */
export const TOO_MANY_ITEMS = Symbol('too many items');

/** One record is no longer than an answer. */
const LIMITS = { ...FILE_LIMITS, maxBytes: MAX_BYTES.list, maxItemBytes: MAX_BYTES.answer };

/** `null` where it is empty, `undefined` where it is no list of JSON. */
export async function listIn(body: Buffer): Promise<unknown> {
  if (body.length === 0) return null;
  const items: unknown[] = [];
  try {
    for await (const { value } of readItems(body, LIMITS)) {
      if (items.length === LIST_MAX_ITEMS) return TOO_MANY_ITEMS;
      items.push(value);
    }
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
  return items;
}
