/** The stored counts for `total` equal those of the rows after every kind of write (contract section 25). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { SeededRandom } from '../../../src/seeded-random.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { PLAIN, importerOf, item } from '../import/undo-support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const STORED_COUNTS = 'SELECT company_id, situacao, count FROM product_count WHERE count <> 0 ORDER BY 1, 2';
const ROWS = 'SELECT company_id, situacao, count(*) AS count FROM product GROUP BY 1, 2 ORDER BY 1, 2';

function expectTrue(): void {
  const { db } = server.app.core;
  expect(db.prepare(STORED_COUNTS).all()).toEqual(db.prepare(ROWS).all());
}

const OF_COMPANY =
  'SELECT count(*) FROM product WHERE company_id = (SELECT id FROM company WHERE cpf_cnpj_raiz = ?)';
const COMPANY = '12345678';
const PRODUCT = `/catp/api/ext/produto/${COMPANY}`;

test('the counts are exact after includes, drafts, activations, deactivations, batches, imports and undo', async () => {
  const by = importerOf(demo);
  const random = new SeededRandom('counts', 'step', 0);
  const codes: number[] = [];
  const anyCode = (): number => random.pick(codes);
  const steps: readonly (() => Promise<unknown>)[] = [
    async () => codes.push(await by.include({ ...PLAIN, denominacao: `Caixa ${random.below(1000)}` })),
    () =>
      demo.call('POST', '/catp/api/ext/produto', [{ ...item({}), situacao: 'RASCUNHO' }, item({ seq: 2 })]),
    () =>
      demo.call('PUT', `${PRODUCT}/${anyCode()}`, { ...PLAIN, denominacao: `Tampa ${random.below(1000)}` }),
    () => demo.call('POST', '/catp/api/ext/produto', [item({ codigo: anyCode(), situacao: 'DESATIVADO' })]),
    // One item is refused, and its writes are rolled back.
    () =>
      by.importFile([item({ denominacao: `Nova ${random.below(1000)}` }), item({ seq: 2, codigo: 99_999 })]),
    async () => {
      const { id } = await by.importFile([
        item({ codigo: anyCode(), descricao: `${random.below(1000)}` }),
        item({ seq: 2 }),
      ]);
      await by.undo(id);
    },
  ];
  codes.push(await by.include());
  for (let at = 0; at < 60; at += 1) {
    await random.pick(steps)();
    expectTrue();
  }
  const { json } = await demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&limit=1`);
  const rows = server.app.core.db.prepare<[string], number>(OF_COMPANY).pluck().get(COMPANY);
  expect([json.total, json.totalIsExact]).toEqual([rows, true]);
});

test('the counts are exact after a reset', async () => {
  const admin = await server.as('admin');
  await demo.call('POST', PRODUCT, PLAIN);
  expect((await admin.call('POST', '/appliance/api/reset')).status).toBe(204);
  expectTrue();
  await demo.call('POST', PRODUCT, PLAIN);
  expectTrue();
});
