/** An instance, and its findings: the requests that the public service would have refused. */
import { type Client, type OpenAppOptions, type TestApp, openApp } from '../../support/app.ts';

export const CONFORMITY = '/appliance/api/conformity';
export const PRODUCTS = '/catp/api/ext/produto/12345678';
export const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
export const BATCH = '/catp/api/ext/produto';
export const PRODUCT = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
export const DEMO = '00000000191';

export interface Finding {
  readonly rule: string;
  readonly count: number;
  readonly users: string[];
  readonly firstAt: string;
  readonly lastAt: string;
  readonly until: string | null;
  readonly requests: number[];
}

export interface Watched {
  readonly server: TestApp;
  readonly demo: Client;
  readonly admin: Client;
  readonly findings: () => Promise<Finding[]>;
  /** Returns the number of findings of each rule since the previous call. */
  readonly countFindings: () => Promise<Record<string, number>>;
  readonly close: () => Promise<void>;
}

export async function openWatched(options: OpenAppOptions = {}): Promise<Watched> {
  const server = await openApp(options);
  const [demo, admin] = [await server.as('demo'), await server.as('admin')];
  const findings = async (): Promise<Finding[]> => (await admin.call('GET', CONFORMITY)).json.findings;
  return {
    server,
    demo,
    admin,
    findings,
    countFindings: async () => {
      const counts = Object.fromEntries((await findings()).map(({ rule, count }) => [rule, count]));
      await admin.call('DELETE', CONFORMITY);
      return counts;
    },
    close: () => server.close(),
  };
}
