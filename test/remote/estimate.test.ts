/**
 * The estimated end of a run (contract section 18): from the remote's limits and the requests of the steps.
 */
import { expect, test } from 'bun:test';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import { estimatedEnd } from '../../src/remote/run/estimate.ts';
import type { OutcomeCount } from '../../src/remote/run/store.ts';
import type { Pace } from '../../src/remote/wire/model.ts';
import { START, openApp } from '../support/app.ts';
import { COMPANY, NOTHING, compare } from './support.ts';

const FREE: Pace = { perHour: 900, downtime: null, used: () => 0, restsUntil: () => 0 };
const steps = (count: number, members: Partial<OutcomeCount> = {}): OutcomeCount => ({
  kind: 'produto',
  operation: 'include',
  outcome: 'pending',
  open: 1,
  lookups: 0,
  ...members,
  count,
});
/** Returns the estimated duration from now on, 9:00 in Brasília. */
const takes = (counts: readonly OutcomeCount[], pace: Partial<Pace> = {}, now = START): number | null => {
  const end = estimatedEnd(counts, { ...FREE, ...pace }, now);
  return end === null ? null : end - now;
};

test('a finished run has no estimate', () => {
  expect(takes([])).toBeNull();
  expect(takes([steps(3, { open: 0, outcome: 'sent' })])).toBeNull();
});

test('each operation has its own hourly limit: 900 fit, and the next request waits for the next hour', () => {
  expect(takes([steps(900)])).toBe(900 * SECOND_MS);
  expect(takes([steps(901)])).toBe(HOUR_MS + SECOND_MS);
  expect(takes([steps(100)], { perHour: 10 })).toBe(9 * HOUR_MS + 10 * SECOND_MS);
  // Other steps continue in between.
  expect(takes([steps(20), steps(10, { kind: 'vinculo', operation: 'link' })], { perHour: 10 })).toBe(
    HOUR_MS + 10 * SECOND_MS,
  );
});

test('lookups before a step count too, against their own hourly limit', () => {
  expect(takes([steps(10, { operation: 'newVersion', lookups: 10 })])).toBe(20 * SECOND_MS);
  // Two internal codes each: 100 lookups are done after 50 products.
  expect(takes([steps(60, { lookups: 120 })], { perHour: 100 })).toBe(HOUR_MS + 30 * SECOND_MS);
  // New versions and deactivations read the same list.
  const both = [
    steps(60, { operation: 'newVersion', lookups: 60 }),
    steps(60, { operation: 'deactivate', lookups: 60 }),
  ];
  expect(takes(both, { perHour: 100 })).toBe(HOUR_MS + 40 * SECOND_MS);
});

test('requests already sent in this hour reduce the rest of it, and a started hour ends sooner', () => {
  const used = (operation: string): number => (operation === 'includeProduct' ? 895 : 0);
  expect(takes([steps(5)], { used })).toBe(5 * SECOND_MS);
  expect(takes([steps(6)], { used })).toBe(HOUR_MS + SECOND_MS);
  expect(takes([steps(6)], { used }, START + 40 * MINUTE_MS)).toBe(20 * MINUTE_MS + SECOND_MS);
});

test('a rest of one operation lets the others continue, and a rest of all stops every one', () => {
  const until = START + 30 * MINUTE_MS;
  const ofIncludes = (operation: string) => (operation === 'includeProduct' ? until : 0);
  const link = steps(10, { kind: 'vinculo', operation: 'link' });
  expect(takes([link], { restsUntil: ofIncludes })).toBe(10 * SECOND_MS);
  expect(takes([steps(1), link], { restsUntil: ofIncludes })).toBe(30 * MINUTE_MS + SECOND_MS);
  expect(takes([link], { restsUntil: () => until })).toBe(30 * MINUTE_MS + 10 * SECOND_MS);
});

test('nothing is sent during the daily downtime, now or later', () => {
  expect(takes([steps(10)], { downtime: '08:00-10:00' })).toBe(HOUR_MS + 10 * SECOND_MS);
  expect(takes([steps(10)], { downtime: '09:00-09:30' })).toBe(30 * MINUTE_MS + 10 * SECOND_MS);
  expect(takes([steps(61)], { downtime: '09:01-09:30' })).toBe(30 * MINUTE_MS + SECOND_MS);
  expect(takes([steps(60)], { downtime: '09:01-09:30' })).toBe(MINUTE_MS);
});

test('the estimate ends after a year', () => {
  expect(takes([steps(366 * 24)], { perHour: 1 })).toBe((366 * 24 - 1) * HOUR_MS + SECOND_MS);
  expect(takes([steps(400 * 24)], { perHour: 1 })).toBeNull();
});

test('an uncertain step counts as one lookup', () => {
  expect(takes([steps(3, { outcome: 'uncertain' })])).toBe(3 * SECOND_MS);
});

test('a simulation is estimated by the pace of its remote and the internal codes of its products', async () => {
  const server = await openApp();
  try {
    const [demo, admin] = [await server.as('demo'), await server.as('admin')];
    const connection = { url: 'https://portal.exemplo', clientId: 'a', clientSecret: 'b' };
    await admin.call('POST', '/appliance/api/remotes', {
      name: 'portal',
      companies: [COMPANY],
      perHour: 3,
      downtime: '11:00-12:00',
      ...connection,
    });
    const plain = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
    for (const codigosInterno of [['X', 'Y'], ['Z'], []]) {
      const denominacao = `P ${codigosInterno.join(' ')}`;
      await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, { ...plain, denominacao, codigosInterno });
    }
    const end = async (filter: object) => {
      const { id } = await compare(server, demo, NOTHING);
      const started = await demo.call('POST', `/appliance/api/comparisons/${id}/runs`, {
        direction: 'send',
        simulate: true,
        ...filter,
      });
      await server.app.core.remote.runRunner.idle();
      return (await demo.call('GET', `/appliance/api/runs/${started.json.id}`)).json.estimatedEnd;
    };
    expect(await end({ codigos: ['3'] })).toBe('2026-01-15T09:00:01.000-03:00');
    expect(await end({ codigos: ['1'] })).toBe('2026-01-15T09:00:03.000-03:00');
    expect(await end({})).toBe('2026-01-15T09:00:06.000-03:00');
    // The last sign-in left no session, and a new one is only allowed after 65 s.
    const { writer, remote } = server.app.core;
    const { id: remoteId } = remote.remotes.find('portal');
    await writer.write(() => remote.connectionStore.putSignedIn(remoteId, START - 5 * SECOND_MS));
    expect(await end({ codigos: ['3'] })).toBe('2026-01-15T09:01:01.000-03:00');
    await admin.call('PUT', '/appliance/api/remotes/portal', { perHour: 1, downtime: '10:00-12:00' });
    // One step at 9:00, the downtime at 10:00, the others at 12:00 and 13:00.
    expect(await end({})).toBe('2026-01-15T13:00:02.000-03:00');
  } finally {
    await server.close();
  }
});
