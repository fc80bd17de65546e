/** Unpacks the zip of a backup: only the members of our own backups, each with the hash from its manifest. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { OperatorError } from '../errors.ts';
import { entriesIn, nameOf, openZip, unpacked } from '../files/zip-members.ts';
import { readManifest } from './manifest.ts';
import { DATABASE_MEMBER, KEY_MEMBER, MANIFEST_MEMBER, type Manifest } from './model.ts';
import type { Pace } from './pace.ts';

/** Names are compared and never used as a path: an unknown member is never written. */
const KNOWN: ReadonlySet<string> = new Set([DATABASE_MEMBER, KEY_MEMBER, MANIFEST_MEMBER]);
const MANIFEST_MAX_BYTES = 64 * 1024;

export interface UnpackedBackup {
  readonly manifest: Manifest;
  readonly keys: boolean;
}

/** Unpacks the zip. Throws when it is no backup of this product, or incomplete. */
export async function unpack(
  file: string,
  /** An empty folder. */
  into: string,
  pace: Pace,
  /** Called before the first write. */
  requireRoom: (bytes: number) => void,
): Promise<UnpackedBackup> {
  using zip = await openZip(file);
  const members = await membersOf(zip);
  const manifest = readManifest(await textOf(zip, members));
  const wanted = Object.keys(manifest.sha256);
  for (const name of KNOWN)
    if (name !== MANIFEST_MEMBER && members.has(name) !== wanted.includes(name))
      throw new OperatorError(
        members.has(name) ? `${name} não está no manifest.json` : `falta ${name}, que o manifest.json nomeia`,
      );
  requireRoom([...members.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0));
  for (const name of wanted) {
    const hash = await extract(zip, members.get(name) as Entry, join(into, name), pace); // present, as just checked
    if (hash !== manifest.sha256[name])
      throw new OperatorError(`o sha256 de ${name} não é o do manifest.json`);
  }
  return { manifest, keys: members.has(KEY_MEMBER) };
}

/**
 * Reads only the manifest, of a backup or from a separate file. Throws when it is no manifest of this
 * product.
 */
export async function manifestOf(file: string): Promise<Manifest> {
  const head = Bun.file(file);
  if ((await head.slice(0, 1).text()) === '{') {
    if (head.size > MANIFEST_MAX_BYTES) throw new OperatorError(`${MANIFEST_MEMBER} é grande demais`);
    return readManifest(await head.text());
  }
  using zip = await openZip(file);
  return readManifest(await textOf(zip, await membersOf(zip)));
}

async function membersOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const members = new Map<string, Entry>();
  if (zip.entryCount > KNOWN.size)
    throw new OperatorError(`o zip tem ${zip.entryCount} arquivos, e não até ${KNOWN.size}`);
  for await (const entry of entriesIn(zip)) {
    const name = nameOf(entry);
    if (!KNOWN.has(name))
      throw new OperatorError(
        `o zip tem ${JSON.stringify(name.slice(0, 100))}, que nenhuma cópia do catp tem`,
      );
    if (members.has(name)) throw new OperatorError(`o zip tem ${name} duas vezes`);
    members.set(name, entry);
  }
  return members;
}

async function textOf(zip: ZipFile, members: ReadonlyMap<string, Entry>): Promise<string> {
  const entry = members.get(MANIFEST_MEMBER);
  if (entry === undefined)
    throw new OperatorError(`falta ${MANIFEST_MEMBER}: não é uma cópia de segurança do catp`);
  if (entry.uncompressedSize > MANIFEST_MAX_BYTES)
    throw new OperatorError(`${MANIFEST_MEMBER} é grande demais`);
  return Buffer.concat(await Array.fromAsync(unpacked(zip, entry))).toString('utf8');
}

/** Returns the hash of the written bytes, which are on stable storage. */
async function extract(zip: ZipFile, entry: Entry, path: string, pace: Pace): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  const hashedBlocks = async function* (): AsyncGenerator<Uint8Array> {
    for await (const block of unpacked(zip, entry)) {
      hash.update(block);
      yield block;
      pace.pause();
    }
  };
  await pipeline(hashedBlocks, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  return hash.digest('hex');
}
