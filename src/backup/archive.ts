/** Writes the zip of a backup: its members, and a manifest with the hash of each. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import type { EpochMs } from '../clock.ts';
import { brasiliaWallTime } from '../files/zip-out.ts';
import { MANIFEST_MEMBER, type Manifest } from './model.ts';
import type { Pace } from './pace.ts';

/** Size that is read, hashed and deflated between two pauses: some ms. */
const BLOCK_BYTES = 256 * 1024;
/** Fast: it compresses catalogue rows to a fifth, the slowest level to a sixth. */
const DEFLATE_LEVEL = 1;

export interface ArchiveParts {
  /** The zip to write. It is on stable storage at the end. */
  readonly zip: string;
  /** Name in the zip and path of each member. */
  readonly members: readonly (readonly [name: string, path: string])[];
  readonly manifest: Omit<Manifest, 'sha256'>;
  readonly at: EpochMs;
  readonly pace: Pace;
}

export async function writeArchive({ zip, members, manifest, at, pace }: ArchiveParts): Promise<void> {
  const archive = new ZipArchive({ zlib: { level: DEFLATE_LEVEL } });
  const writing = pipeline(archive, createWriteStream(zip, { mode: 0o600 }));
  writing.catch(() => undefined); // the await below reports it
  const date = brasiliaWallTime(at);
  const append = async (content: Readable | string, name: string): Promise<void> => {
    const entered = new Promise<void>((resolve) => archive.once('entry', () => resolve()));
    if (content instanceof Readable) content.once('error', (failure) => archive.destroy(failure)); // pipes pass no errors on
    archive.append(content, { name, date });
    await Promise.race([entered, writing]);
  };
  const sha256: Record<string, string> = {};
  for (const [name, path] of members) {
    const hash = new Bun.CryptoHasher('sha256');
    await append(Readable.from(blocksOf(path, hash, pace), { objectMode: true, highWaterMark: 1 }), name);
    sha256[name] = hash.digest('hex');
  }
  await append(`${JSON.stringify({ ...manifest, sha256 }, undefined, 2)}\n`, MANIFEST_MEMBER);
  await Promise.all([archive.finalize(), writing]);
  await syncFile(zip);
}

async function* blocksOf(path: string, hash: Bun.CryptoHasher, pace: Pace): AsyncGenerator<Uint8Array> {
  for await (const block of createReadStream(path, {
    highWaterMark: BLOCK_BYTES,
  }) as AsyncIterable<Uint8Array>) {
    hash.update(block);
    yield block;
    pace.pause();
  }
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}
