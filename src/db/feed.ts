/**
 * The feed of committed changes, of this process or of another one (a command that runs during a server).
 * Each cache of database content subscribes to the changes that invalidate it. No other code polls SQLite.
 *
 * | cache                                                 | invalidated by                                   |
 * |-------------------------------------------------------|--------------------------------------------------|
 * | rights of a caller (session/registry)                 | `accounts`                                       |
 * | activations of tables (activation/in-force)           | `activations`                                    |
 * | NCMs and comparisons of tables                        | only `replaced`: a stored table never changes    |
 * | (activation/prepared-tables, serving/history)         |                                                  |
 * | hourly accesses, last sign-ins (session)              | only `replaced`: a restart clears them too       |
 * | waiting deliveries (work/worker)                      | commits of others, `replaced`, own commits       |
 * | writes of others (import/direct)                      | commits of others                                |
 * | queued imports, comparisons and runs (their runners)  | commits of others, own commits                   |
 *
 * A commit of another process may contain any change: it invalidates everything that is not immutable.
 */
import type { Db } from './open.ts';

/** The kinds of cached content that a unit of work may change. A new product changes none of them. */
export type CachedContent = 'accounts' | 'activations';

export class Feed {
  /** SQLite's count of the commits of other connections. */
  readonly #dataVersion;
  readonly #invalidations: { readonly kind: CachedContent | undefined; readonly work: () => void }[] = [];
  readonly #foreignCommitListeners = new Set<() => void>();
  /** Content that a unit of the open transaction changes. */
  readonly #uncommitted = new Set<CachedContent>();
  #seenVersion: number | undefined;
  #hasLooked = false;
  readonly #endTurn = (): void => void (this.#hasLooked = false);

  constructor(db: Db) {
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** Calls `forget` when cached content of that kind may have changed. */
  subscribe(kind: CachedContent, forget: () => void): void {
    this.#invalidations.push({ kind, work: forget });
  }

  /** Calls `forget` when all rows were replaced, for caches that no other change invalidates. */
  onReplaced(forget: () => void): void {
    this.#invalidations.push({ kind: undefined, work: forget });
  }

  /**
   * Calls `listener` after commits of other processes, at the latest with the next `checkForChanges`. Returns a function
   * that stops the calls.
   */
  onOthers(listener: () => void): () => void {
    this.#foreignCommitListeners.add(listener);
    return () => void this.#foreignCommitListeners.delete(listener);
  }

  /** Detects commits of other processes, once per turn of the event loop. Call it before any use of a cache. */
  checkForChanges(): void {
    if (!this.#hasLooked) this.checkNow();
  }

  /**
   * Detects commits of other processes without the limit of `checkForChanges`: for the writer once no other
   * process can write, and for periodic checks.
   */
  checkNow(): void {
    this.#uncommitted.clear();
    if (!this.#hasLooked) setImmediate(this.#endTurn);
    this.#hasLooked = true;
    const version = this.#dataVersion.get();
    if (version === this.#seenVersion) return;
    const isFirst = this.#seenVersion === undefined;
    this.#seenVersion = version;
    for (const { kind, work } of this.#invalidations) if (kind !== undefined) work();
    if (!isFirst) for (const listener of this.#foreignCommitListeners) listener();
  }

  /** Records that the current unit of work changes content of that kind. */
  changing(kind: CachedContent): void {
    this.#uncommitted.add(kind);
  }

  /** Returns true when later units of the same group must read that content from the database. */
  isChanging(kind: CachedContent): boolean {
    return this.#uncommitted.has(kind);
  }

  /**
   * Invalidates the caches of that kind. Call it after the commit of a unit of work that changed such
   * content.
   */
  changed(changed: CachedContent): void {
    this.#uncommitted.delete(changed);
    for (const { kind, work } of this.#invalidations) if (kind === changed) work();
  }

  /** Invalidates all caches. Call it after all rows have been replaced. */
  replaced(): void {
    for (const { work } of this.#invalidations) work();
  }
}
