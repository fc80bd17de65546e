/** The two sides with their clocks, the proxy between them, and the planned kills. */
import { SECOND_MS } from '../../../src/clock.ts';
import { endOfDowntime } from '../../../src/remote/wire/governor.ts';
import type { Random } from '../random.ts';
import { Faults, STOP, nextBoundary } from './faults.ts';
import { ClientLimits } from './client-limits.ts';
import { COMPANY, Side } from './sides.ts';
import { type Passage, type Phase, RecordingProxy } from './recording-proxy.ts';

/** An ordinary Thursday, 09:00 in Brasília, outside of any daylight saving time. */
const START = Date.parse('2026-01-15T12:00:00Z');
/** The hourly limit per operation on the remote: fewer than a round sends. */
const HOURLY_LIMIT = 12;
/** Step by which the clocks advance while a request is under way. */
const STEP_MS = 5 * SECOND_MS;
/**
 * Longest step of the clocks, shorter than any timeout: a request sent during a step has not waited for long.
 */
const LONGEST_STEP_MS = 20 * SECOND_MS;
/** Real time without traffic. */
const QUIET_MS = { underWay: 10, idle: 40, underWayCalm: 250 } as const;
const TURN_MS = 2;
/**
 * A minute minus some steps: a client that waited longer may have closed its connection before the answer.
 */
const ANSWER_READ_MS = 50 * SECOND_MS;
const OVER_WITHIN_MS = 120_000;

export interface Kill {
  readonly who: 'here' | 'there';
  /** The request at which it happens, counted by the proxy. */
  readonly at: number;
  readonly phase: Phase;
}

export interface WorldParts {
  readonly folder: string;
  readonly executable: string | undefined;
  readonly random: Random;
  /** The client knows the remote's stop beforehand. */
  readonly knowsStop: boolean;
  /** The remote itself prevents a duplicate product. */
  readonly refusesTwins: boolean;
  /** The client is the control, not the executable. */
  readonly isControl: boolean;
}

/** The state of the awaited work: `over`, or the time at which it continues. */
export type Look<T> = { readonly over: T } | { readonly restsUntil: number | null };

export class World {
  readonly here: Side;
  readonly there: Side;
  readonly witness: RecordingProxy;
  readonly clientLimits = new ClientLimits();
  readonly faults: Faults;
  readonly figures = { kills: 0, rests: 0 };
  now = START;
  /** Faults are drawn, and the clocks run fast. */
  isRough = false;
  /** The previous time of the clocks while they are moved, except for a long jump. */
  #since = START;
  /** A request whose client was killed. */
  #orphan: number | undefined;
  readonly #parts: WorldParts;
  #kills: Kill[] = [];
  #due: { readonly kill: Kill; readonly n: number; readonly done: () => void } | undefined;
  #step = STEP_MS;

