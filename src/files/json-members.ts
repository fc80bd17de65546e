import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { shown } from '../errors.ts';
import {
  FILE_LIMITS,
  type FileLimits,
  type FileSource,
  type JsonMember,
  READ_BYTES,
  tooLarge,
} from './file-limits.ts';
import { readJsonArray, type ArrayItem } from './json-array-in.ts';
import { UnreadableFile, inMember } from './unreadable-file.ts';

/**
 * The records of an upload: the items of a JSON array, or of all JSON arrays in a zip one after another, numbered
 * through. Ends with `UnreadableFile`; what the machine has against the file (it is gone, a disk fails) is thrown as is.
 */
export async function* readItems(
  source: FileSource,
  limits: FileLimits = FILE_LIMITS,
): AsyncGenerator<ArrayItem, void, undefined> {
  let index = 0;
  for await (const { name, chunks } of jsonMembers(source, limits)) {
    try {
      for await (const item of readJsonArray(chunks, limits)) yield { ...item, index: index++ };
    } catch (failure) {
      if (failure instanceof UnreadableFile && name !== undefined) throw inMember(shown(name), failure);
      throw failure;
    }
  }
}

/** The JSON texts of a file, which is a zip or JSON by its first bytes, whatever its name. */
export async function* jsonMembers(
  source: FileSource,
  limits: FileLimits = FILE_LIMITS,
): AsyncGenerator<JsonMember, void, undefined> {
  const { size, isZip } = await lookedAt(source);
  if (isZip) yield* (await import('./zip-members.ts')).zipMembers(source, limits);
  else if (size > limits.maxBytes) throw tooLarge(size, limits);
  else yield { name: undefined, chunks: plainChunks(source) };
}

/** No JSON text begins with `PK`; every zip that begins with itself does. */
const ZIP_MAGIC = 'PK';

async function lookedAt(source: FileSource): Promise<{ size: number; isZip: boolean }> {
  const isZip = (start: Uint8Array): boolean => Buffer.from(start).toString('latin1') === ZIP_MAGIC;
  if (typeof source !== 'string')
    return { size: source.length, isZip: isZip(source.subarray(0, ZIP_MAGIC.length)) };
  const file = await open(source, 'r');
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(new Uint8Array(ZIP_MAGIC.length), 0, ZIP_MAGIC.length, 0);
    return { size, isZip: isZip(buffer.subarray(0, bytesRead)) };
  } finally {
    await file.close();
  }
}

async function* plainChunks(source: FileSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (typeof source !== 'string') yield source;
  else yield* createReadStream(source, { highWaterMark: READ_BYTES }) as AsyncIterable<Uint8Array>;
}
