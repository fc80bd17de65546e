/**
 * Tracks if committed data is in the replica too (contract section 26). Waiting groups share one sync. A
 * sync that has begun may have read the log already, so a later group waits for the next one.
 */
import { type Clock, type EpochMs, type RealTime, SECOND_MS, type Timer, waited } from '../clock.ts';
import type { Replication } from '../db/replication.ts';
import { DomainError } from '../errors.ts';
import type { Synced } from './socket.ts';

export type ReplicaMode = 'nunca' | 'sempre';

export interface ReplicaOptions {
  readonly sync: () => Promise<Synced>;
  /** `sempre`: a write is answered once the replica has it. */
  readonly mode: ReplicaMode;
  /** The answer to a write that the replica does not take. */
  readonly lack: 'recusar' | 'alarme';
  readonly waitMs: number;
  /** Clock of the times that people see. */
  readonly clock: Clock;
  readonly realTime: RealTime;
  /** Called with the reason when the replica falls behind, and with `undefined` when it has caught up. */
  readonly onLack: (reason: string | undefined) => void;
}

export interface ReplicaState {
  readonly ok: boolean;
  readonly lagSeconds: number;
  readonly lastSync: EpochMs | null;
}

/**
 * Interval of the syncs that no write waits for. `LAGGING_SYNC_MS` applies while the replica is behind.
 * Both are real time, because Litestream knows no other.
 */
export const SYNC_MS = 5 * SECOND_MS;
const LAGGING_SYNC_MS = SECOND_MS;

export class Replica implements Replication {
  readonly #sync: () => Promise<Synced>;
  readonly #mode: ReplicaMode;
  readonly #lack: 'recusar' | 'alarme';
  readonly #waitMs: number;
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  readonly #onLack: (reason: string | undefined) => void;
  #current: Promise<Synced> | undefined;
  #next: Promise<Synced> | undefined;
  #currentLack: { readonly reason: string; readonly since: number } | undefined;
  /**
   * Real time since which data may be missing in the replica. `#lastCommit` is the time of the last commit.
   */
  #behindSince: number | undefined;
  #lastCommit = Number.NEGATIVE_INFINITY;
  #lastSync: EpochMs | null = null;
  #isStarted = false;
  #timer: Timer | undefined;
  #stopped = Promise.withResolvers<void>();

  constructor({ sync, mode, lack, waitMs, clock, realTime, onLack }: ReplicaOptions) {
    this.#sync = sync;
    this.#mode = mode;
    this.#lack = lack;
    this.#waitMs = waitMs;
    this.#clock = clock;
    this.#realTime = realTime;
    this.#onLack = onLack;
  }

  /** Starts the periodic syncs. */
  start(): void {
    this.#isStarted = true;
    this.#stopped = Promise.withResolvers();
    void this.#syncAgain();
  }

  stop(): void {
    this.#isStarted = false;
    this.#timer?.cancel();
    this.#stopped.resolve();
  }

  get refusal(): DomainError | undefined {
    return this.#currentLack !== undefined && this.#mode === 'sempre' && this.#lack === 'recusar'
      ? unavailable(
          `As gravações estão suspensas porque a réplica não as recebe (${this.#currentLack.reason}); nada desta requisição foi gravado. Elas voltam sozinhas quando a réplica estiver em dia.`,
        )
      : undefined;
  }

  /** Returns the notice for administrators. `undefined`: the replica is not behind. */
  get notice(): string | undefined {
    if (this.#currentLack === undefined) return undefined;
    const consequence =
      this.#mode === 'sempre' && this.#lack === 'recusar'
        ? 'as gravações são recusadas até que esteja em dia; as consultas continuam'
        : 'o que é gravado está só nesta máquina';
    return `A réplica está atrás: ${this.#currentLack.reason}; ${consequence}. Verifique o Litestream e o destino dele.`;
  }

  state(): ReplicaState {
    const lagMs = this.#behindSince === undefined ? 0 : this.#realTime.now() - this.#behindSince;
    const lagSeconds = Math.floor(lagMs / SECOND_MS);
    return { ok: this.#currentLack === undefined, lagSeconds, lastSync: this.#lastSync };
  }

  committed(): Promise<DomainError | undefined> | undefined {
    this.#lastCommit = this.#realTime.now();
    this.#behindSince ??= this.#lastCommit;
    // With the alarm on, no write waits. The periodic syncs catch up.
    if (this.#mode === 'nunca' || (this.#currentLack !== undefined && this.#lack === 'alarme'))
      return undefined;
    const { promise, resolve } = Promise.withResolvers<DomainError | undefined>();
    const refusal = (reason: string): DomainError | undefined => {
      this.#recordLack(reason);
      return this.#lack === 'alarme' ? undefined : unknown(reason);
    };
    const timeout = this.#realTime.after(this.#waitMs, () =>
      resolve(refusal(`não respondeu em ${this.#waitMs} ms`)),
    );
    void this.#nextSync().then((synced) => {
      timeout.cancel();
      resolve(synced.ok ? undefined : refusal(synced.message));
    });
    return promise;
  }

  /**
   * Resolves to true once the replica holds this commit or need not hold it, to false if this object stops
   * first. Returns `undefined` when it holds everything or no wait is needed.
   */
  caughtUp(): Promise<boolean> | undefined {
    return this.#mode === 'nunca' || this.#behindSince === undefined ? undefined : this.#catchUp();
  }

  async #catchUp(): Promise<boolean> {
    for (;;) {
      if (this.#currentLack !== undefined && this.#lack === 'alarme') return true;
      if (!this.#isStarted) return false;
      const { ok } = await this.#nextSync();
      if (ok) return true;
      await waited(this.#realTime, LAGGING_SYNC_MS, this.#stopped.promise);
    }
  }

  /** Starts a sync that begins after this call. */
  #nextSync(): Promise<Synced> {
    if (this.#current === undefined) return this.#begin();
    return (this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      return this.#begin();
    }));
  }

  #begin(): Promise<Synced> {
    const startedAt = this.#realTime.now();
    this.#current = this.#sync().then((synced) => {
      this.#current = undefined;
      if (!synced.ok) this.#recordLack(synced.message);
      else this.#recordSync(startedAt);
      return synced;
    });
    return this.#current;
  }

  #recordSync(begun: number): void {
    this.#lastSync = this.#clock.now();
    this.#behindSince = this.#lastCommit > begun ? begun : undefined;
    if (this.#currentLack !== undefined && this.#currentLack.since <= begun) {
      this.#currentLack = undefined;
      this.#onLack(undefined);
    }
  }

  #recordLack(reason: string): void {
    const isNew = this.#currentLack === undefined;
    this.#currentLack = { reason, since: this.#realTime.now() };
    if (isNew) this.#onLack(reason);
    this.#syncAfter(LAGGING_SYNC_MS);
  }

  async #syncAgain(): Promise<void> {
    const { ok } = await this.#nextSync();
    this.#syncAfter(ok ? SYNC_MS : LAGGING_SYNC_MS);
  }

  #syncAfter(ms: number): void {
    this.#timer?.cancel();
    if (!this.#isStarted) return;
    this.#timer = this.#realTime.after(ms, () => void this.#syncAgain());
  }
}

const unavailable = (message: string): DomainError => new DomainError('unavailable', message);

const unknown = (reason: string): DomainError =>
  unavailable(
    `Esta requisição foi gravada nesta máquina, e não se sabe se está na réplica (${reason}). As gravações seguintes estão suspensas até que ela esteja em dia; consulte antes de repetir.`,
  );
