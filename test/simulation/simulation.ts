/** 45 days of one machine, one network and one operator, all from one seed (issue: notifications that are never lost). */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/clock.ts';
import { compare } from './comparison.ts';
import {
  type Breakage,
  copyTemplate,
  type ProductProcess,
  LOOK_EVERY_MS,
  openProductProcess,
  removeDatabase,
} from './product-process.ts';
import { Jobs } from './jobs.ts';
import { Ledger, Violation } from './ledger.ts';
import type { Machine } from './machine.ts';
import { type Host, scriptHosts, SimulatedSender } from './network.ts';
import { Operator } from './operator.ts';
import { Random } from './random.ts';
import { Trace } from './trace.ts';
import { Traffic } from './traffic.ts';
import { observerOf } from './network-observer.ts';
import { type Lifecycle, VirtualTime } from './virtual-time.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** A migrated database, and the path for this seed's copy. */
  readonly template: string;
  readonly file: string;
  readonly breakage?: Breakage;
}

export interface SimulationResult {
  readonly seed: number;
  readonly violation: Violation | undefined;
  /** The last events before it. */
  readonly trace: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const DAYS = 45;
/** The last repeats are over by then, for any change of the clock. */
const DRAIN_DAYS = 6;
/** The worker has checked the clock after this time. */
const NOTICED_AFTER_MS = LOOK_EVERY_MS + MINUTE_MS;
/** After this number of event loop turns without work, nothing more happens automatically. */
const QUIET_TURNS = 3;
const MACHINE: Lifecycle = { alive: true };

const REPEATS = [
  [],
  [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS],
  [10 * MINUTE_MS, 12 * HOUR_MS],
] as const;

export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  copyTemplate(options.template, options.file);
  const simulation = new Simulation(options);
  try {
    await simulation.run();
    return simulation.result(undefined);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return simulation.result(error);
  } finally {
    simulation.end();
    removeDatabase(options.file);
  }
}

class Simulation implements Machine {
  readonly time = new VirtualTime();
  readonly random: Random;
  readonly hosts: readonly Host[];
  readonly ledger: Ledger;
  readonly traffic: Traffic;
  readonly #options: SimulationOptions;
  readonly #limits;
  readonly #repeats: readonly number[];
  readonly #operator: Operator;
  readonly #jobs: Jobs;
  readonly #trace = new Trace();
  #product: ProductProcess | undefined;
  #lifecycle: Lifecycle = { alive: false };
  #sender: SimulatedSender | undefined;
  #upSince = 0;
  #isStopping = false;
  /** Work done in the process until now; it grows while work is running. */
  #activity = 0;
  #setBackAt = 0;
  #isChanged = false;
  #crashAfterTurns: number | undefined;
  #violation: Violation | undefined;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.random = new Random(options.seed * 7919 + 17);
    this.#limits = { total: this.random.integer(2, 10), perReceiver: this.random.integer(1, 5) };
    this.#repeats = this.random.pick(REPEATS);
    this.hosts = scriptHosts(this.random, (DAYS + DRAIN_DAYS) * DAY_MS);
    this.ledger = new Ledger(this.#repeats);
    this.traffic = new Traffic({
      time: this.time,
      ledger: this.ledger,
      limits: this.#limits,
      hosts: this.hosts,
      db: () => this.product.db,
      upSince: () => this.#upSince,
      isStopping: () => this.#isStopping,
      slotKey: (endpoint) => this.#sender?.slotKey(endpoint) ?? '',
    });
    this.#operator = new Operator(this, options.seed);
    this.#jobs = new Jobs(this);
  }

