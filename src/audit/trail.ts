/**
 * Stores the changes of a transaction: one page for all of them, chained to the previous one (contract
 * section 16).
 */
import { type Change, nameOf } from '../change.ts';
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
import { type OuterSealState, OuterSeal } from './outer-seal.ts';
import { NO_HASH, auditKey, hashOf, isSame, sealOf } from './seal.ts';
import { AuditStore, type End } from './store.ts';

const BEGINNING: End = { firstSeq: 0, lastSeq: 0, hash: NO_HASH, brokenAt: null, seal: null, sealed: null };

export class AuditTrail {
  readonly #store: AuditStore;
  readonly #marks: FolderMarks;
  readonly #key: Uint8Array;
  readonly #keyMark: KeyMark;
  readonly #outer: OuterSeal;
  readonly #onPageAdded: () => void;
  #isMarked = false;
  /** The end as this process wrote it. `undefined`: another process may have written since. */
  #end: End | undefined;
  /** The last entry that the outer seal is known to cover. */
  #sealed: number | null = null;
  #fault: Fault | undefined;

  /** Calls `onPageAdded` for each page that is on stable storage and not yet covered by the outer seal. */
  constructor(
    db: Db,
    feed: Pick<Feed, 'onOthers' | 'onReplaced'>,
    folder: Pick<DataFolder, 'path' | 'keys'>,
    onPageAdded: () => void = () => undefined,
  ) {
    this.#store = new AuditStore(db);
    this.#marks = new FolderMarks(db);
    this.#key = auditKey(folder.keys);
    this.#keyMark = new KeyMark(db, folder.keys);
    this.#outer = new OuterSeal(folder.path, this.#key);
    this.#onPageAdded = onPageAdded;
    const forget = (): void => {
      this.#end = undefined;
      this.#isMarked = false;
    };
    feed.onOthers(forget);
    // A development instance that returns to an older state also returns to its trail.
    feed.onReplaced(() => {
      forget();
      this.#fault = undefined;
      this.#put(this.#store.findEnd() ?? BEGINNING);
    });
  }

  /** The fault that its end shows or that a complete check has reported. */
  get fault(): Fault | undefined {
    return this.#fault;
  }

  /** Writes the page, as the last write of a transaction. */
  addPage(changes: readonly Change[], tx: Transaction): void {
    const last = this.#end ?? this.#readEnd();
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
    if (!this.#isMarked && page.brokenAt === null && !this.#keyMark.exists) this.#keyMark.put();
    tx.afterCommit(() => {
      this.#end = sealed;
      this.#isMarked = true;
      this.#onPageAdded();
    });
  }

  /**
   * Checks the end, in a transaction. Records its fault in the trail, or the reported fault `found`, unless
   * the trail has it already.
   */
  inspect(tx: Transaction, found?: Fault): void {
    const end = this.#end ?? this.#readEnd();
    this.#fault ??= found;
    if (this.#fault === undefined || end.brokenAt !== null) return;
    const { seq, message } = this.#fault;
    tx.record({
      by: SYSTEM,
      action: 'FALHA',
      kind: 'trilha',
      key: String(seq),
      before: null,
      after: { message },
    });
  }

  /** Writes the outer seal, in a transaction. Never seals an end that this instance did not write. */
  seal(tx: Transaction): void {
    const end = this.#end ?? this.#readEnd();
    if (this.#fault !== undefined && end.brokenAt === null) return;
    const isFirst = this.#isFresh(end);
    this.#put(end);
    if (isFirst) this.#marks.put(SEALED_OUTSIDE, 'true');
    tx.afterCommit(() => (this.#end = end));
  }

  /** Returns true when the outer seal must be created: it is missing, or of another folder. */
  get isFresh(): boolean {
    return this.#isFresh(this.#store.findEnd() ?? BEGINNING);
  }

  /** Returns true when the outer seal covers all that this process wrote. */
  get isSealed(): boolean {
    return this.#end === undefined || this.#end.lastSeq === this.#sealed;
  }

  /** Seals the end again, for a folder whose keys were lost. The record of its fault stays. */
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

  /**
   * Reads the end. If another program wrote the end, the trail continues after it, because work must go on,
   * but the outer seal never confirms it.
   */
  #readEnd(): End {
    const end = this.#store.findEnd() ?? BEGINNING;
    const outer = this.#outerFor(end);
    this.#sealed = typeof outer === 'object' ? outer.seq : end.sealed;
    this.#fault = this.#faultOf(end, outer);
    if (this.#fault !== undefined) this.#sealed = end.sealed;
    return end;
  }

  #faultOf(end: End, outer: OuterSealState | undefined): Fault | undefined {
    if (end.brokenAt !== null) return faultOfBreak(end.brokenAt);
    if (end.lastSeq > 0 && !isSame(sealOf(this.#key, end.hash), end.seal))
      return faultOfBreak(end.lastSeq + 1);
    return outer && faultOfOuter(outer, end, this.#store);
  }

  /** Reads the outer seal. Ignores a read error: the next write of a seal reports it. */
  #findOuter(): OuterSealState | undefined {
    try {
      return this.#outer.find();
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /**
   * Returns the outer seal when one must exist. For a restored folder, only a seal of the previous trail of
   * the folder.
   */
  #outerFor(end: End): OuterSealState | undefined {
    if (!this.#isFresh(end)) return this.#findOuter();
    const outerFault = this.#isRestored ? this.#findOuter() : undefined;
    return isOfAnotherTrail(outerFault, end) ? outerFault : undefined;
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
  return nameOf(by) === COMMAND_LINE ? 'cli' : 'api';
};
