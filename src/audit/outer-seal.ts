/**
 * The seal outside the database, next to the keys. It covers the trail up to at most one second ago. An
 * attacker who truncates the trail and restores an old seal in the database is detected: the trail ends
 * before the outer seal.
 * Two sectors hold the same seal. A write syncs the first before it begins the second, so a power failure
 * damages at most one of them, and a single damaged sector does not hide how far the trail had come.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SEAL_FILE } from '../db/folder.ts';
import { readStart } from '../system/bounded-file.ts';
import { systemCode } from '../system/errors.ts';
import { placeFile } from '../system/sync-folder.ts';
import { isSame } from './seal.ts';
import type { End } from './store.ts';

const SECTOR_BYTES = 512;

export interface Outer {
  /** Number of writes: the sector with the higher one is valid. */
  readonly count: number;
  /** The last covered entry, and the hash of its page. */
  readonly seq: number;
  readonly hash: Uint8Array;
}

type Sector = 0 | 1;

/** `strange`: not made with these keys. */
export type OuterSealState = Outer | 'missing' | 'strange';

export class OuterSeal {
  readonly #file: string;
  readonly #key: Uint8Array | undefined;

  /** `key`: without it the seal is not verified. */
  constructor(folder: string, key: Uint8Array | undefined) {
    this.#file = join(folder, SEAL_FILE);
    this.#key = key;
  }

  /** Throws system errors. */
  find(): OuterSealState {
    const bytes = this.#bytes();
    if (bytes === undefined) return 'missing';
    return this.#newest(bytes)?.seal ?? 'strange';
  }

  /**
   * Writes the seal to stable storage. Call it within a transaction, so that no other process writes one
   * meanwhile. Throws system errors.
   */
  put({ lastSeq, hash }: Pick<End, 'lastSeq' | 'hash'>): void {
    const bytes = this.#bytes();
    const newest = bytes && this.#newest(bytes);
    const content = `${(newest?.seal.count ?? 0) + 1} ${lastSeq} ${Buffer.from(hash).toString('hex')}`;
    const sector = `${content} ${this.#proof(content)}`.padEnd(SECTOR_BYTES - 1).concat('\n');
    if (newest === undefined) return placeFile(this.#file, sector.repeat(2));
    // The newest seal stays until the other sector holds this one. After an older version or a crash the two
    // differ.
    const other: Sector = newest.sector === 0 ? 1 : 0;
    const handle = openSync(this.#file, 'r+');
    try {
      for (const sectorNumber of [other, newest.sector]) {
        writeSync(handle, sector, sectorNumber * SECTOR_BYTES);
        fdatasyncSync(handle);
      }
    } finally {
      closeSync(handle);
    }
  }

  #newest(bytes: Buffer): { readonly sector: Sector; readonly seal: Outer } | undefined {
    const [first, second] = ([0, 1] as const).flatMap((sector) => {
      const seal = this.#read(bytes.toString('latin1', sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES));
      return seal === undefined ? [] : [{ sector, seal }];
    });
    if (first === undefined || second === undefined) return first ?? second;
    return second.seal.count > first.seal.count ? second : first;
  }

  #bytes(): Buffer | undefined {
    try {
      return readStart(this.#file, 2 * SECTOR_BYTES);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #read(sector: string): Outer | undefined {
    const [count = '', seq = '', hash = '', proof = ''] = sector.trim().split(' ');
    const isOurs =
      isNumber(count) &&
      isNumber(seq) &&
      /^[\da-f]{64}$/.test(hash) &&
      (this.#key === undefined ||
        isSame(Buffer.from(this.#proof(`${count} ${seq} ${hash}`)), Buffer.from(proof)));
    return isOurs ? { count: Number(count), seq: Number(seq), hash: Buffer.from(hash, 'hex') } : undefined;
  }

  #proof(content: string): string {
    return new Bun.CryptoHasher('sha256', this.#key).update(`${SEAL_FILE} ${content}`).digest('hex');
  }
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);
