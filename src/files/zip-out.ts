import type { Readable } from 'node:stream';
import type { ZipArchive } from 'archiver';
import { type EpochMs, endOfTurn } from '../clock.ts';

/**
 * Size of one deflated block. Equal blocks, independent of the incoming chunks, save archiver one trip to the
 * thread pool per record and make the bytes of the zip depend on the content only.
 */
const BLOCK_BYTES = 64 * 1024;

/** Between speed (1) and size (9). Exports are mostly repeated member names. */
const DEFLATE_LEVEL = 6;

/**
 * Returns a zip with one member `${name}.json` that holds `chunks` (text is written as UTF-8), dated `madeAt`
 * in Brasília time (contract section 7). Equal content, name and date give equal bytes.
 *
 * The producer starts with the first read and pauses when the reader stops reading. When the reader cancels,
 * the producer's `return()` is called. When the producer fails, so does the stream: no reader may take half a
 * catalogue for a whole one.
 */
export const zipOf = (
  name: string,
  chunks: AsyncIterable<string | Uint8Array>,
  madeAt: EpochMs,
): ReadableStream<Uint8Array> => zipWith([], `${name}.json`, chunks, madeAt);

/** Returns a zip with the member `name` after other, short members. */
export function zipWith(
  others: readonly (readonly [name: string, text: string])[],
  name: string,
  chunks: AsyncIterable<string | Uint8Array>,
  madeAt: EpochMs,
): ReadableStream<Uint8Array> {
  const producer = chunks[Symbol.asyncIterator]();
  let zip: RunningZip | undefined;
  const stop = async (): Promise<void> => {
    zip?.blocks.destroy();
    zip?.archive.destroy();
    await producer.return?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        zip ??= startZip(await loadTools(), others, name, producer, brasiliaWallTime(madeAt));
        try {
          const { done, value } = await zip.bytes.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        } catch (failure) {
          await stop();
          throw failure;
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}

interface RunningZip {
  readonly blocks: Readable;
  readonly archive: ZipArchive;
  readonly bytes: AsyncIterator<Uint8Array>;
}

/** Loads the libraries with the first export: they cost 25 ms, and most starts need none. */
async function loadTools() {
  const [{ ZipArchive }, { Readable }] = await Promise.all([import('archiver'), import('node:stream')]);
  return { ZipArchive, Readable };
}

function startZip(
  { ZipArchive, Readable }: Awaited<ReturnType<typeof loadTools>>,
  others: readonly (readonly [name: string, text: string])[],
  member: string,
  producer: AsyncIterator<string | Uint8Array>,
  date: Date,
): RunningZip {
  const blocks = Readable.from(equalBlocks(producer), { objectMode: true, highWaterMark: 1 });
  const archive = new ZipArchive({ zlib: { level: DEFLATE_LEVEL }, highWaterMark: BLOCK_BYTES });
  blocks.once('error', (failure) => archive.destroy(failure)); // pipes do not pass errors on
  for (const [name, text] of others) archive.append(text, { name, date });
  archive.append(blocks, { name: member, date });
  archive.finalize().catch(() => undefined); // the archive's error event, which ends `bytes`, reports it
  return { blocks, archive, bytes: archive[Symbol.asyncIterator]() };
}

/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3;

/**
 * Yields the bytes in blocks of exactly `BLOCK_BYTES`, except the last. Other tasks get their turn between
 * them.
 */
async function* equalBlocks(
  producer: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let block = Buffer.allocUnsafe(BLOCK_BYTES);
  let filled = 0;
  for (let next = await producer.next(); next.done !== true; next = await producer.next()) {
    const chunk = next.value;
    if (typeof chunk === 'string' && filled + MOST_BYTES_PER_UNIT * chunk.length < BLOCK_BYTES) {
      filled += block.write(chunk, filled); // the usual case: no intermediate copy
      continue;
    }
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let offset = 0; offset < bytes.length;) {
      const part = bytes.subarray(offset, offset + BLOCK_BYTES - filled);
      block.set(part, filled);
      filled += part.length;
      offset += part.length;
      if (filled < BLOCK_BYTES) continue;
      yield block;
      await endOfTurn();
      block = Buffer.allocUnsafe(BLOCK_BYTES); // the deflater may still read the last one
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/**
 * Returns a date whose UTC fields show Brasília time: a zip stores a time without zone, from these fields.
 */
export function brasiliaWallTime(instant: EpochMs): Date {
  const { year, month, day, hour, minute, second } =
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('America/Sao_Paulo');
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/** A member of a zip: its text, or its content in chunks. */
export interface ZipContent {
  readonly name: string;
  readonly text: string | AsyncIterable<string | Uint8Array>;
}

/** Returns a zip of many members, in their order, dated like the others. */
export async function* zipOfTexts(
  texts: AsyncIterable<ZipContent>,
  madeAt: EpochMs,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { ZipArchive, Readable } = await loadTools();
  const archive = new ZipArchive({ zlib: { level: DEFLATE_LEVEL }, highWaterMark: BLOCK_BYTES });
  const date = brasiliaWallTime(madeAt);
  const contentOf = (chunks: AsyncIterable<string | Uint8Array>): Readable =>
    Readable.from(chunks).once('error', (failure) => archive.destroy(failure)); // pipes do not pass errors on
  const producer = texts[Symbol.asyncIterator]();
  const fill = async (): Promise<void> => {
    for (let next = await producer.next(); next.done !== true; next = await producer.next()) {
      const { name, text } = next.value;
      const entered = new Promise<void>((resolve) => archive.once('entry', () => resolve()));
      archive.append(typeof text === 'string' ? text : contentOf(text), { name, date });
      await entered; // keeps no more of them than the reader takes
    }
    await archive.finalize();
  };
  fill().catch((failure: unknown) => archive.destroy(failure as Error)); // the archive's error event reports it
  try {
    yield* archive as AsyncIterable<Uint8Array>;
  } finally {
    archive.destroy();
    await producer.return?.(); // a wait for an entry of a destroyed archive would never end
  }
}
