/** Opens a server for each test of deadlines, and sends their requests; today is 2026-01-15. */
import { afterEach, beforeEach } from 'bun:test';
import { DAY_MS } from '../../../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../../../support/app.ts';
import { COMPANY, activate, load } from '../support.ts';

export const PATH = '/appliance/api/deadlines';
export const [SCREW, COFFEE, TOY] = ['73181500', '09012100', '95030010'] as const;

/** Pair of ATT_1 that is optional until the last day of January. */
export const ANNOUNCING = { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-01-31' }] };
export const ANNOUNCED = { on: '2026-02-01', kind: 'announced', overdue: false, ncm: SCREW, codigo: 'ATT_1' };

export function deadlinesForEachTest() {
  let server: TestApp;
  let demo: Client;
  let admin: Client;
  const signIn = async (): Promise<void> => {
    demo = await server.as('demo');
    admin = await server.as('admin');
  };

  beforeEach(async () => {
    server = await openApp({ settings: { ambiente: 'producao' } });
    await signIn();
  });
  afterEach(() => server.close());

  const get = async (client: Client, query = '') => (await client.call('GET', `${PATH}?${query}`)).json;
  return {
    get server(): TestApp {
      return server;
    },
    get demo(): Client {
      return demo;
    },
    get admin(): Client {
      return admin;
    },
    /** Loads a table and puts it in force. */
    put: async (file: object, on?: string): Promise<void> =>
      void (await activate(admin, await load(admin, file), on)),
    get,
    deadlines: async (query = '') => (await get(demo, query)).items,
    /** Returns the codes of the products that lack a value. */
    codesWithoutValue: async (query = ''): Promise<number[]> => {
      const path = `${PATH}/products?cpfCnpjRaiz=${COMPANY}&${query}`;
      const { json, text, status } = await demo.call('GET', path);
      if (status !== 200) throw new Error(text);
      return json.items.map(({ codigo }: { codigo: string }) => Number(codigo));
    },
    /** Moves the clock, and signs in again because the sessions have expired. */
    daysLater: (days: number): Promise<void> => {
      server.clock.moveTo(START + days * DAY_MS);
      return signIn();
    },
  };
}
