/** One data folder from its first start to its end, with repeated kills. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../client.ts';
import { structureProblems } from '../database.ts';
import { type Random, randomOf } from '../random.ts';
import { type Server, startServer } from '../server.ts';
import { SLOWNESS } from '../slowness.ts';
import { Inbox, type InboxServer } from './inbox.ts';
import { Ledger, type Users } from './ledger.ts';
import { ProductWriter } from './products.ts';
import { companyStep, linkStep, operatorStep, subscriptionStep } from './records.ts';
import { ImportWork, TableWork, eventStep, subscribeInbox } from './work.ts';

const PRODUCT_WRITERS = 6;
const OPERATOR_WRITERS = 2;
const EVENT_WRITERS = 2;

/** Delay between the start of the work and a kill. */
const WORK_MS = { from: 20 * SLOWNESS, to: 1500 * SLOWNESS } as const;
/** This share of the rounds also kills the server during its start. */
const KILLED_AT_START = 0.2;
const START_KILL_MS = { from: 0, to: 250 * SLOWNESS } as const;
/** The number of older claims that a round reads back, in addition to all new ones. */
const OLDER_CLAIMS = 300;
const DRAINED_WITHIN_MS = 60_000 * SLOWNESS;

export interface LifeParts {
  readonly folder: string;
  readonly executable: string | undefined;
  readonly random: Random;
  readonly inboxServer: InboxServer;
  readonly onRound: () => void;
}

export interface LifeReport {
  readonly ledger: Ledger;
  readonly inbox: Inbox;
  readonly kills: number;
  readonly killsAtStart: number;
  readonly recoveryMs: readonly number[];
}

type Step = (users: Users) => Promise<void>;

export class Lifecycle {
  readonly #parts: LifeParts;
  readonly #data: string;
  readonly #ledger = new Ledger();
  readonly #inbox = new Inbox();
  readonly #imports: ImportWork;
  readonly #tables: TableWork;
  readonly #steps: readonly Step[];
  readonly #recoveryMs: number[] = [];
  #kills = 0;
  #killsAtStart = 0;

  constructor(parts: LifeParts) {
    this.#parts = parts;
    this.#data = join(parts.folder, 'dados');
    const { random } = parts;
    const step = (name: string) => ({
      name,
      ledger: this.#ledger,
      random: randomOf(random.integer(1, 2 ** 31)),
    });
    this.#imports = new ImportWork(step('importado'));
    this.#tables = new TableWork(step('tabela'), this.#inbox);
    const writer = (index: number): ProductWriter => {
      const { name, ledger, random: own } = step(`peça-${index}`);
      return new ProductWriter(name, ledger, this.#inbox, own);
    };
    this.#steps = [
      ...Array.from({ length: PRODUCT_WRITERS }, (_, index) => writer(index).step),
      ...Array.from({ length: OPERATOR_WRITERS }, (_, index) => operatorStep(step(`Operador ${index}`))),
      ...Array.from({ length: EVENT_WRITERS }, (_, index) => eventStep(step(`evento-${index}`), this.#inbox)),
      linkStep(step('vinculado')),
      subscriptionStep(step('prova-assinada')),
      companyStep(step('empresa')),
      this.#imports.step,
      this.#tables.step,
    ];
  }

  async run(rounds: number): Promise<LifeReport> {
    this.#parts.inboxServer.deliverTo(this.#inbox);
    await this.#killAtStart(); // also for the very first start
    await this.#prepare();
    let verified = 0;
    for (let round = 0; round < rounds; round++) {
      if (this.#parts.random.chance(KILLED_AT_START)) await this.#killAtStart();
      verified = await this.#round(verified);
      this.#parts.onRound();
    }
    await this.#end();
    rmSync(this.#data, { recursive: true, force: true });
    return {
      ledger: this.#ledger,
      inbox: this.#inbox,
      kills: this.#kills,
      killsAtStart: this.#killsAtStart,
      recoveryMs: this.#recoveryMs,
    };
  }

  #start(): Server {
    const { executable, inboxServer } = this.#parts;
    return startServer({
      executable,
      data: this.#data,
      flags: [...inboxServer.flags, '--set', 'log.nivel=error'],
    });
  }

  async #killAtStart(): Promise<void> {
    const server = this.#start();
    await Bun.sleep(this.#parts.random.integer(START_KILL_MS.from, START_KILL_MS.to));
    await server.kill9();
    this.#killsAtStart += 1;
  }

  async #prepare(): Promise<void> {
    const server = this.#start();
    const users = await signedIn(await server.ready);
    await subscribeInbox(users);
    await this.#tables.prepare(users);
    await server.kill9();
    this.#kills += 1;
  }

  /** Starts, reads back the claims, works, kills. Returns the number of claims before its work. */
  async #round(verified: number): Promise<number> {
    const { random } = this.#parts;
    const started = performance.now();
    const server = this.#start();
    const url = await server.ready;
    this.#recoveryMs.push(performance.now() - started);
    const users = await signedIn(url);
    const before = this.#ledger.size;
    const share = OLDER_CLAIMS / Math.max(1, verified);
    await this.#ledger.verify(users, verified, () => random.chance(share));
    this.#checkStructure();

    const work = { goesOn: true };
    const loops = this.#steps.map(async (step) => {
      while (work.goesOn) await step(users);
    });
    await Bun.sleep(random.integer(WORK_MS.from, WORK_MS.to));
    await server.kill9();
    this.#kills += 1;
    work.goesOn = false;
    await Promise.all(loops);
    return before;
  }

  /** Checks everything: every acknowledged write, every notification, every item of every import. */
  async #end(): Promise<void> {
    const server = this.#start();
    const users = await signedIn(await server.ready);
    await this.#ledger.verify(users, 0, () => true);
    await this.#imports.verify(users);
    await this.#tables.verify(users, () => this.#drained());
    for (const key of this.#inbox.missing) this.#ledger.problem(`nunca chegou: ${key}`);
    await server.stop().catch((error: Error) => this.#ledger.problem(error.message));
    this.#checkStructure();
  }

  async #drained(): Promise<void> {
    const until = Date.now() + DRAINED_WITHIN_MS;
    let before = -1;
    // Notifications that are not counted by name (the public event) are complete when no more arrive.
    while (Date.now() < until && (this.#inbox.missing.length > 0 || this.#inbox.total !== before)) {
      before = this.#inbox.total;
      await Bun.sleep(500);
    }
  }

  #checkStructure(): void {
    for (const problem of structureProblems(join(this.#data, 'catp.sqlite'))) this.#ledger.problem(problem);
  }
}

async function signedIn(url: string): Promise<Users> {
  const [demo, demo2, estranho, admin] = await Promise.all([
    signIn(url, 'demo'),
    signIn(url, 'demo2'),
    signIn(url, 'estranho'),
    signIn(url, 'admin'),
  ]);
  return { demo, demo2, estranho, admin };
}
