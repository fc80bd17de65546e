/** One pair of folders from first start to end: rounds of changes, faults and kills, each with its checks. */
import { mkdirSync, rmSync } from 'node:fs';
import { HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';
import { nextTime } from '../../../src/remote/wire/governor.ts';
import type { Random } from '../random.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';
import { Changes } from './changes.ts';
import { Naive } from './naive.ts';
import { type ComparedRecord, Sync } from './sync.ts';
import { Verdict } from './verdict.ts';
import { type Kill, World } from './world.ts';

const FAULT_SHARE = { from: 5, to: 45 } as const;
const CHANGES_BEFORE = { from: 6, to: 16 } as const;
const CHANGES_MEANWHILE = 6;
const CHANGE_EACH_TURN = 0.06;
/** Shares of the rounds that begin just before the daily stop, and just before an hour ends. */
const [NEAR_STOP, NEAR_HOUR] = [0.2, 0.2];
/** Approximate number of requests in a round: a kill comes at one of them. */
const REQUESTS = 40;
/** Real time: no delayed request is pending after it. */
const LONGEST_DELAY_MS = 480;

export interface DrillParts {
  readonly folder: string;
  readonly executable: string | undefined;
  readonly random: Random;
  readonly isControl: boolean;
  readonly onRound: (problems: readonly string[]) => void;
}

export interface DrillReport {
  readonly problems: readonly string[];
  readonly strays: readonly string[];
  readonly late: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  readonly faults: ReadonlyMap<string, number>;
}

export class Drill {
  readonly #parts: DrillParts;
  readonly #world: World;
  readonly #sync: Sync;
  readonly #naive: Naive;
  readonly #changes: Changes;
  readonly #problems: string[] = [];
  readonly #named = new Map<string, string>();
  readonly #reported = new Set<string>();
  readonly #lates = new Set<string>();
  #from = 0;
  /** True when the executable fetches, too: then both sides are equal in the end. */
  #fetches = false;
  #compared: number | undefined;

  constructor(parts: DrillParts) {
    this.#parts = parts;
    const { folder, executable, random, isControl } = parts;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const [knowsStop, refusesTwins] = [random.chance(0.7), random.chance(0.5)];
    this.#world = new World({ folder, executable, random, isControl, knowsStop, refusesTwins });
    this.#sync = new Sync(this.#world);
    this.#naive = new Naive(this.#world);
    const { here, there } = this.#world;
    this.#changes = new Changes({ here, there, random });
  }

  async run(rounds: number): Promise<DrillReport> {
    const world = this.#world;
    await world.open();
    for (let round = 0; round < rounds; round += 1) {
      const before = this.#problems.length;
      try {
        await this.#round();
      } catch (error) {
        this.#problems.push(
          `a rodada não terminou: ${error instanceof Error ? error.message : String(error)}`,
        );
        this.#parts.onRound(this.#problems.slice(before));
        break;
      }
      this.#parts.onRound(this.#problems.slice(before));
    }
    await world.close();
    return {
      problems: this.#problems,
      strays: world.clientLimits.problems,
      late: [...this.#named].map(([one, reason]) => `${one}, ${reason}`),
      faults: world.faults.acted,
      figures: {
        ...world.figures,
        reportedLimits: world.clientLimits.reportedLimits,
        requests: world.witness.passages.length,
        ...this.#sync.figures,
        changesHere: this.#changes.made.here,
        changesThere: this.#changes.made.there,
        lates: this.#lates.size,
      },
    };
  }

  async #round(): Promise<void> {
    const { random } = this.#parts;
    const world = this.#world;
    this.#from = world.witness.passages.length;
    await this.#know();
    if (this.#parts.isControl) await world.moveTo(world.now + HOUR_MS);
    else await this.#moveNear();
    await this.#decide();
    for (
      let remainingBefore = random.integer(CHANGES_BEFORE.from, CHANGES_BEFORE.to);
      remainingBefore > 0;
      remainingBefore -= 1
    )
      await (random.chance(0.75) ? this.#changes.here() : this.#changes.there());
    let remaining = CHANGES_MEANWHILE;
    const changeSide = async (): Promise<void> => {
      if (remaining === 0 || !random.chance(CHANGE_EACH_TURN)) return;
      remaining -= 1;
      await (random.chance(0.5) ? this.#changes.here() : this.#changes.there());
    };
    const { isControl } = this.#parts;
    const share = isControl ? FAULT_SHARE.to : random.integer(FAULT_SHARE.from, FAULT_SHARE.to);
    await world.roughen(share / 100, this.#kills());
    if (isControl) await this.#naive.send(changeSide);
    else {
      await this.#sync.send(await this.#sync.compare(changeSide), changeSide);
      if (this.#fetches) await this.#sync.fetch(await this.#sync.compare(changeSide), changeSide);
    }
    await world.calm(LONGEST_DELAY_MS);
    await this.#verify();
  }

  #kills(): Kill[] {
    const { random } = this.#parts;
    const kill = (): Kill => ({
      who: random.pick(['here', 'there']),
      at: random.integer(0, REQUESTS),
      phase: random.pick(['requested', 'answered']),
    });
    const count = random.pick([0, 1, 1, 2, 3]);
    return Array.from({ length: count }, kill).toSorted((one, other) => one.at - other.at);
  }

  async #know(): Promise<readonly [Catalogue, Catalogue]> {
    const { here, there } = this.#world;
    const catalogues = [await catalogueOf(here, 'demo'), await catalogueOf(there, 'demo2')] as const;
    this.#changes.know(...catalogues);
    return catalogues;
  }

  async #moveNear(): Promise<void> {
    const { random } = this.#parts;
    const { now } = this.#world;
    const drawn = random.next();
    if (drawn < NEAR_STOP)
      await this.#world.moveTo(nextTime('01:00', now) - random.integer(0, 2) * MINUTE_MS);
    else if (drawn < NEAR_STOP + NEAR_HOUR)
      await this.#world.moveTo((Math.floor(now / HOUR_MS) + 1) * HOUR_MS - random.integer(1, 4 * MINUTE_MS));
  }

  /** Decides as a person some of the records that both sides changed. */
  async #decide(): Promise<void> {
    if (this.#compared === undefined) return;
    const { random } = this.#parts;
    for (const { kind, name, codigo, remoteCodigo, state, candidates } of await this.#sync.records(
      this.#compared,
    )) {
      const isDoubtful = state === 'ambiguo' || (state === 'mudouNosDois' && random.chance(0.6));
      if (kind === 'vinculo' || !isDoubtful) continue;
      const other = remoteCodigo ?? candidates.find((one) => one.name === name)?.remoteCodigo ?? null;
      const keep = random.pick(['here', 'there'] as const);
      const path = `/appliance/api/comparisons/${this.#compared}/pairs`;
      await this.#world.here.done('demo', 'POST', path, { kind, codigo, remoteCodigo: other, keep });
      this.#changes.touched.set(name, { here: keep === 'here', there: keep === 'there' });
    }
  }

  async #verify(): Promise<void> {
    let records: ComparedRecord[] = [];
    if (!this.#parts.isControl) {
      await this.#sync.send(await this.#sync.compare());
      this.#compared = await this.#sync.compare();
      this.#fetches ||= await this.#sync.fetches(this.#compared);
      if (this.#fetches) {
        await this.#sync.fetch(await this.#sync.compare());
        this.#compared = await this.#sync.compare();
      }
      records = await this.#sync.records(this.#compared);
    }
    const [here, there] = await this.#know();
    const { witness, there: sideThere } = this.#world;
    const { passages } = witness;
    const [changes, from, named, fetches] = [this.#changes, this.#from, this.#named, this.#fetches];
    const verdict = new Verdict({
      here,
      there,
      sideThere,
      records,
      changes,
      passages,
      from,
      named,
      fetches,
      lates: this.#lates,
    });
    await verdict.findTwice();
    if (!this.#parts.isControl) {
      verdict.findAstray();
      verdict.settle();
    }
    for (const problem of verdict.problems) {
      const [what = ''] = problem.split(' (');
      if (this.#reported.has(what)) continue; // the same problem exists at every later check
      this.#reported.add(what);
      this.#problems.push(problem);
    }
  }
}
