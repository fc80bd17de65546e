/** Keeps what a transaction changed: one page for all of it, chained to the one before (contract section 16). */
import type { Change } from '../change.ts';
import type { Feed } from '../db/feed.ts';
import { FolderMarks, RESTORED_FROM, SEALED_OUTSIDE } from '../db/folder-mark.ts';
import type { DataFolder } from '../db/folder.ts';
import { KeyMark } from '../db/key-mark.ts';
import type { Db } from '../db/open.ts';
import type { Transaction } from '../db/writer.ts';
import { COMMAND_LINE, SYSTEM } from '../session/model.ts';
import { systemCode } from '../system/errors.ts';
import { encode } from './encoding.ts';
import { type Fault, faultOfBreak, faultOfOuter, isOfAnotherTrail } from './fault.ts';
import type { Channel } from './model.ts';
import { type OuterFound, OuterSeal } from './outer-seal.ts';
import { NO_HASH, auditKey, hashOf, isSame, sealOf } from './seal.ts';
import { AuditStore, type End } from './store.ts';

const BEGINNING: End = { firstSeq: 0, lastSeq: 0, hash: NO_HASH, brokenAt: null, seal: null, sealed: null };

export interface TrailParts {
  readonly db: Db;
  readonly feed: Pick<Feed, 'onOthers' | 'onReplaced'>;
  readonly folder: Pick<DataFolder, 'path' | 'keys'>;
  /** Told of each page that is on stable storage, and not yet under the seal outside. */
  readonly onGrown?: () => void;
}

export class AuditTrail {
  readonly #store: AuditStore;
  readonly #marks: FolderMarks;
  readonly #key: Uint8Array;
  readonly #keyMark: KeyMark;
  readonly #outer: OuterSeal;
  readonly #onGrown: () => void;
  #isMarked = false;
  /** As we left it; `undefined` once anybody else may have written. */
  #end: End | undefined;
  /** How far the seal outside is known to have come. */
  #sealed: number | null = null;
  #fault: Fault | undefined;

  constructor({ db, feed, folder, onGrown = () => undefined }: TrailParts) {
    this.#store = new AuditStore(db);
    this.#marks = new FolderMarks(db);
    this.#key = auditKey(folder.keys);
    this.#keyMark = new KeyMark(db, folder.keys);
    this.#outer = new OuterSeal(folder.path, this.#key);
    this.#onGrown = onGrown;
    const forget = (): void => {
      this.#end = undefined;
      this.#isMarked = false;
    };
    feed.onOthers(forget);
    // A development instance that goes back to an older state: its trail goes back too.
    feed.onReplaced(() => {
      forget();
      this.#fault = undefined;
      this.#put(this.#store.findEnd() ?? BEGINNING);
    });
  }

  /** Why it is not sound, as far as its end tells or somebody who read it all has found. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** The last thing that a transaction writes. */
  close(changes: readonly Change[], tx: Transaction): void {
    const last = this.#end ?? this.#found();
    const page = {
      firstSeq: last.lastSeq + 1,
      lastSeq: last.lastSeq + changes.length,
      at: tx.now,
      entries: encode(changes, channelOf),
      brokenAt: last.brokenAt ?? this.#fault?.seq ?? null,
      sealed: this.#sealed,
    };
    const hash = hashOf(last.hash, page);
    const sealed = { ...page, hash, seal: sealOf(this.#key, hash) };
    this.#store.add(sealed);
    if (last.seal !== null) this.#store.putSeal(last.firstSeq, null);
    if (!this.#isMarked && page.brokenAt === null && !this.#keyMark.isThere) this.#keyMark.put();
    tx.afterCommit(() => {
      this.#end = sealed;
      this.#isMarked = true;
      this.#onGrown();
    });
  }

  /** Looks at the end, in a transaction; notes in the trail what is wrong with it, or was `found` by others, unless it says so already. */
  inspect(tx: Transaction, found?: Fault): void {
    const end = this.#end ?? this.#found();
    this.#fault ??= found;
    if (this.#fault === undefined || end.brokenAt !== null) return;
    tx.record({ by: SYSTEM, action: 'FALHA', kind: 'trilha', key: String(this.#fault.seq) });
  }

  /** Puts the seal outside, in a transaction; never on an end that is not ours. */
  seal(tx: Transaction): void {
    const end = this.#end ?? this.#found();
    if (this.#fault !== undefined && end.brokenAt === null) return;
    const isFirst = this.#isFresh(end);
    this.#put(end);
    if (isFirst) this.#marks.put(SEALED_OUTSIDE, 'true');
    tx.afterCommit(() => (this.#end = end));
  }

  /** Whether the seal outside is to be made: none was there yet, or not of this folder. */
  get isFresh(): boolean {
    return this.#isFresh(this.#store.findEnd() ?? BEGINNING);
  }

  /** Whether the seal outside covers all that we wrote. */
  get isSealed(): boolean {
    return this.#end === undefined || this.#end.lastSeq === this.#sealed;
  }

  /** Seals the end anew, for a folder whose keys were lost; what was wrong with it stays said. */
  reseal(fault: Fault | undefined): void {
    const end = this.#store.findEnd() ?? BEGINNING;
    this.#keyMark.put();
    this.#fault = fault;
    this.#sealed = end.sealed;
    this.#end = end;
    if (fault !== undefined) return;
    this.#end = { ...end, seal: sealOf(this.#key, end.hash) };
    this.#store.putSeal(end.firstSeq, this.#end.seal);
    this.#put(end);
    this.#marks.put(SEALED_OUTSIDE, 'true');
  }

  /** What is not ours is gone on from, since work must go on; but our seal never makes it good. */
  #found(): End {
    const end = this.#store.findEnd() ?? BEGINNING;
    const outer = this.#outerFor(end);
    this.#sealed = typeof outer === 'object' ? outer.seq : end.sealed;
    this.#fault = this.#faultOf(end, outer);
    if (this.#fault !== undefined) this.#sealed = end.sealed;
    return end;
  }

  #faultOf(end: End, outer: OuterFound | undefined): Fault | undefined {
    if (end.brokenAt !== null) return faultOfBreak(end.brokenAt);
    if (end.lastSeq > 0 && !isSame(sealOf(this.#key, end.hash), end.seal))
      return faultOfBreak(end.lastSeq + 1);
    return outer && faultOfOuter(outer, end, this.#store);
  }

  /** What the disk does not let us read tells nothing: whoever puts the next one meets it. */
  #findOuter(): OuterFound | undefined {
    try {
      return this.#outer.find();
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /** The seal outside, where there is to be one; of a restored folder only one of the trail that was here before. */
  #outerFor(end: End): OuterFound | undefined {
    if (!this.#isFresh(end)) return this.#findOuter();
    const found = this.#isRestored ? this.#findOuter() : undefined;
    return isOfAnotherTrail(found, end) ? found : undefined;
  }

  #isFresh({ sealed }: End): boolean {
    if (this.#isRestored) return true;
    return sealed === null && this.#marks.find(SEALED_OUTSIDE) === undefined;
  }

  get #isRestored(): boolean {
    return this.#marks.find(RESTORED_FROM) !== undefined;
  }

  #put(end: End): void {
    this.#outer.put(end);
    this.#sealed = end.lastSeq;
  }
}

const channelOf = ({ by, channel }: Change): Channel => {
  if (channel !== undefined) return channel;
  if (by === SYSTEM) return 'system';
  return by === COMMAND_LINE ? 'cli' : 'api';
};
