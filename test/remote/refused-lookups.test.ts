/**
 * A remote that refuses to show its records (contract section 18): no request is repeated forever, and
 * nothing is lost.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { REFUSALS_MAX } from '../../src/remote/run/worker.ts';
import type { WireRequest } from '../../src/remote/wire/model.ts';
import { COMPANY } from './support.ts';
import { type Fate, FaultyWire, TwoCatalogues } from './two-catalogues.ts';

const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const MANY = { state: 'paused', reason: expect.stringContaining('50 recusas') };
const WORDS = { status: 403, code: 'X-2', message: 'não pode ver' };

let two: TwoCatalogues;

beforeEach(async () => {
  two = await TwoCatalogues.open();
});
afterEach(() => two.close());

const isLookup = ({ method }: WireRequest): boolean => method === 'GET';
const lookups = ({ requests }: FaultyWire): number => requests.filter((one) => one.startsWith('GET')).length;
const writes = ({ requests }: FaultyWire): string[] => requests.filter((one) => !one.startsWith('GET'));
/** Refuses all lookups, or the first `count`. `write`: the fate of the first request that changes something. */
function refusing({ count = Infinity, write = 'done' }: { count?: number; write?: Fate } = {}): FaultyWire {
  let remaining = count;
  let isFirst = true;
  return new FaultyWire(two, (request) => {
    if (isLookup(request)) return remaining-- > 0 ? 'refused-lookup' : 'done';
    const fate = isFirst ? write : 'done';
    isFirst = false;
    return fate;
  });
}

describe('a refused lookup before a send', () => {
  test('is the refusal of its step, with the message of the remote, and the run continues', async () => {
    await two.include('A', ['X']);
    await two.include('B');
    const wire = refusing();
    const { run, steps } = await two.run(wire);
    expect(run).toMatchObject({ state: 'done' });
    expect(steps).toMatchObject([{ outcome: 'refused', ...WORDS, attempts: 0 }, { outcome: 'sent' }]);
    expect(wire.requests).toEqual(['GET listProducts', 'POST includeProduct']);
    expect(await two.remoteNames()).toEqual(['B']);
  });

  test('also ends a new version and a deactivation', async () => {
    const [changed, fallen] = [await two.include('A'), await two.include('B')];
    const operator = await two.includeOperator();
    await two.run(refusing({ count: 0 }));
    await two.signIn();
    await two.change(changed, 'Mudado');
    await two.deactivate(fallen);
    await two.ok('PUT', `/catp/api/ext/operador-estrangeiro/desativar/${COMPANY}/DE/${operator}/1`);
    const wire = refusing();
    const { run, steps } = await two.run(wire);
    expect([run?.state, steps.map(({ outcome }) => outcome)]).toEqual(['done', Array(3).fill('refused')]);
    expect(writes(wire)).toEqual([]);
  });

  test('counts among the 50 refusals that pause a run', async () => {
    for (let at = 0; at < REFUSALS_MAX + 1; at += 1) await two.include(`P ${at}`, [`C${at}`]);
    const wire = refusing();
    const { run, steps } = await two.run(wire);
    expect(run).toMatchObject(MANY);
    expect(steps.map(({ outcome }) => outcome)).toEqual([...Array(REFUSALS_MAX).fill('refused'), 'pending']);
    expect(lookups(wire)).toBe(REFUSALS_MAX);
  });

  test('below that number pauses no run', async () => {
    for (let at = 0; at < REFUSALS_MAX; at += 1) await two.include(`P ${at}`, [`C${at}`]);
    const { run, steps } = await two.run(refusing({ count: REFUSALS_MAX - 1 }));
    expect([run?.state, steps.at(-1)?.outcome]).toEqual(['done', 'sent']);
  });
});

describe('a refused lookup after a send', () => {
  test('does not refuse the step: it stays uncertain, is not sent again, and finally pauses the run', async () => {
    await two.include('A');
    const wire = refusing({ write: 'lost-answer' });
    const { run, steps } = await two.run(wire);
    expect(run).toMatchObject(MANY);
    expect(steps).toMatchObject([{ outcome: 'uncertain', attempts: 1, message: WORDS.message }]);
    expect([writes(wire), lookups(wire)]).toEqual([['POST includeProduct'], REFUSALS_MAX]);
    expect(await two.remoteNames()).toEqual(['A']);
  });

  test('is repeated, and finds the record once the remote answers', async () => {
    await two.include('A');
    const wire = refusing({ write: 'lost-answer', count: 3 });
    const { run, steps } = await two.run(wire);
    expect([run?.state, steps]).toMatchObject(['done', [{ outcome: 'adopted', attempts: 1 }]]);
    expect([writes(wire), lookups(wire)]).toEqual([['POST includeProduct'], 3 + 1]);
    expect(await two.remoteNames()).toEqual(['A']);
  });

  test('does not delay other steps', async () => {
    for (const name of ['A', 'B', 'C']) await two.include(name);
    const wire = refusing({ write: 'lost-answer', count: 1 });
    const { run, steps } = await two.run(wire);
    expect([run?.state, steps.map(({ outcome }) => outcome)]).toEqual(['done', ['adopted', 'sent', 'sent']]);
    expect(writes(wire)).toHaveLength(3);
  });

  test('of a link is an export of links, which may be refused too', async () => {
    const [product, operator] = [await two.include('A'), await two.includeOperator()];
    await two.run(refusing({ count: 0 }));
    await two.signIn();
    await two.link(product, operator);
    const wire = refusing({ write: 'lost-answer' });
    const { run, steps } = await two.run(wire);
    expect(run).toMatchObject(MANY);
    expect(steps).toMatchObject([{ kind: 'vinculo', outcome: 'uncertain', message: WORDS.message }]);
    expect(writes(wire)).toEqual(['POST linkManufacturer']);
    expect((await two.runComparison()).comparison.counts.vinculo).toEqual({ igual: 1 });
  });
});

test('a refusal as identical stays one if the remote does not show the identical record', async () => {
  await two.include('A');
  const wire = refusing();
  const { run, steps } = await two.run(wire, () =>
    two.theirs.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
      ...PLAIN,
      denominacao: 'A',
      codigosInterno: [],
    }),
  );
  expect(run).toMatchObject({ state: 'done' });
  expect(steps).toMatchObject([{ outcome: 'refused', message: expect.stringContaining('idêntico') }]);
  expect(wire.requests).toEqual(['POST includeProduct', 'GET listProducts']);
  expect(await two.remoteNames()).toEqual(['A']);
});
