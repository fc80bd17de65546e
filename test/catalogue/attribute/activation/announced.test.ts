/**
 * Two weeks of the public list in its usual form: an optional pair gets an end, and the mandatory one
 * appears only in the list of the next midnight (contract section 8). Tables of a tenth of the public size:
 * a table of the whole size is loaded in history.test.ts.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { publicTable } from '../../../support/public-table.ts';
import { COMPANY, activate, deactivations, include, load, product, situations } from '../support.ts';

setDefaultTimeout(300_000);

const TABLES_IN_A_ROW = 14;
const NCMS = 1_057;
const PAIRS = 7_247;
const ATTRIBUTES = 131;

/** Returns a day after 2026-01-15, the first day of the clock, on which the first pair ends. */
const dayAfter = (days: number): string => `2026-01-${String(15 + days).padStart(2, '0')}`;

/** Returns the NCM of the n-th day. */
const ncmOf = (n: number): string => String(99_010_000 + n);
const codeOf = (n: number): string => `ATT_A${n}`;

type Table = { versao: string; listaNcm: object[]; detalhesAtributos: { codigo: string }[] };

const PUBLIC = JSON.parse(
  publicTable({
    ncms: NCMS - TABLES_IN_A_ROW,
    pairs: PAIRS - TABLES_IN_A_ROW,
    attributes: ATTRIBUTES - TABLES_IN_A_ROW,
  }),
) as Table;
const TEXT = { ...PUBLIC.detalhesAtributos[0], formaPreenchimento: 'TEXTO', tamanhoMaximo: 10, dominio: [] };

/** Builds the list of a midnight: pairs that ended before are mandatory, the others have their end. */
function tableOf(day: number): object {
  const days = Array.from({ length: TABLES_IN_A_ROW }, (_, n) => n);
  const pairOf = (n: number): object =>
    n < day
      ? { obrigatorio: true, dataInicioVigencia: dayAfter(n + 1) }
      : { obrigatorio: false, dataInicioVigencia: '2023-01-01', dataFimVigencia: dayAfter(n) };
  return {
    versao: String(day + 1),
    listaNcm: [
      ...PUBLIC.listaNcm,
      ...days.map((n) => ({
        codigoNcm: ncmOf(n).replace(/(....)(..)(..)/, '$1.$2.$3'),
        listaAtributos: [{ codigo: codeOf(n), modalidade: 'Importação', multivalorado: false, ...pairOf(n) }],
      })),
    ],
    detalhesAtributos: [
      ...PUBLIC.detalhesAtributos,
      ...days.map((n) => ({ ...TEXT, codigo: codeOf(n), condicionados: [], listaSubatributos: [] })),
    ],
  };
}

let server: TestApp;
let admin: Client;
let demo: Client;
async function signIn(): Promise<void> {
  admin = await server.as('admin');
  demo = await server.as('demo');
}
beforeAll(async () => {
  server = await openApp();
  await signIn();
});
afterAll(() => server.close());

const accepts = async (ncm: string, ...codes: string[]): Promise<boolean> =>
  (await demo.call('POST', `/catp/api/ext/produto/87654321`, product(ncm, ...codes))).status === 200;

test('fourteen tables in a row deactivate only products without a value, each on the day on which a table requires it', async () => {
  await activate(admin, await load(admin, tableOf(0)));
  const filled: number[] = [];
  const empty: number[] = [];
  for (let n = 0; n < TABLES_IN_A_ROW; n += 1) {
    filled.push(await include(demo, product(ncmOf(n), codeOf(n))));
    empty.push(await include(demo, product(ncmOf(n))));
  }
  const deactivatedCodes = async (): Promise<number[]> =>
    Object.entries(await situations(demo))
      .filter(([, situacao]) => situacao === 'DESATIVADO')
      .map(([codigo]) => Number(codigo));
  for (let day = 1; day <= TABLES_IN_A_ROW; day += 1) {
    const set = `${dayAfter(day)}T03:10:00Z`; // 00:10 in Brasília: the nightly job has run
    expect((await admin.call('POST', '/appliance/api/clock', { set })).status).toBe(200);
    await signIn();
    const [ended, required] = [ncmOf(day - 1), codeOf(day - 1)];
    // The end of a pair deactivates no product, and refuses none with or without the value.
    expect(await deactivatedCodes()).toEqual(empty.slice(0, day - 1));
    expect([await accepts(ended, required), await accepts(ended)]).toEqual([true, true]);
    await activate(admin, await load(admin, tableOf(day)));
    expect(await deactivatedCodes()).toEqual(empty.slice(0, day));
    expect([await accepts(ended, required), await accepts(ended)]).toEqual([true, false]);
  }
  expect(deactivations(server).filter(([company]) => company === COMPANY)).toEqual(
    empty.map((codigo, n) => [COMPANY, ncmOf(n), [codigo]]),
  );
  expect(filled).toHaveLength(TABLES_IN_A_ROW);
});
