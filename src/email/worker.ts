/**
 * Sends the due messages, one after the other. It wakes after a commit that queued a message, at the next due time,
 * and after commits of other processes. A message whose outcome was not recorded is sent again.
 */
import type { Clock, EpochMs, RealTime, Timer } from '../clock.ts';
import { SECOND_MS, waited } from '../clock.ts';
import type { Feed } from '../db/feed.ts';
import type { Writer } from '../db/writer.ts';
import { WorkLoop } from '../jobs/work-loop.ts';
import type { Logger } from '../log/log.ts';
import { faultOf } from '../log/log.ts';
import { RETRY_TIME_MS, LONGEST_DELAY_MS, type Outcome, delayAfter } from './model.ts';
import type { Letter } from './sender.ts';
import type { EmailStore, StoredEmail } from './store.ts';

export interface EmailWorkerDependencies {
  readonly store: EmailStore;
  readonly writer: Writer;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly realTime: RealTime;
  readonly log: Logger;
  readonly send: (letter: Letter, stopping: AbortSignal) => Promise<Outcome | undefined>;
  /** Opens a message. Throws when it was sealed with another key. */
  readonly compose: (storedEmail: StoredEmail, now: EpochMs) => Letter;
  /** Resolves to true once the replica holds the commits, to false when the process stops first. */
  readonly waitForReplica: () => Promise<boolean> | undefined;
}

/** Interval, in real time, at which an idle server looks for commits of other processes. */
const LOOK_EVERY_MS = 2 * SECOND_MS;

export class EmailWorker extends WorkLoop {
  readonly #store: EmailStore;
  readonly #writer: Writer;
  readonly #feed: Feed;
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  readonly #log: Logger;
  readonly #send: (letter: Letter, stopping: AbortSignal) => Promise<Outcome | undefined>;
  readonly #compose: (storedEmail: StoredEmail, now: EpochMs) => Letter;
  readonly #waitForReplica: () => Promise<boolean> | undefined;
  /** Outcomes that could not be written: this process does not send their messages again. */
  readonly #unrecorded = new Map<number, Outcome>();
  #stopping = new AbortController();
  #lookTimer: Timer | undefined;
  #endFeed: (() => void) | undefined;

  constructor({
    store,
    writer,
    feed,
    clock,
    realTime,
    log,
    send,
    compose,
    waitForReplica,
  }: EmailWorkerDependencies) {
    super((error) => log.error('Os e-mails não puderam ser enviados: {error}', { error: faultOf(error) }));
    this.#store = store;
    this.#writer = writer;
    this.#feed = feed;
    this.#clock = clock;
    this.#realTime = realTime;
    this.#log = log;
    this.#send = send;
    this.#compose = compose;
    this.#waitForReplica = waitForReplica;
    feed.onReplaced(() => this.#unrecorded.clear());
  }

  override start(): void {
    this.#stopping = new AbortController();
    this.#endFeed ??= this.#feed.onOthers(() => this.wake());
    this.#scheduleLook();
    super.start();
  }

  /** Stops the loop. The message under way has `graceMs` to be sent. */
  async stopWithin(graceMs: number): Promise<void> {
    this.#lookTimer?.cancel();
    this.#endFeed?.();
    this.#endFeed = undefined;
    const stopped = super.stop();
    await waited(this.#realTime, graceMs, stopped);
    this.#stopping.abort();
    await stopped;
  }

  nextDueAt(): EpochMs | undefined {
    return this.#store.nextDueAt();
  }

  /** Sends the due messages. Resolves when no more are due. */
  async runDue(): Promise<void> {
    this.wake();
    await this.idle();
  }

  protected override async pass(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const due = this.#store.listDue(now, now + LONGEST_DELAY_MS);
      if (due.length === 0 || this.isStopping) break;
      if ((await this.#waitForReplica()) === false) return;
      if (!(await this.#sendAll(due))) return;
    }
    const next = this.#store.nextDueAt();
    if (next !== undefined) this.wakeAt(this.#clock, next);
  }

  /** Returns false when the loop stops. */
  async #sendAll(due: readonly StoredEmail[]): Promise<boolean> {
    for (const [index, storedEmail] of due.entries()) {
      if (this.isStopping) return false;
      const outcome = this.#unrecorded.get(storedEmail.id) ?? (await this.#sendOne(storedEmail));
      if (outcome === 'stopping') return false;
      if (outcome === 'dropped') continue;
      // A server that is away would refuse the others too: they all wait for the next attempt.
      const emails = outcome.kind === 'away' ? due.slice(index) : [storedEmail];
      await this.#record(emails, outcome);
      if (outcome.kind === 'away') return true;
    }
    return true;
  }

  async #sendOne(storedEmail: StoredEmail): Promise<Outcome | 'stopping' | 'dropped'> {
    if (!this.#store.isWanted(storedEmail.id)) {
      await this.#writer.write((tx) => this.#store.drop(storedEmail.id, tx.now));
      return 'dropped';
    }
    let letter: Letter;
    try {
      letter = this.#compose(storedEmail, this.#clock.now());
    } catch (error) {
      this.#log.error('Um e-mail não pôde ser montado: {error}', { error: faultOf(error) });
      return { kind: 'refused', reason: 'a mensagem não pôde ser aberta com as chaves desta pasta' };
    }
    return (await this.#send(letter, this.#stopping.signal)) ?? 'stopping';
  }

  async #record(emails: readonly StoredEmail[], outcome: Outcome): Promise<void> {
    for (const { id } of emails) this.#unrecorded.set(id, outcome);
    const givenUp = await this.#writer.write(({ now }) =>
      emails.filter((storedEmail) => {
        const { id } = storedEmail;
        if (outcome.kind === 'sent') this.#store.markSent(id, now);
        if (outcome.kind === 'sent') return false;
        const { reason } = outcome;
        const isOver = now - (storedEmail.firstAttemptAt ?? now) >= RETRY_TIME_MS;
        if (outcome.kind === 'refused' || isOver) this.#store.markFailed({ id, now, reason });
        else this.#store.putOff({ id, now, reason }, now + delayAfter(storedEmail.attempts + 1));
        return outcome.kind === 'refused' || isOver;
      }),
    );
    for (const { id } of emails) this.#unrecorded.delete(id);
    if (outcome.kind !== 'sent')
      this.#log.warning(
        '{count} e-mail(s) não puderam ser enviados, e {givenUp} foram dados por perdidos: {reason}.',
        {
          count: emails.length,
          givenUp: givenUp.length,
          reason: outcome.reason,
        },
      );
  }

  #scheduleLook(): void {
    this.#lookTimer = this.#realTime.after(LOOK_EVERY_MS, () => {
      this.#feed.checkNow();
      // Also finds messages that are late because of a refused write or a clock that was put back.
      this.wake();
      this.#scheduleLook();
    });
  }
}
