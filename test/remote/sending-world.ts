/**
 * A catalogue that is sent to a remote over a connection that loses, delays, duplicates and garbles answers,
 * with crashes in between, all from one seed (contract section 18). The invariants are checked after each
 * arrow of a step's state machine.
 */
import { SECOND_MS } from '../../src/clock.ts';
import type { Comparable } from '../../src/remote/compare/side.ts';
import { COMPARED_OPERATORS } from '../../src/remote/compare/operator.ts';
import { COMPARED_PRODUCTS } from '../../src/remote/compare/product.ts';
import { PairStore } from '../../src/remote/compare/pair-store.ts';
import { type Run, SENDABLE_STATES, type Step } from '../../src/remote/run/model.ts';
import type { WireAnswer } from '../../src/remote/wire/model.ts';
import { START } from '../support/app.ts';
import { Violation } from '../simulation/ledger.ts';
import { Random } from '../simulation/random.ts';
import type { SimulationResult } from '../simulation/simulation.ts';
import { Trace } from '../simulation/trace.ts';
import { COMPANY } from './support.ts';
import { type Fate, FaultyWire, TwoCatalogues } from './two-catalogues.ts';

const FATES: readonly Fate[] = [
  ...(['lost-answer', 'drop', 'late', 'rest', 'killed-before', 'killed-after'] as const),
  ...(['garbled', 'doubled', 'refused-lookup'] as const),
];
const KINDS: readonly Comparable[] = [COMPARED_OPERATORS, COMPARED_PRODUCTS];
const OPEN: ReadonlySet<string> = new Set(['pending', 'intent', 'uncertain']);
const STEPS_MAX = 1000;

/**
 * Runs a simulation. `repeats`: a client that treats unanswered requests as not done, as public clients do.
 */
export async function simulateSending(seed: number, { repeats = false } = {}): Promise<SimulationResult> {
  const random = new Random(seed * 7919 + 17);
  const world = new SendingWorld(await TwoCatalogues.open(random.pick(['portal', 'especificacao'])), random);
  try {
    await world.run(repeats);
    return world.result(seed);
  } catch (error) {
    const violation =
      error instanceof Violation ? error : new Violation(String(error), { cause: error as Error });
    return world.result(seed, violation);
  } finally {
    await world.close();
  }
}

class SendingWorld {
  readonly #two: TwoCatalogues;
  readonly #random: Random;
  readonly #trace = new Trace();
  readonly #pairs: PairStore;
  #wire: FaultyWire;

  constructor(two: TwoCatalogues, random: Random) {
    [this.#two, this.#random] = [two, random];
    this.#pairs = new PairStore(two.localApp.app.core.db);
    const share = random.pick([0.1, 0.3, 0.4]);
    this.#wire = this.#wireOf(() => (random.chance(share) ? random.pick(FATES) : 'done'));
    two.onArrow = (run, step) => this.#check(run, step);
  }

  close(): Promise<void> {
    return this.#two.close();
  }

  result(seed: number, violation?: Violation): SimulationResult {
    return { seed, violation, trace: this.#trace.lines, counts: this.#trace.counts };
  }

  async run(repeats: boolean): Promise<void> {
    const two = this.#two;
    const [products, links] = await this.#fill();
    const wire = repeats ? repeating(two, this.#wire) : this.#wire;
    await two.run(wire);
    await two.signIn();
    await two.change(3, 'Mudado');
    await two.deactivate(4);
    const isFourthThere = (await two.remoteNames()).includes('P 3');
    await two.run(wire);
    this.#wire = this.#wireOf(() => 'done');
    await two.run(this.#wire, undefined, { states: SENDABLE_STATES });
    const { comparison, records } = await two.runComparison();
    // A product is never sent if the remote refused the lookup before its first request, and the product was
    // deactivated locally in the meantime.
    const produto = isFourthThere ? { igual: products } : { igual: products - 1, naoEnviavel: 1 };
    const expected = { operador: { igual: 1 }, produto, vinculo: { igual: links } };
    if (!Bun.deepEquals(comparison.counts, expected)) {
      const open = records.filter(({ state }) => state !== 'igual');
      throw new Violation(`${JSON.stringify(comparison.counts)} at the end: ${JSON.stringify(open)}`);
    }
  }

  /** Creates records. Returns the number of products and links to send. */
  async #fill(): Promise<readonly [products: number, links: number]> {
    const [two, random] = [this.#two, this.#random];
    const products = random.integer(4, 10);
    for (let at = 0; at < products; at += 1)
      await two.include(`P ${at}`, random.chance(0.5) ? [`C${at}`] : []);
    const operator = await two.includeOperator(random.chance(0.5) ? { tin: 'DE1' } : {});
    const links = random.integer(1, 3);
    for (let product = 1; product <= links; product += 1) await two.link(product, operator);
    return [products, links];
  }

  #wireOf(fate: () => Fate): FaultyWire {
    return new FaultyWire(this.#two, ({ operation }) => {
      const chosenFate = fate();
      this.#note(`${chosenFate} ${operation}`);
      return chosenFate;
    });
  }

  #note(what: string): void {
    this.#trace.note(this.#two.clock.now() - START, what);
  }

  /**
   * Checks: no duplicate on the remote, no remote record unknown to both the map and the open steps, no
   * request in a closed hour.
   */
  #check(run: Run, { kind: stepKind, name, outcome }: Step): void {
    this.#note(`${outcome} ${stepKind} ${name}`);
    const { localApp, remoteApp } = this.#two;
    const steps = localApp.app.core.remote.runStore.steps(run.id, 0, STEPS_MAX);
    const open = new Set(steps.flatMap((step) => (OPEN.has(step.outcome) ? [step.name] : [])));
    for (const { kind, readLocal: ours } of KINDS) {
      const names = new Set<string>();
      for (const side of ours(remoteApp.app.core.db, COMPANY)) {
        if (side === undefined) continue;
        if (names.has(side.name)) throw new Violation(`${kind} ${side.name} exists twice in the remote`);
        names.add(side.name);
        const isKnown = this.#pairs.localKeyOf(run.remoteId, COMPANY, kind, side.key) !== undefined;
        if (!isKnown && !open.has(side.name))
          throw new Violation(`neither a pair nor an open step knows the remote ${kind} ${side.name}`);
      }
    }
    const [strayed] = this.#wire.strayRequests;
    if (strayed !== undefined) throw new Violation(`${strayed} was sent into a closed hour`);
  }
}

/** Repeats a request without an answer as if it had not been done. */
const repeating = ({ clock }: TwoCatalogues, wire: FaultyWire) =>
  wire.asking(async (request): Promise<WireAnswer> => {
    const answer = await wire.ask(request);
    return answer.kind === 'unknown'
      ? { kind: 'rest', until: clock.now() + SECOND_MS, operation: request.operation, reason: answer.reason }
      : answer;
  });
