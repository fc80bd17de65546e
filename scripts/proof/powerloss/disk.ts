/**
 * A simulated disk that loses data. Synced data is kept. Of later data any part may be kept: each write
 * whole, torn after some 512-byte sectors, or not at all; each creation, change or removal of a name, or not,
 * until its folder was synced.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Random } from '../random.ts';
import type { TracedCall } from './trace.ts';

const SECTOR_BYTES = 512;

/** Strategies for data that was not synced. */
export const STRATEGIES = ['nothing', 'everything', 'prefix', 'subset', 'sectors'] as const;
export type Strategy = (typeof STRATEGIES)[number];

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer; readonly ended: number }
  | { readonly kind: 'truncate'; readonly size: number; readonly ended: number };

type NameChange =
  | { readonly kind: 'add'; readonly path: string; readonly file: File; readonly ended: number }
  | { readonly kind: 'remove'; readonly path: string; readonly ended: number };

class File {
  durable = Buffer.alloc(0);
  pending: Change[] = [];
  /** Size seen by the process. */
  size = 0;
}

export class Disk {
  readonly #root: string;
  /** Names seen by the process. */
  readonly #live = new Map<string, File>();
  readonly #durableNames = new Map<string, File>();
  #pendingNames: NameChange[] = [];

  /** Only files in `root` are kept; the folder itself exists from the start. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Applies a call. Returns whether it changed or synced one of our files. */
  apply(call: TracedCall): boolean {
    switch (call.kind) {
      case 'create':
        return this.#ours(call.path) && this.#create(call.path, call.ended);
      case 'write': {
        const file = this.#live.get(call.path);
        if (file === undefined) return false;
        const offset = call.offset === 'end' ? file.size : call.offset;
        file.pending.push({ kind: 'write', offset, bytes: call.bytes, ended: call.ended });
        file.size = Math.max(file.size, offset + call.bytes.length);
        return true;
      }
      case 'truncate': {
        const file = this.#live.get(call.path);
        file?.pending.push({ kind: 'truncate', size: call.size, ended: call.ended });
        if (file !== undefined) file.size = call.size;
        return file !== undefined;
      }
      case 'sync':
        return this.#sync(call);
      case 'rename':
        return this.#rename(call.from, call.to, call.ended);
      case 'remove':
        return this.#remove(call.path, call.ended);
      default:
        return false;
    }
  }

