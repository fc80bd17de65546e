/** Compares and sends like a persistent person: retries after a failure, resumes after a stop. */
import { MINUTE_MS } from '../../../src/clock.ts';
import { COMPANY } from './sides.ts';
import type { World } from './world.ts';

export interface ComparedRecord {
  readonly kind: 'produto' | 'operador' | 'vinculo';
  readonly codigo: string | null;
  readonly remoteCodigo: string | null;
  readonly name: string;
  readonly state: string;
  readonly reason: string | null;
  readonly candidates: readonly { readonly remoteCodigo: string; readonly name: string }[];
}

export interface Step {
  readonly kind: string;
  readonly codigo: string;
  readonly name: string;
  readonly operation: string;
  readonly outcome: string;
  readonly message: string | null;
  readonly attempts: number;
}

interface Comparison {
  readonly id: number;
  readonly state: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface Run {
  readonly state: string;
  readonly reason: string | null;
  readonly restsUntil: string | null;
}

const COMPARISONS = '/appliance/api/comparisons';
const ATTEMPTS = 40;
const AGAIN_MS = MINUTE_MS;
const PAGE = 500;
/** The code of a comparison that failed by a fault of the product. */
const OWN_FAULT_CODE = 'CATP-ER1534';
/** The text of a step of a run in that case. */
const OWN_FAULT = 'falha desta instância';
const ALL = ['soAqui', 'mudouAqui', 'desativadoAqui', 'incerto', 'recusado'] as const;
const DEACTIVATIONS_MAX = 10_000;

export class Sync {
  readonly figures = {
    comparisons: 0,
    failed: 0,
    pauses: 0,
    sent: 0,
    adopted: 0,
    retries: 0,
    uncertain: 0,
    fetched: 0,
  };
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns the id of a finished comparison. Throws when no comparison finishes. */
  async compare(meanwhile?: () => Promise<void>): Promise<number> {
    const { here } = this.#world;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const request = { cpfCnpjRaiz: COMPANY };
      const { id } = await here.done<Comparison>(
        'demo',
        'POST',
        '/appliance/api/remotes/la/comparisons',
        request,
      );
      const { state, error } = await this.#world.until<Comparison>(async () => {
        const comparison = await here.done<Comparison>('demo', 'GET', `${COMPARISONS}/${id}`);
        const isOver = comparison.state === 'done' || comparison.state === 'failed';
        return isOver ? { over: comparison } : { restsUntil: null };
      }, meanwhile);
      this.figures.comparisons += 1;
      if (state === 'done') return id;
      if (error?.code === OWN_FAULT_CODE) throw new Error(`comparação ${id}: ${error.message}`);
      this.figures.failed += 1;
      const [, until = ''] = /até (\S+)/.exec(error?.message ?? '') ?? [];
      await this.#world.moveTo(Date.parse(until) || this.#world.now + AGAIN_MS);
    }
    throw new Error(`nenhuma comparação em ${ATTEMPTS} terminou`);
  }

  /** Sends the findings of a comparison, to its end. */
  async send(comparison: number, meanwhile?: () => Promise<void>): Promise<void> {
    const steps = await this.#run(comparison, { direction: 'send', states: ALL }, meanwhile);
    for (const { outcome, attempts } of steps) {
      if (outcome === 'sent') this.figures.sent += 1;
      if (outcome === 'adopted') this.figures.adopted += 1;
      if (outcome === 'uncertain') this.figures.uncertain += 1;
      this.figures.retries += Math.max(0, attempts - 1);
    }
  }

  /** Returns true if this executable can also fetch. */
  async fetches(comparison: number): Promise<boolean> {
    const body = { direction: 'fetch', simulate: true, maxDeactivations: DEACTIVATIONS_MAX };
    const path = `${COMPARISONS}/${comparison}/runs`;
    const { status } = await this.#world.here.call('demo', 'POST', path, body);
    return status === 202;
  }

  /** Fetches the changes of the other side, to its end. */
  async fetch(comparison: number, meanwhile?: () => Promise<void>): Promise<void> {
    const steps = await this.#run(comparison, { direction: 'fetch' }, meanwhile);
    this.figures.fetched += steps.length;
  }

  async #run(comparison: number, members: object, meanwhile?: () => Promise<void>): Promise<Step[]> {
    const { here } = this.#world;
    const order = { ...members, maxDeactivations: DEACTIVATIONS_MAX };
    const runs = `${COMPARISONS}/${comparison}/runs`;
    const { id } = await here.done<{ id: number }>('demo', 'POST', runs, order);
    const path = `/appliance/api/runs/${id}`;
    const { state, reason } = await this.#world.until<Run>(async () => {
      const run = await here.done<Run>('demo', 'GET', path);
      if (run.state === 'paused') await this.#resume(path, run);
      const isOver = ['done', 'failed', 'cancelled'].includes(run.state);
      if (isOver) return { over: run };
      return { restsUntil: run.restsUntil === null ? null : Date.parse(run.restsUntil) };
    }, meanwhile);
    if (state !== 'done') throw new Error(`execução ${id}: ${state}, ${reason}`);
    return this.#steps(path);
  }

  async records(comparison: number): Promise<ComparedRecord[]> {
    const all: ComparedRecord[] = [];
    for (let after = ''; ;) {
      const path = `${COMPARISONS}/${comparison}/records?limit=${PAGE}${after}`;
      const page = await this.#world.here.done<
        { items?: ComparedRecord[]; next?: number | null } | undefined
      >(...(['demo', 'GET', path] as const));
      all.push(...(page?.items ?? []));
      if (page?.next === null || page?.next === undefined) return all;
      after = `&after=${page.next}`;
    }
  }

  async #resume(path: string, { reason }: Run): Promise<void> {
    if (reason?.includes(OWN_FAULT) === true) throw new Error(`${path}: ${reason}`);
    this.figures.pauses += 1;
    await this.#world.here.done('demo', 'POST', `${path}/resume`);
  }

  async #steps(path: string): Promise<Step[]> {
    const all: Step[] = [];
    for (;;) {
      const page = await this.#world.here.done<(Step & { n: number })[] | undefined>(
        ...([
          'demo',
          'GET',
          `${path}/steps?limit=${PAGE}&after=${(all as { n?: number }[]).at(-1)?.n ?? 0}`,
        ] as const),
      );
      if (page === undefined || page.length === 0) return all;
      all.push(...page);
    }
  }
}
