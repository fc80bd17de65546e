/**
 * Two machines from their first start on: the active one is killed, the other takes over, the old one
 * returns, and so on.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { problemsOfDailyWork } from '../daily-work.ts';
import { structureProblems } from '../database.ts';
import type { Random } from '../random.ts';
import { inStep, until } from './litestream.ts';
import { type Acknowledged, Ledger, Load } from './load.ts';
import { Machine } from './machine.ts';
import { type Back, returnEarly, returnLate } from './return.ts';

const LOAD_MS = { from: 400, to: 1500 } as const;
/** Time between the kills of the two processes. */
const GAP_MS = { from: 0, to: 50 } as const;
/** This share of the old machines starts again before the new one serves. */
const EARLY = 0.4;
const OK = 200;

export interface DrillParts {
  readonly folder: string;
  readonly executable: string | undefined;
  readonly random: Random;
  readonly mode: 'nunca' | 'sempre';
  readonly onRound: (problems: readonly string[]) => void;
}

export interface DrillReport {
  readonly problems: string[];
  readonly acknowledged: number;
  /** Time from the decision to the first write that the new one acknowledged. */
  readonly backMs: number[];
  readonly perSecond: number[];
  /** When no write waits: the lost writes of each round, and the age of the oldest at the kill. */
  readonly lost: { readonly count: number; readonly oldestMs: number }[];
  readonly backs: Record<Back, number>;
}

export class Drill {
  readonly #parts: DrillParts;
  readonly #ledger = new Ledger();
  readonly #report = {
    problems: [] as string[],
    backMs: [] as number[],
    perSecond: [] as number[],
    lost: [] as DrillReport['lost'],
    backs: { recusada: 0, 'só consultas': 0 },
  };
  readonly #destination: string;
  /** The active machine first. */
  #pair: readonly [Machine, Machine];
  #client: Client | undefined;
  #epoch = 1;

  constructor(parts: DrillParts) {
    this.#parts = parts;
    const { folder, executable, mode } = parts;
    this.#destination = `file://${join(folder, 'replica')}`;
    const [one, other] = freePorts();
    const all = { folder, executable, mode };
    this.#pair = [
      new Machine({ ...all, name: 'a', port: one, partnerPort: other }),
      new Machine({ ...all, name: 'b', port: other, partnerPort: one }),
    ];
  }

  async run(rounds: number): Promise<DrillReport> {
    mkdirSync(join(this.#parts.folder, 'replica'), { recursive: true });
    try {
      await this.#open();
      for (let round = 0; round < rounds; round += 1) {
        const problems = await this.#round();
        this.#report.problems.push(...problems);
        this.#parts.onRound(problems);
      }
    } finally {
      await Promise.all(this.#pair.map((machine) => machine.kill9()));
    }
    return { ...this.#report, acknowledged: this.#ledger.acknowledged.length };
  }

  #url(epoch: number): string {
    return `${this.#destination}/epoca-${epoch}`;
  }

  async #open(): Promise<void> {
    const [writer, follower] = this.#pair;
    await writer.prepare();
    writer.replicateTo(this.#url(1));
    await inStep(writer);
    writer.serve();
    await follower.followFrom(writer, this.#url(1));
    this.#client = await writer.client();
  }

  async #round(): Promise<readonly string[]> {
    const { random, mode } = this.#parts;
    const [old, next] = this.#pair;
    const oldClient = this.#client;
    if (oldClient === undefined) throw new Error('ninguém serve');
    const decided = await this.#loadAndKill(old, oldClient);
    // Its credential for the replica was revoked: without it, only a server that waits for the replica is
    // fenced.
    const isEarly = mode === 'sempre' && random.chance(EARLY);
    if (isEarly) old.serve();
    await next.readToTheEnd(this.#url(this.#epoch));
    await next.takeOver(this.#destination);
    this.#epoch += 1;
    next.serve();
    const client = await next.client();
    await until(async () => (await this.#ledger.include(client, next.name)) === OK);
    this.#report.backMs.push(performance.now() - decided);

    const load = new Load(this.#ledger, client, next.name);
    const returned = await (isEarly ? returnEarly : returnLate)(old, oldClient);
    await load.stop();
    if (returned.back !== undefined) this.#report.backs[returned.back] += 1;
    const worked = await problemsOfDailyWork(await next.url(), this.#epoch - 1);
    const problems = [...returned.problems, ...worked, ...this.#lostIn(next, decided)];
    problems.push(...structureProblems(next.database));

    await old.kill9();
    await inStep(next);
    await old.followFrom(next, this.#url(this.#epoch));
    this.#pair = [next, old];
    this.#client = client;
    return problems.map((problem) => `época ${this.#epoch}: ${problem}`);
  }

  /** Returns the time of the decision that the first machine is gone. */
  async #loadAndKill(machine: Machine, client: Client): Promise<number> {
    const { random } = this.#parts;
    const load = new Load(this.#ledger, client, machine.name);
    const [began, before] = [performance.now(), this.#ledger.acknowledged.length];
    await Bun.sleep(random.integer(LOAD_MS.from, LOAD_MS.to));
    const deaths = [() => machine.server?.kill9(), () => machine.litestream?.kill9()];
    if (random.chance(0.5)) deaths.reverse();
    await deaths[0]?.();
    await Bun.sleep(random.integer(GAP_MS.from, GAP_MS.to));
    await deaths[1]?.();
    const decided = performance.now();
    await load.stop();
    const seconds = (decided - began) / 1000;
    this.#report.perSecond.push((this.#ledger.acknowledged.length - before) / seconds);
    return decided;
  }

  #lostIn(machine: Machine, decided: number): readonly string[] {
    const lost = this.#ledger.missingIn(machine.database);
    if (this.#parts.mode === 'sempre')
      return lost.map(({ name, by }) => `${name}, confirmada por ${by}, não está em ${machine.name}`);
    const isOwn = ({ by }: Acknowledged): boolean => by === machine.name;
    const oldestMs = Math.max(0, ...lost.map(({ at }) => decided - at));
    this.#report.lost.push({ count: lost.length, oldestMs });
    this.#ledger.forget(lost);
    return lost.filter(isOwn).map(({ name }) => `${name}, confirmada por ${machine.name}, não está nela`);
  }
}

/** Returns two ports without a listener. */
export function freePorts(): readonly [number, number] {
  const servers = [0, 0].map((port) =>
    Bun.serve({ hostname: '127.0.0.1', port, fetch: () => new Response() }),
  );
  const [one = 0, other = 0] = servers.map(({ port }) => port ?? 0);
  for (const server of servers) void server.stop(true);
  return [one, other];
}