  /** Writes into `folder` a possible content of the disk at this moment. */
  image(folder: string, strategy: Strategy, random: Random): void {
    const names = new Map(this.#durableNames);
    for (const change of this.#pendingNames) {
      if (!keeps(strategy, random)) continue;
      if (change.kind === 'add') names.set(change.path, change.file);
      else names.delete(change.path);
    }
    for (const [path, file] of names) {
      const target = join(folder, path.slice(this.#root.length));
      mkdirSync(dirname(target), { recursive: true });
      const descriptor = openSync(target, 'w');
      const bytes = content(file, strategy, random);
      if (bytes.length > 0) writeSync(descriptor, bytes);
      closeSync(descriptor);
    }
  }

  #ours(path: string): boolean {
    // The -shm file is memory that all connections share; SQLite rebuilds it after a crash.
    return path.startsWith(`${this.#root}/`) && !path.endsWith('-shm');
  }

  #create(path: string, ended: number): boolean {
    if (this.#live.has(path)) return false;
    const file = new File();
    this.#live.set(path, file);
    this.#pendingNames.push({ kind: 'add', path, file, ended });
    return true;
  }

  #rename(from: string, to: string, ended: number): boolean {
    const file = this.#live.get(from);
    if (file === undefined) return false;
    this.#live.delete(from);
    this.#live.set(to, file);
    this.#pendingNames.push({ kind: 'add', path: to, file, ended }, { kind: 'remove', path: from, ended });
    return true;
  }

  #remove(path: string, ended: number): boolean {
    if (!this.#live.delete(path)) return false;
    this.#pendingNames.push({ kind: 'remove', path, ended });
    return true;
  }

  /** Makes durable, at the end of the sync, the writes that had ended when it began. */
  #sync({ path, began }: Extract<TracedCall, { kind: 'sync' }>): boolean {
    const file = this.#live.get(path);
    if (file !== undefined) {
      const isDone = ({ ended }: Change): boolean => ended <= began;
      file.durable = applied(file.durable, file.pending.filter(isDone));
      file.pending = file.pending.filter((change) => !isDone(change));
      return true;
    }
    const isOfFolder = (change: NameChange): boolean =>
      dirname(change.path) === path && change.ended <= began;
    for (const change of this.#pendingNames.filter(isOfFolder))
      if (change.kind === 'add') this.#durableNames.set(change.path, change.file);
      else this.#durableNames.delete(change.path);
    const before = this.#pendingNames.length;
    this.#pendingNames = this.#pendingNames.filter((change) => !isOfFolder(change));
    return this.#pendingNames.length !== before;
  }
}

function content(file: File, strategy: Strategy, random: Random): Buffer {
  return applied(file.durable, survivors(file.pending, strategy, random));
}

function keeps(strategy: Strategy, random: Random): boolean {
  return strategy === 'everything' || (strategy !== 'nothing' && random.chance(0.5));
}

function survivors(pending: readonly Change[], strategy: Strategy, random: Random): Change[] {
  switch (strategy) {
    case 'nothing':
      return [];
    case 'everything':
      return [...pending];
    case 'prefix': {
      const count = random.integer(0, pending.length);
      const torn = pending[count];
      return [...pending.slice(0, count), ...(torn === undefined ? [] : tornPrefix(torn, random))];
    }
    case 'subset':
      return pending
        .filter(() => random.chance(0.7))
        .flatMap((change) => (random.chance(0.1) ? tornPrefix(change, random) : [change]));
    case 'sectors':
      return pending.flatMap((change) => someSectors(change, random));
  }
}

/** Returns the first sectors of a write; a truncation happens or does not. */
function tornPrefix(change: Change, random: Random): Change[] {
  if (change.kind === 'truncate') return [];
  const { offset, bytes } = change;
  const firstEnd = SECTOR_BYTES - (offset % SECTOR_BYTES);
  const sectors = Math.ceil(Math.max(0, bytes.length - firstEnd) / SECTOR_BYTES) + 1;
  const keptSectors = random.integer(0, sectors - 1);
  const length = keptSectors === 0 ? 0 : firstEnd + (keptSectors - 1) * SECTOR_BYTES;
  return length === 0 ? [] : [{ ...change, bytes: bytes.subarray(0, length) }];
}

/** Returns arbitrary sectors of a write. */
function someSectors(change: Change, random: Random): Change[] {
  if (change.kind === 'truncate') return random.chance(0.5) ? [change] : [];
  const parts: Change[] = [];
  for (let from = 0; from < change.bytes.length;) {
    const offset = change.offset + from;
    const to = Math.min(change.bytes.length, from + SECTOR_BYTES - (offset % SECTOR_BYTES));
    if (random.chance(0.8)) parts.push({ ...change, offset, bytes: change.bytes.subarray(from, to) });
    from = to;
  }
  return parts;
}

function applied(durable: Buffer, changes: readonly Change[]): Buffer<ArrayBuffer> {
  let size = durable.length;
  let largest = size;
  for (const change of changes) {
    size = change.kind === 'truncate' ? change.size : Math.max(size, change.offset + change.bytes.length);
    largest = Math.max(largest, size);
  }
  const result = Buffer.alloc(largest);
  durable.copy(result);
  let end = durable.length;
  for (const change of changes) {
    if (change.kind === 'write') {
      change.bytes.copy(result, change.offset);
      end = Math.max(end, change.offset + change.bytes.length);
    } else {
      // The part that a file gains after a truncation is empty.
      if (change.size < end) result.fill(0, change.size, end);
      end = change.size;
    }
  }
  return result.subarray(0, size);
}
