/**
 * Sends to a remote that loses, delays and garbles answers (contract section 18): the remote is a whole instance, the way to it is
 * cut at random from a seed. Nothing is there twice, and what is there the map knows.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestClock, endOfTurn } from '../../src/clock.ts';
import { importLimits } from '../../src/catalogue/import/feed.ts';
import { linksThere } from '../../src/remote/run/links-there.ts';
import { Sender } from '../../src/remote/run/sender.ts';
import { StepStore } from '../../src/remote/run/step-store.ts';
import { REFUSALS_MAX, RunWorker } from '../../src/remote/run/worker.ts';
import type { Wire, WireAnswer, WireRequest } from '../../src/remote/wire/model.ts';
import { PairStore } from '../../src/remote/compare/pair-store.ts';
import { RemoteStore } from '../../src/remote/store.ts';
import { Random } from '../simulation/random.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

let clock: TestClock;
let here: TestApp;
let there: TestApp;
let ours: Client;
let theirs: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  [here, there] = [await openApp({ clock }), await openApp({ clock, settings: { perfil: 'portal' } })];
  ours = await here.as('demo');
  theirs = await there.as('demo');
  const admin = await here.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});
afterEach(async () => {
  await here.close();
  await there.close();
});

/** The process ends here. */
class Killed extends Error {}

/** What becomes of one request. */
type Fate = 'done' | 'lost-answer' | 'drop' | 'late' | 'rest' | 'killed-before' | 'killed-after';

class FaultyWire implements Wire {
  readonly asked: string[] = [];
  readonly strayed: string[] = [];
  readonly #late: WireRequest[] = [];
  readonly #told = new Set<string>();
  readonly #closed = new Map<string, number>();
  readonly #fate: (request: WireRequest) => Fate;

  constructor(fate: (request: WireRequest) => Fate) {
    this.#fate = fate;
  }

  async ask(request: WireRequest): Promise<WireAnswer> {
    const { operation, method } = request;
    const closedUntil = this.#closed.get(operation) ?? 0;
    if (closedUntil > clock.now()) {
      if (this.#told.has(operation)) this.strayed.push(operation);
      return this.#rest(operation, closedUntil); // nothing leaves: counts are on the disk
    }
    this.asked.push(`${method} ${operation}`);
    const fate = this.#fate(request);
    if (fate === 'rest') {
      const until = clock.now() + 3_600_000;
      this.#closed.set(operation, until);
      return this.#rest(operation, until);
    }
    if (fate === 'killed-before') throw new Killed();
    if (fate === 'drop') return { is: 'unknown', reason: 'cortada' };
    if (fate === 'late') {
      this.#late.push(request);
      return { is: 'unknown', reason: 'sem resposta em 60 s' };
    }
    const answer = await this.#call(request);
    if (fate === 'killed-after') throw new Killed();
    return fate === 'lost-answer' ? { is: 'unknown', reason: 'cortada' } : answer;
  }

  /** Another process asks, which knows of no rest yet. */
  begin(): void {
    this.#told.clear();
  }

  #rest(of: string, until: number): WireAnswer {
    this.#told.add(of);
    return { is: 'rest', until, of, reason: 'limite por hora' };
  }

  /** What the remote does after the client gave up. */
  async doLate(): Promise<void> {
    for (const request of this.#late.splice(0)) await this.#call(request);
  }

  async download({ path }: WireRequest, file: string): Promise<WireAnswer> {
    const reply = await this.#reply('GET', path);
    writeFileSync(file, reply.bytes);
    return { is: 'answer', status: reply.status, body: undefined };
  }

  async #call({ method, path, body }: WireRequest): Promise<WireAnswer> {
    const reply = await this.#reply(method, path, body);
    return { is: 'answer', status: reply.status, body: reply.text === '' ? undefined : reply.json };
  }

  async #reply(method: string, path: string, body?: unknown) {
    const reply = await theirs.call(method, path, body);
    if (reply.status !== 401) return reply;
    clock.moveTo(clock.now() + 61_000);
    theirs = await there.as('demo');
    return theirs.call(method, path, body);
  }
}

