/**
 * Sends to a remote that loses, delays and garbles answers (contract section 18): the remote is a whole
 * instance; a test cuts the connection at given points, or at random from a seed.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { REFUSALS_MAX } from '../../src/remote/run/worker.ts';
import type { WireAnswer, WireRequest } from '../../src/remote/wire/model.ts';
import { simulateSending } from './sending-world.ts';
import { COMPANY } from './support.ts';
import { type Fate, FaultyWire, TwoCatalogues } from './two-catalogues.ts';

let two: TwoCatalogues;

const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;

const run: TwoCatalogues['run'] = (...options) => two.run(...options);
const include: TwoCatalogues['include'] = (...options) => two.include(...options);

const always = (): Fate => 'done';
/** Returns a fate for the n-th request that changes something. */
const once = (fate: Fate, n = 1) => {
  let writes = 0;
  return ({ method }: WireRequest): Fate => (method !== 'GET' && (writes += 1) === n ? fate : 'done');
};

describe('a run', () => {
  beforeEach(async () => {
    two = await TwoCatalogues.open();
  });
  afterEach(() => two.close());

  test('sends operators, products, links, unlinks and deactivations, and everything is igual afterwards', async () => {
    const [old, unchanged] = [await include('Velho'), await include('Mantido', ['K'])];
    const operator = await two.includeOperator();
    await two.link(old, operator);
    const first = await run(new FaultyWire(two, always));
    expect(first.run).toMatchObject({ state: 'done' });
    expect(first.steps.map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'sent', 'sent']);
    await two.signIn();
    await two.link(old, operator, 'PUT');
    await two.deactivate(old);
    await two.change(unchanged, 'Mudado', ['K']);
    await two.ok('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${operator}/1`);
    const second = await run(new FaultyWire(two, always));
    expect(second.steps.map(({ kind, operation, outcome }) => [kind, operation, outcome])).toEqual([
      ['produto', 'newVersion', 'sent'],
      ['vinculo', 'unlink', 'sent'],
      ['produto', 'deactivate', 'sent'],
      ['operador', 'deactivate', 'sent'],
    ]);
    const { comparison } = await two.runComparison();
    expect(comparison.counts).toEqual({ operador: { igual: 1 }, produto: { igual: 2 }, vinculo: {} });
  });

  test.each(['lost-answer', 'late', 'killed-after'] as const)(
    'adopts what the remote did without a readable answer (%s)',
    async (fate) => {
      await include('A', ['X']);
      await include('B');
      const { steps } = await run(new FaultyWire(two, once(fate, 2)));
      expect(steps.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
        ['sent', 1],
        ['adopted', 1],
      ]);
      expect(await two.remoteNames()).toEqual(['A', 'B']);
    },
  );

  test('that rests between a refusal as identical and its lookup continues automatically, and adopts the record', async () => {
    await include('A');
    let isRefused = false;
    let rests = 1;
    const fate = ({ operation, method }: WireRequest): Fate => {
      if (method !== 'GET') isRefused = true;
      return isRefused && operation === 'listProducts' && rests-- > 0 ? 'rest' : 'done';
    };
    const { run: ended, steps } = await run(new FaultyWire(two, fate), async () => {
      await two.theirs.call('POST', PRODUCTS, { ...PLAIN, denominacao: 'A', codigosInterno: [] });
    });
    expect(ended).toMatchObject({ state: 'done' });
    expect(steps.map(({ outcome }) => outcome)).toEqual(['adopted']);
    expect(await two.remoteNames()).toEqual(['A']);
  });

  test.each(['drop', 'killed-before'] as const)(
    'sends again what was not done (%s), after two lookups',
    async (fate) => {
      await include('A');
      const wire = new FaultyWire(two, once(fate));
      const { steps } = await run(wire);
      expect(steps).toMatchObject([{ outcome: 'sent', attempts: 2 }]);
      expect(wire.requests).toEqual([
        'POST includeProduct',
        ...['GET listProducts', 'GET listProducts'],
        'POST includeProduct',
      ]);
      expect(await two.remoteNames()).toEqual(['A']);
    },
  );

  test.each(['garbled', 'doubled'] as const)('does not accept an unreadable answer (%s)', async (fate) => {
    for (const name of ['A', 'B', 'C']) await include(name);
    const { steps } = await run(new FaultyWire(two, once(fate, 2)));
    expect(steps.map(({ outcome, remoteKey }) => [outcome, remoteKey])).toEqual([
      ['sent', '0000000001'],
      ['adopted', '0000000002'],
      ['sent', '0000000003'],
    ]);
    expect(await two.remoteNames()).toEqual(['A', 'B', 'C']);
  });

  test.each(['lost-answer', 'killed-after'] as const)(
    'does not accept the answer to another request (%s)',
    async (fate) => {
      for (const name of ['A', 'B', 'C']) await include(name);
      const fates: Fate[] = ['done', fate, 'doubled'];
      const wire = new FaultyWire(two, ({ method }) =>
        method === 'GET' ? 'done' : (fates.shift() ?? 'done'),
      );
      const { steps } = await run(wire);
      expect(steps.map(({ outcome, remoteKey }) => [outcome, remoteKey])).toEqual([
        ['sent', '0000000001'],
        ['adopted', '0000000002'],
        ['adopted', '0000000003'],
      ]);
      expect(await two.remoteNames()).toEqual(['A', 'B', 'C']);
    },
  );

  test('adopts the identical remote record that a refusal names, if it has no pair', async () => {
    await include('A', ['X']);
    const wire = new FaultyWire(two, always);
    const wireWithRecord = wire.asking(async (request) => {
      // Another client includes it on the remote between the lookup and the request.
      if (request.operation === 'includeProduct')
        await two.theirs.call('POST', PRODUCTS, { ...PLAIN, denominacao: 'A', codigosInterno: ['X'] });
      return wire.ask(request);
    });
    const { steps } = await run(wireWithRecord);
    expect(steps).toMatchObject([{ outcome: 'adopted', remoteKey: '0000000001' }]);
    expect(await two.remoteNames()).toEqual(['A']);
  });

  test('does not adopt a remote record that existed before, although it has the same internal code', async () => {
    await include('A', ['X']);
    await two.theirs.call('POST', PRODUCTS, { ...PLAIN, denominacao: 'Outro', codigosInterno: ['X'] });
    const isNew = { kind: 'produto', codigo: '1', remoteCodigo: null };
    const { steps } = await run(new FaultyWire(two, once('lost-answer')), (id) =>
      two.ours.call('POST', `/appliance/api/comparisons/${id}/pairs`, isNew),
    );
    expect(steps).toMatchObject([{ outcome: 'adopted', remoteKey: '0000000002' }]);
    expect(await two.remoteNames()).toEqual(['Outro', 'A']);
  });

  test('skips a record that changed in the remote since the comparison, and lists the candidate', async () => {
    await include('A', ['X']);
    const wire = new FaultyWire(two, always);
    const other = { ...PLAIN, denominacao: 'Outro', codigosInterno: ['X'] };
    let isFirst = true;
    const spoilt = wire.asking(async (request) => {
      if (isFirst) await two.theirs.call('POST', PRODUCTS, other);
      isFirst = false;
      return wire.ask(request);
    });
    const { steps } = await run(spoilt);
    expect(steps).toMatchObject([
      { outcome: 'skipped', code: 'mudouDepois', candidates: [{ there: '0000000001', name: 'Outro' }] },
    ]);
    expect(wire.requests).toEqual(['GET listProducts']);
  });

  test('pauses after 50 refusals in a row', async () => {
    for (let at = 0; at < REFUSALS_MAX + 1; at += 1) await include(`P ${at}`);
    const wire = new FaultyWire(two, always);
    const refused: WireAnswer = { kind: 'answer', status: 422, body: { message: 'não', code: 'X-1' } };
    const { run: ended, steps } = await run(wire.asking(() => Promise.resolve(refused)));
    expect(ended).toMatchObject({ state: 'paused', reason: expect.stringContaining('50 recusas') });
    expect(two.pauses).toEqual([expect.stringContaining('50 recusas')]);
    expect(steps.filter(({ outcome }) => outcome === 'refused')).toHaveLength(REFUSALS_MAX);
    expect(steps[0]).toMatchObject({ status: 422, code: 'X-1', message: 'não' });
  });

  test('pauses when a person must act, and keeps the step', async () => {
    await include('A');
    const stopped: WireAnswer = { kind: 'stopped', reason: 'o certificado não confere' };
    const wire = new FaultyWire(two, always);
    const { run: ended, steps } = await run(wire.asking(() => Promise.resolve(stopped)));
    expect(ended).toMatchObject({ state: 'paused', reason: 'o certificado não confere' });
    expect(two.pauses).toEqual(['o certificado não confere']);
    expect(steps).toMatchObject([{ outcome: 'pending', attempts: 0 }]);
  });

  test('fails if an answer is too large, leaves the sent step uncertain, and requests nothing again', async () => {
    await include('A');
    const tooLarge: WireAnswer = { kind: 'tooLarge', reason: 'a resposta passa de 1 MiB' };
    let count = 0;
    const wire = new FaultyWire(two, always);
    const { run: ended, steps } = await run(
      wire.asking((request) => {
        count += 1;
        return request.method === 'GET' ? wire.ask(request) : Promise.resolve(tooLarge);
      }),
    );
    expect(ended).toMatchObject({ state: 'failed', reason: tooLarge.reason });
    expect(steps).toMatchObject([{ outcome: 'uncertain', attempts: 1, message: tooLarge.reason }]);
    expect(count).toBe(1);
  });

  test('gives up after 5 attempts with an uncertain step', async () => {
    await include('A');
    const { run: ended, steps } = await run(
      new FaultyWire(two, ({ method }) => (method === 'GET' ? 'done' : 'drop')),
    );
    expect(ended).toMatchObject({ state: 'done' });
    expect(steps).toMatchObject([{ outcome: 'uncertain', attempts: 5, due: null }]);
  });
});

describe('any fate of requests', () => {
  // More seeds: bun run scripts/simulate.ts --remote --seeds N
  test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
    'seed %i: nothing twice, nothing lost',
    async (seed) => {
      const { violation, trace } = await simulateSending(seed);
      expect(violation === undefined ? [] : [violation.message, ...trace]).toEqual([]);
    },
  );
});
