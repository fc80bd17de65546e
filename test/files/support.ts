/** Helpers for the tests of src/files. */
import { UnreadableFile } from '../../src/files/unreadable-file.ts';

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Yields the bytes in chunks of the given sizes, in rotation. */
export async function* inChunks(
  bytes: Uint8Array,
  sizes: readonly number[] = [bytes.length || 1],
): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the refusal that ends the read. Rethrows any other error. */
export async function refusalOf(items: AsyncIterable<unknown>): Promise<UnreadableFile> {
  try {
    await allOf(items);
  } catch (failure) {
    if (failure instanceof UnreadableFile) return failure;
    throw failure;
  }
  throw new Error('the file was read to its end');
}