const EXPORTS = {
  produtos: `/catp/api/ext/produto/exportar/${COMPANY}/true`,
  operadores: `/catp/api/ext/operador-estrangeiro/exportar/${COMPANY}/true`,
  vinculos: `/catp/api/ext/fabricante/exportar/${COMPANY}`,
};

type TestWire = Wire & Pick<FaultyWire, 'begin' | 'doLate'>;

const wireOf = (wire: FaultyWire): TestWire => ({
  ask: (request) => wire.ask(request),
  download: (request, file) => wire.download(request, file),
  begin: () => wire.begin(),
  doLate: () => wire.doLate(),
});

/** Sessions end meanwhile; a new one is opened no sooner than the remote allows. */
async function signIn(): Promise<void> {
  clock.moveTo(clock.now() + 61_000);
  [ours, theirs] = [await here.as('demo'), await there.as('demo')];
}

async function compared() {
  await signIn();
  const files: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(EXPORTS)) files[name] = (await theirs.call('GET', path)).bytes;
  return compare(here, ours, files);
}

/** Plans a run of what is compared and works it off, beginning anew after each kill. */
async function run(wire: TestWire, decide?: (comparisonId: number) => Promise<unknown>) {
  const { id: comparisonId } = await compared();
  await decide?.(comparisonId);
  const { core } = here.app;
  const { runStore: runs, runRunner } = core.remote;
  const { db, writer } = core;
  const [steps, remotes, pairs] = [new StepStore(db), new RemoteStore(db), new PairStore(db)];
  const remoteId = remotes.find('portal')?.id ?? 0;
  const asked = { remoteId, cpfCnpjRaiz: COMPANY, comparisonId, documento: '1', asked: {} };
  const id = await writer.write((tx) =>
    runs.insert({ ...asked, direction: 'send', simulated: false }, tx.now),
  );
  await runRunner.plan(id);
  const sender = new Sender({
    ...{ db, writer, clock, steps, remotes, pairs },
    linksThere: ({ cpfCnpjRaiz }, over) =>
      linksThere(over, cpfCnpjRaiz, {
        ...{ file: join(here.folder, 'vinculos.zip'), limits: importLimits(1e8), now: clock.now() },
      }),
  });
  for (;;) {
    wire.begin();
    const worker = new RunWorker({ runs, steps, sender, writer, clock }, id, wire);
    let isOver = false;
    const work = worker.work().finally(() => (isOver = true));
    work.catch(() => undefined);
    while (!isOver) {
      await endOfTurn();
      if (isOver || runs.find(id)?.state !== 'resting') continue;
      await wire.doLate();
      const next = clock.nextTimer();
      if (next !== undefined && runs.find(id)?.state === 'resting') clock.moveTo(Math.max(next, clock.now()));
    }
    try {
      await work;
      return { run: runs.find(id), steps: runs.steps(id, 0, 1000) };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}

const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const MAKER = { logradouro: 'Hauptstrasse 1', nomeCidade: 'Bonn' };
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;

const ok = async (method: string, path: string, body?: object) => {
  const reply = await ours.call(method, path, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json;
};
const include = async (denominacao: string, codigosInterno: string[] = []): Promise<number> =>
  (await ok('POST', PRODUCTS, { ...PLAIN, denominacao, codigosInterno })).codigo;

const namesThere = async (): Promise<string[]> => {
  await signIn();
  const list = await theirs.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`);
  return list.status === 204 ? [] : list.json.map((one: { denominacao: string }) => one.denominacao);
};

const always = (): Fate => 'done';
/** Of requests that change something, the n-th has that fate. */
const once = (fate: Fate, n = 1) => {
  let writes = 0;
  return ({ method }: WireRequest): Fate => (method !== 'GET' && (writes += 1) === n ? fate : 'done');
};

describe('a run', () => {
  test('sends operators, products, links, unlinks and deactivations, and all is igual afterwards', async () => {
    const [old, kept] = [await include('Velho'), await include('Mantido', ['K'])];
    const { codigo } = await ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, {
      ...MAKER,
      nome: 'Muster',
    });
    const link = { conhecido: true, codigoPais: 'DE', codigoOperadorEstrangeiro: codigo };
    await ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, { codigoProduto: old, ...link });
    const first = await run(new FaultyWire(always));
    expect(first.run).toMatchObject({ state: 'done' });
    expect(first.steps.map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'sent', 'sent']);
    await signIn();
    await ok('PUT', `/catp/api/ext/fabricante/${COMPANY}`, { codigoProduto: old, ...link });
    await ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${old}`);
    await ok('PUT', `${PRODUCTS}/${kept}`, { ...PLAIN, denominacao: 'Mudado', codigosInterno: ['K'] });
    const operator = `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${codigo}/1`;
    await ok('PUT', operator);
    const second = await run(new FaultyWire(always));
    expect(second.steps.map(({ kind, operation, outcome }) => [kind, operation, outcome])).toEqual([
      ['produto', 'newVersion', 'sent'],
      ['vinculo', 'unlink', 'sent'],
      ['produto', 'deactivate', 'sent'],
      ['operador', 'deactivate', 'sent'],
    ]);
    const { comparison } = await compared();
    expect(comparison.counts).toEqual({ operador: { igual: 1 }, produto: { igual: 2 }, vinculo: {} });
  });

  test.each(['lost-answer', 'late', 'killed-after'] as const)(
    'takes what was done there though nobody heard of it (%s) as its own',
    async (fate) => {
      await include('A', ['X']);
      await include('B');
      const { steps } = await run(new FaultyWire(once(fate, 2)));
      expect(steps.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
        ['sent', 1],
        ['adopted', 1],
      ]);
      expect(await namesThere()).toEqual(['A', 'B']);
    },
  );

  test.each(['drop', 'killed-before'] as const)(
    'sends again what was not done (%s), after two looks',
    async (fate) => {
      await include('A');
      const wire = new FaultyWire(once(fate));
      const { steps } = await run(wire);
      expect(steps).toMatchObject([{ outcome: 'sent', attempts: 2 }]);
      expect(wire.asked).toEqual([
        'POST includeProduct',
        ...['GET listProducts', 'GET listProducts'],
        'POST includeProduct',
      ]);
      expect(await namesThere()).toEqual(['A']);
    },
  );

  test('adopts the identical one there that a refusal names, where nobody has it', async () => {
    await include('A', ['X']);
    const wire = new FaultyWire(always);
    const { steps } = await run({
      ...wireOf(wire),
      // Somebody makes it there between the look and the request.
      ask: async (request: WireRequest) => {
        if (request.operation === 'includeProduct')
          await theirs.call('POST', PRODUCTS, { ...PLAIN, denominacao: 'A', codigosInterno: ['X'] });
        return wire.ask(request);
      },
    });
    expect(steps).toMatchObject([{ outcome: 'adopted', there: '0000000001' }]);
    expect(await namesThere()).toEqual(['A']);
  });

  test('never takes for its own what was there before, though it has the same internal code', async () => {
    await include('A', ['X']);
    await theirs.call('POST', PRODUCTS, { ...PLAIN, denominacao: 'Outro', codigosInterno: ['X'] });
    const isNew = { kind: 'produto', codigo: '1', remoteCodigo: null };
    const { steps } = await run(new FaultyWire(once('lost-answer')), (id) =>
      ours.call('POST', `/appliance/api/comparisons/${id}/pairs`, isNew),
    );
    expect(steps).toMatchObject([{ outcome: 'adopted', there: '0000000002' }]);
    expect(await namesThere()).toEqual(['Outro', 'A']);
  });

  test('leaves out what somebody changed there since the comparison, and tells the candidate', async () => {
    await include('A', ['X']);
    const wire = new FaultyWire(always);
    const other = { ...PLAIN, denominacao: 'Outro', codigosInterno: ['X'] };
    let isFirst = true;
    const { steps } = await run({
      ...wireOf(wire),
      ask: async (request: WireRequest) => {
        if (isFirst) await theirs.call('POST', PRODUCTS, other);
        isFirst = false;
        return wire.ask(request);
      },
    });
    expect(steps).toMatchObject([
      { outcome: 'skipped', code: 'mudouDepois', candidates: [{ there: '0000000001', name: 'Outro' }] },
    ]);
    expect(wire.asked).toEqual(['GET listProducts']);
  });

  test('pauses after 50 refusals in a row', async () => {
    for (let at = 0; at < REFUSALS_MAX + 1; at += 1) await include(`P ${at}`);
    const wire = new FaultyWire(always);
    const refused: WireAnswer = { is: 'answer', status: 422, body: { message: 'não', code: 'X-1' } };
    const { run: ended, steps } = await run({ ...wireOf(wire), ask: () => Promise.resolve(refused) });
    expect(ended).toMatchObject({ state: 'paused', reason: expect.stringContaining('50 recusas') });
    expect(steps.filter(({ outcome }) => outcome === 'refused')).toHaveLength(REFUSALS_MAX);
    expect(steps[0]).toMatchObject({ status: 422, code: 'X-1', message: 'não' });
  });

  test('pauses where a person has to look, with the step as it was', async () => {
    await include('A');
    const stopped: WireAnswer = { is: 'stopped', reason: 'o certificado não confere' };
    const wire = new FaultyWire(always);
    const { run: ended, steps } = await run({ ...wireOf(wire), ask: () => Promise.resolve(stopped) });
    expect(ended).toMatchObject({ state: 'paused', reason: 'o certificado não confere' });
    expect(steps).toMatchObject([{ outcome: 'pending', attempts: 0 }]);
  });

  test('gives up after 5 attempts, and says that it does not know', async () => {
    await include('A');
    const { run: ended, steps } = await run(
      new FaultyWire(({ method }) => (method === 'GET' ? 'done' : 'drop')),
    );
    expect(ended).toMatchObject({ state: 'done' });
    expect(steps).toMatchObject([{ outcome: 'uncertain', attempts: 5, due: null }]);
  });
});

