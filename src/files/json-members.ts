import { formatValue } from '../validation/format-value.ts';
import {
  FILE_LIMITS,
  type FileLimits,
  type FileSource,
  type ItemPlace,
  type JsonMember,
  READ_BYTES,
  tooLarge,
} from './file-limits.ts';
import { readJsonArray } from './json-array-in.ts';
import type { ArrayItem } from './array-item.ts';
import { UnreadableFile, inMember } from './unreadable-file.ts';

export interface FileItem extends ArrayItem, ItemPlace {
  /** The path of its member in the zip. `undefined`: a plain JSON file. */
  readonly file: string | undefined;
}

export interface FileReading {
  /** Continues after an item that was read before. */
  readonly behind?: ItemPlace | undefined;
  /** Only checks that the items are readable: the values may be anything. */
  readonly judgesOnly?: boolean | undefined;
}

/** Returns items without a file, starting after one of them. */
export type ItemSource = (behind: ItemPlace | undefined) => AsyncGenerator<FileItem, void, undefined>;

/**
 * Yields the records of an upload: the items of a JSON array, or of all JSON arrays in a zip, numbered
 * consecutively. Throws `UnreadableFile`. Errors of the machine (a missing file, a failing disk) are thrown
 * unchanged.
 */
export async function* readItems(
  source: FileSource,
  limits: FileLimits = FILE_LIMITS,
  { behind, judgesOnly }: FileReading = {},
): AsyncGenerator<FileItem, void, undefined> {
  let index = behind === undefined ? 0 : behind.index + 1;
  for await (const { name, isOneOfMany, number, chunks } of jsonMembers(source, limits, behind)) {
    const inArray = behind?.member === number ? { ...behind, index: behind.indexInMember } : undefined;
    try {
      for await (const { index: indexInMember, ...item } of readJsonArray(chunks, limits, {
        behind: inArray,
        judgesOnly,
      }))
        yield { ...item, index: index++, file: name, member: number, indexInMember };
    } catch (failure) {
      if (failure instanceof UnreadableFile && name !== undefined && isOneOfMany)
        throw inMember(formatValue(name), failure);
      throw failure;
    }
  }
}

/** Yields the JSON texts of a file. Its first bytes decide between zip and JSON, not its name. */
export async function* jsonMembers(
  source: FileSource,
  limits: FileLimits = FILE_LIMITS,
  behind?: ItemPlace,
): AsyncGenerator<JsonMember, void, undefined> {
  const { size, isZip: isZipFile } = await sizeAndFormat(source);
  if (isZipFile) yield* (await import('./zip-members.ts')).zipMembers(source, limits, behind);
  else if (size > limits.maxBytes) throw tooLarge(size, limits);
  else
    yield {
      number: 0,
      name: undefined,
      isOneOfMany: false,
      chunks: plainChunks(source, behind?.end ?? 0, limits),
    };
}

/** Returns the names of the zip members that `jsonMembers` skips. Another file has none. */
export async function otherMembers(source: FileSource, limits: FileLimits): Promise<readonly string[]> {
  return (await isZip(source)) ? (await import('./zip-members.ts')).otherZipMembers(source, limits) : [];
}

/** Returns true for a zip, an XLSX among them. */
export const isZip = async (source: FileSource): Promise<boolean> => (await sizeAndFormat(source)).isZip;

/** No JSON text begins with `PK`. Every zip without a prefix does. */
const ZIP_MAGIC = 'PK';

async function sizeAndFormat(source: FileSource): Promise<{ size: number; isZip: boolean }> {
  const isMagic = (start: Uint8Array): boolean => Buffer.from(start).toString('latin1') === ZIP_MAGIC;
  if (typeof source !== 'string')
    return { size: source.length, isZip: isMagic(source.subarray(0, ZIP_MAGIC.length)) };
  const { open } = await import('node:fs/promises');
  await using file = await open(source, 'r');
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(new Uint8Array(ZIP_MAGIC.length), 0, ZIP_MAGIC.length, 0);
  return { size, isZip: isMagic(buffer.subarray(0, bytesRead)) };
}

async function* plainChunks(
  source: FileSource,
  start: number,
  limits: FileLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (typeof source !== 'string') yield source.subarray(start);
  else yield* fileChunks(source, start, limits);
}

/**
 * Reads all pieces into one buffer: new buffers for a long file would fill the memory before garbage
 * collection. Enforces the limit also for a file that grows meanwhile.
 */
async function* fileChunks(
  path: string,
  start: number,
  limits: FileLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { open } = await import('node:fs/promises');
  await using file = await open(path, 'r');
  const buffer = new Uint8Array(READ_BYTES);
  for (let offset = start; ;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    if (offset > limits.maxBytes) throw tooLarge(offset, limits);
    yield buffer.subarray(0, bytesRead);
  }
}
