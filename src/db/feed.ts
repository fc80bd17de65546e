/**
 * The one feed of changes: what was committed, by this process or by another one (the command line beside a server).
 * Whoever remembers something of the database subscribes to what makes it stale; nobody else asks SQLite whether
 * anything happened.
 *
 * | remembered                                      | stale with                                              |
 * |-------------------------------------------------|---------------------------------------------------------|
 * | what a caller may do (session/registry)         | `accounts`                                              |
 * | activations of tables (activation/in-force)      | `activations`                                           |
 * | NCMs and comparisons of tables (activation/prepared-tables, serving/history) | nothing but `replaced`: a stored table never changes |
 * | hourly accesses, last sign-ins (session)          | nothing but `replaced`: a restart forgets them too       |
 * | which deliveries wait (work/worker)         | what others commit, `replaced`; of our own commits it is told |
 * | whether others write (import/direct)            | what others commit                                      |
 *
 * What another process commits may be anything: it makes everything stale that is not immutable.
 */
import type { Db } from './open.ts';

/** What a unit of work may change that somebody remembers. An inclusion of a product changes none of it. */
export type Remembered = 'accounts' | 'activations';

export class Feed {
  /** SQLite's count of the commits of other connections. */
  readonly #dataVersion;
  readonly #forget: { readonly kind: Remembered | undefined; readonly work: () => void }[] = [];
  readonly #onOthers = new Set<() => void>();
  #seenVersion: number | undefined;
  #hasLooked = false;
  readonly #turnEnds = (): void => void (this.#hasLooked = false);

  constructor(db: Db) {
    this.#dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** Calls `forget` when what is remembered of that kind may be another. */
  subscribe(kind: Remembered, forget: () => void): void {
    this.#forget.push({ kind, work: forget });
  }

  /** Calls `forget` when all rows were replaced under us: for what nothing else makes stale. */
  onReplaced(forget: () => void): void {
    this.#forget.push({ kind: undefined, work: forget });
  }

  /** Calls `listener`, at the latest with the next look, when others have committed. Returns how to end that. */
  onOthers(listener: () => void): () => void {
    this.#onOthers.add(listener);
    return () => void this.#onOthers.delete(listener);
  }

  /** Before anything remembered is used: sees what others have committed, once in a turn of the event loop. */
  look(): void {
    if (!this.#hasLooked) this.lookNow();
  }

  /** The same without regard to the turn: by the writer once nobody else can write, and by who looks every now and then. */
  lookNow(): void {
    if (!this.#hasLooked) setImmediate(this.#turnEnds);
    this.#hasLooked = true;
    const version = this.#dataVersion.get();
    if (version === this.#seenVersion) return;
    const isFirst = this.#seenVersion === undefined;
    this.#seenVersion = version;
    for (const { kind, work } of this.#forget) if (kind !== undefined) work();
    if (!isFirst) for (const listener of this.#onOthers) listener();
  }

  /** To be called once a unit of work that changed something of that kind is committed. */
  changed(changed: Remembered): void {
    for (const { kind, work } of this.#forget) if (kind === changed) work();
  }

  /** To be called once all rows have been replaced. */
  replaced(): void {
    for (const { work } of this.#forget) work();
  }
}