describe('whatever becomes of requests', () => {
  const FATES: readonly Fate[] = ['lost-answer', 'drop', 'late', 'rest', 'killed-before', 'killed-after'];

  test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
    'seed %i: nothing twice, nothing lost',
    async (seed) => {
      const random = new Random(seed);
      const names = Array.from({ length: 8 }, (_, at) => `P ${at}`);
      for (const [at, name] of names.entries()) await include(name, random.chance(0.5) ? [`C${at}`] : []);
      const { codigo } = await ok('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, {
        ...MAKER,
        ...{ nome: 'Muster', ...(random.chance(0.5) && { tin: 'DE1' }) },
      });
      const link = { conhecido: true, codigoPais: 'DE', codigoOperadorEstrangeiro: codigo };
      for (const codigoProduto of [1, 2])
        await ok('POST', `/catp/api/ext/fabricante/${COMPANY}`, { codigoProduto, ...link });
      const wire = new FaultyWire(() => (random.chance(0.3) ? random.pick(FATES) : 'done'));
      await run(wire);
      await signIn();
      await ok('PUT', `${PRODUCTS}/3`, { ...PLAIN, denominacao: 'Mudado' });
      await ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/4`);
      await run(wire);
      await run(new FaultyWire(always));
      expect(wire.strayed).toEqual([]);
      const found = await namesThere();
      expect(found.toSorted()).toEqual([...new Set(found)].toSorted());
      const { comparison, records } = await compared();
      expect([records.filter(({ state }) => state !== 'igual'), comparison.counts]).toEqual([
        [],
        { operador: { igual: 1 }, produto: { igual: 8 }, vinculo: { igual: 2 } },
      ]);
    },
    120_000,
  );
});
