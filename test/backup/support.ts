/** Backups made by hand, for restore tests. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import type { Manifest } from '../../src/backup/model.ts';

export type Members = Record<string, Uint8Array>;

export const sha256 = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

export const membersOf = (path: string): Members => unzipSync(readFileSync(path));

export const manifestOf = (members: Members): Manifest =>
  JSON.parse(new TextDecoder().decode(members['manifest.json'])) as Manifest;

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Returns the same members with another manifest; the hashes are those of the members, unless `change`
 * replaces them.
 */
export function withManifest(
  members: Members,
  change: (manifest: Manifest) => object = (same) => same,
): Members {
  const originalManifest = manifestOf(members);
  const { 'manifest.json': _, ...others } = members;
  const hashes = Object.fromEntries(Object.entries(others).map(([name, bytes]) => [name, sha256(bytes)]));
  const manifest = change({ ...originalManifest, sha256: hashes });
  return { ...others, 'manifest.json': bytesOf(JSON.stringify(manifest)) };
}

export interface Scratch {
  readonly path: string;
  file(name: string, bytes: Uint8Array | string): string;
  zip(name: string, members: Members): string;
  close(): void;
}

export function openScratch(): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'catp-backup-'));
  const file = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(path, name), bytes);
    return join(path, name);
  };
  return {
    path,
    file,
    zip: (name, members) => file(name, zipSync(members)),
    close: () => rmSync(path, { recursive: true, force: true }),
  };
}
