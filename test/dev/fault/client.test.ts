/**
 * A client built by the advice of the page of faults handles every fault, at every step, and ends with
 * one result.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { SCHEMES } from '../../support/tls.ts';
import { CarefulClient } from './careful-client.ts';
import { FAULTS, type Faulty, openFaulty } from './support.ts';

const COMPANY = '12345678';
/** Longer than the answer of a slow service: a request that the client gives up earlier may be done later. */
const TIMEOUT_MS = 5000;
const FAULT_OF_EACH_KIND = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'delay', ms: 200 },
  { kind: 'drop' },
  { kind: 'truncate', bytes: 20 },
  { kind: 'garbage' },
  { kind: 'expired-token' },
  { kind: 'hourly-limit' },
  { kind: 'daily-stop' },
  { kind: 'lost-answer' },
] as const;
/** The operations: the sign-in, the change, and the look for its result. */
const STEPS = ['authenticateWithKey', 'includeProduct', 'listProducts'] as const;

describe.each(SCHEMES)('over %s', (over) => {
  let faulty: Faulty;
  beforeAll(async () => {
    faulty = await openFaulty(over);
  });
  afterAll(() => faulty.close());
  beforeEach(async () => {
    await (await faulty.server.as('admin')).call('DELETE', FAULTS);
  });

  let productCount = 0;
  const product = () =>
    ({
      denominacao: 'Café em grão',
      modalidade: 'IMPORTACAO',
      ncm: '09012100',
      codigosInterno: [`CF-${over}-${++productCount}`],
    }) as const;
  const paused: number[] = [];
  const client = (): CarefulClient =>
    new CarefulClient({
      url: faulty.url,
      timeoutMs: TIMEOUT_MS,
      triesMax: 6,
      pause: async (seconds) => void paused.push(seconds),
    });
  test.each(FAULT_OF_EACH_KIND.map((fault) => [JSON.stringify(fault), fault] as const))(
    'survives %s at every step',
    async (_, fault) => {
      for (const operation of STEPS) await faulty.fail({ operation, fault });
      const wanted = product();
      const code = await client().include(COMPANY, wanted);
      expect(await client().list(COMPANY, wanted.codigosInterno[0])).toEqual([code]);
      const acted = (await faulty.rules()).filter((rule) => rule['acted'] === 1);
      // The look is only needed after an unknown outcome, or because of the line above.
      expect(acted).toHaveLength(3);
    },
  );

  test('has the product once after the answer was lost twice, in any way', async () => {
    for (const fault of [{ kind: 'lost-answer' }, { kind: 'truncate', bytes: 5 }] as const) {
      await faulty.fail({ operation: 'includeProduct', fault });
      await faulty.fail({ operation: 'listProducts', fault: { kind: 'drop' } });
      const wanted = product();
      const code = await client().include(COMPANY, wanted);
      expect(await client().list(COMPANY, wanted.codigosInterno[0])).toEqual([code]);
    }
  });

  test('waits as long as requested', async () => {
    paused.length = 0;
    await faulty.fail({ operation: 'includeProduct', times: 2, fault: { kind: 'status', status: 503 } });
    await faulty.fail({ operation: 'includeProduct', fault: { kind: 'hourly-limit' } });
    await client().include(COMPANY, product());
    expect(paused).toEqual([1, 1, 3600]);
  });
});
