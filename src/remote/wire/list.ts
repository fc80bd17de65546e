/** Reads the list of an answer item by item, so that requests run during a long one. */
import { FILE_LIMITS } from '../../files/file-limits.ts';
import { readItems } from '../../files/json-members.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import { MAX_BYTES } from '../../outgoing/exchange.ts';

/** Item limit of a list. A filter that finds more [ours] does not identify the record. */
export const LIST_MAX_ITEMS = 100_000;

/** Result in place of a list over the limit. */
export const TOO_MANY_ITEMS = Symbol('too many items');

/** One record is not longer than an answer. */
const LIMITS = { ...FILE_LIMITS, maxBytes: MAX_BYTES.list, maxItemBytes: MAX_BYTES.answer };

/** Reads the list. `null`: the body is empty. `undefined`: it is no JSON list. */
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