  constructor(parts: WorldParts) {
    const { folder, executable } = parts;
    this.#parts = parts;
    this.here = new Side({ folder, name: 'aqui', executable, flags: [] });
    const limits = ['--perfil', 'portal', '--set', `limiteHorario=${HOURLY_LIMIT}`];
    if (!parts.refusesTwins) limits.push('--set', 'produto.recusarIdentico=false');
    this.there = new Side({ folder, name: 'la', executable, flags: limits });
    this.faults = new Faults(this.there, parts.random);
    this.witness = new RecordingProxy({
      now: () => ({ at: this.now, since: this.#since }),
      portThere: () => this.there.port,
      meet: (passage, phase) => this.#meet(passage, phase),
      onRequest: (passage) => this.clientLimits.checkRequest(passage),
      onAnswered: (passage, answer) => {
        if (this.now - passage.at < ANSWER_READ_MS && passage.n !== this.#orphan)
          this.clientLimits.readAnswer(passage, answer);
      },
    });
  }

  async open(): Promise<void> {
    await Promise.all([this.here.start(this.now), this.there.start(this.now)]);
    await this.witness.open();
    const way = { url: this.witness.url, clientId: 'demo', clientSecret: 'demo' };
    const downtime = this.#parts.knowsStop ? STOP : null;
    await this.here.done('admin', 'POST', '/appliance/api/remotes', {
      name: 'la',
      companies: [COMPANY],
      downtime,
      ...way,
    });
  }

  async close(): Promise<void> {
    await this.witness.close();
    await this.here.stop();
    await this.there.stop();
  }

  /** Enables faults for future requests, and the planned kills. */
  async roughen(share: number, kills: readonly Kill[]): Promise<void> {
    this.isRough = true;
    this.#kills = kills.map((kill) => ({ ...kill, at: kill.at + this.witness.passages.length }));
    await this.faults.draw(share, this.now);
  }

  /** Disables faults, and waits for delayed requests. */
  async calm(longestMs: number): Promise<void> {
    this.isRough = false;
    this.#kills = [];
    if (this.#due !== undefined) await this.#die();
    await this.faults.clear();
    await Bun.sleep(longestMs);
  }

  /**
   * Moves both clocks; the remote first, so that a change unseen on the remote at a time was made after it.
   */
  async moveTo(target: number): Promise<void> {
    while (this.now < target) {
      const wasIn = endOfDowntime(STOP, this.now) !== undefined;
      const before = this.now;
      this.now = Math.min(target, nextBoundary(this.now));
      this.#since = Math.max(before, this.now - LONGEST_STEP_MS);
      const stop = endOfDowntime(STOP, this.now);
      if (this.#parts.knowsStop && stop !== undefined && !wasIn) this.clientLimits.startStop(stop);
      const move = { set: new Date(this.now).toISOString() };
      await this.there.done('admin', 'POST', '/appliance/api/clock', move);
      if (this.isRough) await this.faults.moved(this.now);
      await this.here.done('admin', 'POST', '/appliance/api/clock', move);
      this.#since = this.now;
    }
  }

  /** Advances time until `look` returns `over`; `meanwhile` may act at each turn. */
  async until<T>(look: () => Promise<Look<T>>, meanwhile?: () => Promise<void>): Promise<T> {
    const began = performance.now();
    for (;;) {
      if (this.#due !== undefined) await this.#die();
      const state = await look();
      if ('over' in state) return state.over;
      if (performance.now() - began > OVER_WITHIN_MS) throw new Error('não terminou em dois minutos');
      if (meanwhile !== undefined) await meanwhile();
      if (state.restsUntil !== null && state.restsUntil > this.now) {
        this.figures.rests += 1;
        await this.moveTo(state.restsUntil);
      } else await this.#pass();
    }
  }

  async #pass(): Promise<void> {
    const quiet = performance.now() - this.witness.movedAt;
    if (this.witness.underWay > 0) {
      this.#step = STEP_MS;
      if (quiet > (this.isRough ? QUIET_MS.underWay : QUIET_MS.underWayCalm))
        await this.moveTo(this.now + STEP_MS);
    } else if (quiet > QUIET_MS.idle) {
      await this.moveTo(this.now + this.#step);
      this.#step = Math.min(this.#step * 2, LONGEST_STEP_MS);
    }
    await Bun.sleep(TURN_MS);
  }

  #meet({ n }: Passage, phase: Phase): Promise<boolean> {
    const [kill] = this.#kills;
    if (kill === undefined || this.#due !== undefined || n < kill.at || phase !== kill.phase)
      return Promise.resolve(true);
    this.#kills.shift();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // A forwarded request continues without its client; an answer without a client does not.
    const done = (): void => resolve(kill.who === 'here' && phase === 'requested');
    this.#due = { kill, n, done };
    return promise;
  }

  async #die(): Promise<void> {
    const due = this.#due;
    if (due === undefined) return;
    this.figures.kills += 1;
    if (due.kill.who === 'here') {
      if (!this.#parts.isControl) this.clientLimits.recordKill();
      await this.here.kill9();
      this.#orphan = due.n;
      due.done();
      await this.here.start(this.now);
    } else {
      await this.faults.count();
      await this.witness.close();
      await this.there.kill9();
      due.done();
      await this.there.start(this.now);
      this.faults.gone();
      await this.witness.open();
      if (this.isRough) await this.faults.draw(SHARE_AFTER_KILL, this.now);
    }
    this.#due = undefined;
  }
}

const SHARE_AFTER_KILL = 0.2;
