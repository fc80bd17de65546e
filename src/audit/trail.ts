/** Keeps what a transaction changed: one page for all of it, chained to the one before (contract section 16). */
import type { Change } from '../change.ts';
import type { Keys } from '../db/folder.ts';
import { KeyMark } from '../db/key-mark.ts';
import type { Feed } from '../db/feed.ts';
import type { Db } from '../db/open.ts';
import type { Transaction } from '../db/writer.ts';
import { COMMAND_LINE, SYSTEM } from '../session/model.ts';
import { encode } from './encoding.ts';
import type { Channel } from './model.ts';
import { NO_HASH, auditKey, hashOf, isSame, sealOf } from './seal.ts';
import { AuditStore, type End } from './store.ts';

const BEGINNING: End = { firstSeq: 0, lastSeq: 0, hash: NO_HASH, brokenAt: null, seal: null };

export class AuditTrail {
  readonly #store: AuditStore;
  readonly #key: Uint8Array;
  readonly #mark: KeyMark;
  #isMarked = false;
  /** As we left it; `undefined` once anybody else may have written. */
  #end: End | undefined;

  constructor(db: Db, feed: Pick<Feed, 'onOthers' | 'onReplaced'>, keys: Keys) {
    this.#store = new AuditStore(db);
    this.#key = auditKey(keys);
    this.#mark = new KeyMark(db, keys);
    const forget = (): void => {
      this.#end = undefined;
      this.#isMarked = false;
    };
    feed.onOthers(forget);
    feed.onReplaced(forget);
  }

  /** The last thing that a transaction writes. */
  close(changes: readonly Change[], tx: Transaction): void {
    const last = this.#end ?? this.#soundEnd();
    const page = {
      firstSeq: last.lastSeq + 1,
      lastSeq: last.lastSeq + changes.length,
      at: tx.now,
      entries: encode(changes, channelOf),
      brokenAt: last.brokenAt,
    };
    const hash = hashOf(last.hash, page);
    const sealed = { ...page, hash, seal: sealOf(this.#key, hash) };
    this.#store.add(sealed);
    if (last.seal !== null) this.#store.putSeal(last.firstSeq, null);
    if (!this.#isMarked && last.brokenAt === null && !this.#mark.isThere) this.#mark.put();
    tx.afterCommit(() => {
      this.#end = sealed;
      this.#isMarked = true;
    });
  }

  /** Seals the end anew, for a folder whose keys were lost; its pages have been found whole, or not. */
  reseal(isWhole: boolean): void {
    const end = this.#store.findEnd();
    if (end !== undefined && isWhole) this.#store.putSeal(end.firstSeq, sealOf(this.#key, end.hash));
    this.#mark.put();
  }

  /** What is not ours is gone on from, since work must go on; but our seal never makes it good. */
  #soundEnd(): End {
    const end = this.#store.findEnd();
    if (end === undefined) return BEGINNING;
    if (isSame(sealOf(this.#key, end.hash), end.seal)) return end;
    return { ...end, brokenAt: end.brokenAt ?? end.lastSeq + 1 };
  }
}

const channelOf = ({ by, channel }: Change): Channel => {
  if (channel !== undefined) return channel;
  if (by === SYSTEM) return 'system';
  return by === COMMAND_LINE ? 'cli' : 'api';
};