  get product(): ProductProcess {
    if (this.#product === undefined) throw new Error('the machine is off');
    return this.#product;
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  get isOff(): boolean {
    return this.#product === undefined;
  }

  get isUp(): boolean {
    return this.#product !== undefined && !this.#isStopping;
  }

  note(what: string): void {
    this.#trace.note(this.time.elapsed, what);
  }

  /** Records work: the process is not idle yet. */
  readonly stir = (): void => {
    this.#activity += 1;
  };

  readonly #committed = (): void => {
    this.#activity += 1;
    this.#isChanged = true;
  };

  async run(): Promise<void> {
    this.plan(0, () => this.switchOn());
    this.#operator.begin(DAYS * DAY_MS);
    this.#jobs.plan();
    await this.#goOnUntil(DAYS * DAY_MS);
    this.#operator.retire();
    this.plan(0, () => this.isOff && this.switchOn());
    await this.#goOnUntil((DAYS + DRAIN_DAYS) * DAY_MS);
    const lost = [...this.ledger.owed.values()].find(({ state }) => state === 'pending');
    if (lost !== undefined) throw new Violation(`delivery ${lost.id} has come to no end`);
  }

  result(violation: Violation | undefined): SimulationResult {
    const counts = { ...this.#trace.counts, ...this.traffic.counts, ...this.ledger.counts };
    return { seed: this.#options.seed, violation, trace: this.#trace.lines, counts };
  }

  switchOn(): void {
    this.note('on');
    const { time, random, hosts } = this;
    const lifecycle = (this.#lifecycle = { alive: true });
    const sender = (this.#sender = new SimulatedSender({
      time,
      random,
      hosts,
      observer: observerOf(this, lifecycle, this.#operator),
      lifecycle,
    }));
    this.#product = openProductProcess({
      file: this.#options.file,
      time,
      lifecycle,
      sender,
      limits: this.#limits,
      repeats: { delays: this.#repeats, random: random.next },
      breakage: this.#options.breakage ?? {},
      onGroup: this.#committed,
    });
    this.#upSince = time.elapsed;
    this.#isStopping = false;
    this.traffic.died();
    this.#jobs.reconcile();
    this.product.worker.start();
    this.#isChanged = true;
  }

  /** Crashes as kill -9 does: data in memory is lost, connections break. */
  crash(): void {
    this.note('crash');
    this.ledger.catchUp(this.product.db, this.time.now);
    this.#lifecycle.alive = false;
    this.product.db.close();
    this.#product = undefined;
  }

  /** Crashes during the next activity. */
  crashSoon(): void {
    this.#crashAfterTurns = this.random.integer(0, 4);
  }

  stop(): void {
    this.note('stop');
    this.#isStopping = true;
    const { worker, writer, db } = this.product;
    const lifecycle = this.#lifecycle;
    void worker
      .stop(500)
      .then(() => writer.close())
      .then(() => {
        if (!lifecycle.alive) return;
        this.ledger.catchUp(db, this.time.now);
        lifecycle.alive = false;
        db.close();
        this.#product = undefined;
      })
      .then(this.stir, this.fault);
  }

  stepClock(ms: number): void {
    this.note(`step of the clock by ${(ms / HOUR_MS).toFixed(2)} h`);
    this.time.stepClock(ms);
    if (ms >= 0) return;
    this.ledger.clockWasSetBack();
    this.#setBackAt = this.time.elapsed;
    this.plan(NOTICED_AFTER_MS, () => {
      const isNoticed = this.isUp && this.time.elapsed - this.#setBackAt >= NOTICED_AFTER_MS;
      if (isNoticed) this.guarded(() => this.traffic.checkNothingIsFar());
    });
  }

  end(): void {
    if (!this.isOff) this.product.db.close();
    this.#lifecycle.alive = false;
  }

  /** Plans an event outside of the process, which survives a crash. */
  plan(ms: number, work: () => void): void {
    this.time.after(ms, work, MACHINE);
  }

  async #goOnUntil(end: number): Promise<void> {
    while (this.time.goOn(end)) {
      await this.#settle();
      if (this.#violation !== undefined) throw this.#violation;
      if (this.#isChanged && !this.isOff) this.#check();
      if (this.isUp && this.time.nextIn() > 0) this.traffic.checkNothingLies();
    }
  }

  /** Runs pending work without advancing time, or crashes during it. */
  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS;) {
      const before = this.#activity;
      await new Promise((resolve) => setImmediate(resolve));
      quiet = this.#activity === before ? quiet + 1 : 0;
      if (this.#crashAfterTurns === undefined || !this.isUp) continue;
      if (this.#crashAfterTurns-- > 0) continue;
      this.#crashAfterTurns = undefined;
      this.crash();
      this.#operator.goOnAfterCrash();
      return;
    }
  }

  #check(): void {
    this.#isChanged = false;
    const { ledger, time } = this;
    ledger.catchUp(this.product.db, time.now);
    this.traffic.settled();
    compare(this.product.db, ledger, time.now);
  }

  guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fault(error);
    }
  }

  /** Keeps the first violation; the simulation throws it when it continues. */
  readonly fault = (error: unknown): void => {
    this.#violation ??= error instanceof Violation ? error : new Violation(String(error), { cause: error });
  };
}
