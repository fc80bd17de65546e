/** GET /ext/fabricante/exportar/{cpfCnpjRaiz}, and the import of its file (contract section 7). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { LINKS_IN_FORCE } from '../../../src/catalogue/manufacturer-link/list-query.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { DEMO } from '../../support/caller.ts';
import { COMPANY, LINKS, givenOperator, givenProduct, linkTo, knownInBrazil, unknownIn } from './support.ts';

let app: TestApp;
let demo: Client;

beforeAll(async () => {
  app = await openApp();
  demo = await app.as('demo');
  for (let codigo = 1; codigo <= 3; codigo += 1) await givenProduct(demo);
  givenOperator(app, 'OPE_1', 'DE');
});

afterAll(() => app.close());

const exportPath = (cpfCnpjRaiz = COMPANY) => `${LINKS}/exportar/${cpfCnpjRaiz}`;

/** Returns the name and the text of the only file of an export. */
async function readExport(client: Client, cpfCnpjRaiz = COMPANY): Promise<readonly [string, string]> {
  const reply = await client.call('GET', exportPath(cpfCnpjRaiz));
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/zip');
  const [entry, ...others] = Object.entries(unzipSync(reply.bytes));
  expect(others).toEqual([]);
  const [name, bytes] = entry as [string, Uint8Array];
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="${name.replace('.json', '.zip')}"`,
  );
  return [name, new TextDecoder().decode(bytes)];
}

test('a user without a session or without the company is refused', async () => {
  expect((await app.anybody.call('GET', exportPath())).status).toBe(401);
  expect((await (await app.as('estranho')).call('GET', exportPath())).status).toBe(403);
  expect((await (await app.as('admin')).call('GET', exportPath())).status).toBe(403);
  expect((await demo.call('GET', exportPath('1'))).status).toBe(400);
});

test('a company without links has an empty list', async () => {
  expect(await readExport(demo, '87654321')).toEqual([
    'VINCULOS_FABRICANTES_87654321_20260115090000.json',
    '[]',
  ]);
});

test('the links in force have the batch form, ordered by product and not by the time of linking', async () => {
  await demo.call('POST', `${LINKS}/${COMPANY}`, knownInBrazil(3));
  await demo.call('POST', `${LINKS}/${COMPANY}`, unknownIn(2, 'US'));
  await demo.call('PUT', `${LINKS}/${COMPANY}`, unknownIn(2, 'US'));
  const item = { seq: 1, cpfCnpjRaiz: COMPANY, ...linkTo(1, 'DE', 'OPE_1'), dataReferencia: '2025-12-31' };
  await demo.call('POST', LINKS, [item]);
  const [, text] = await readExport(demo);
  expect(text).toBe(
    JSON.stringify(
      [
        {
          seq: 1,
          cpfCnpjRaiz: COMPANY,
          codigoProduto: 1,
          conhecido: true,
          codigoPais: 'DE',
          codigoOperadorEstrangeiro: 'OPE_1',
          cpfCnpjFabricante: null,
          vincular: true,
          dataReferencia: '2025-12-31T00:00:00-03:00',
        },
        {
          seq: 2,
          cpfCnpjRaiz: COMPANY,
          codigoProduto: 3,
          conhecido: true,
          codigoPais: 'BR',
          codigoOperadorEstrangeiro: null,
          cpfCnpjFabricante: '12345678000195',
          vincular: true,
          dataReferencia: '2026-01-15T00:00:00-03:00',
        },
      ],
      null,
      2,
    ),
  );
});

test('a public agent exports', async () => {
  const open = await openApp({ settings: { ambiente: 'producao' } });
  await readExport(await open.as('publico'));
  await open.close();
});

test('no query sorts or scans a table', () => {
  const plan = app.app.core.db
    .prepare<[number, number], { detail: string }>(`EXPLAIN QUERY PLAN ${LINKS_IN_FORCE}`)
    .all(1, 2)
    .map(({ detail }) => detail);
  expect(plan).toEqual([
    'SEARCH manufacturer_link USING INDEX manufacturer_link_once (product_id>? AND product_id<?)',
  ]);
});

describe('a moved catalogue (modo=espelho)', () => {
  const mirror = ({ app: { core } }: TestApp, items: readonly object[]): Promise<string[]> =>
    core.writer.write((tx) =>
      items.map(
        (item) => core.catalogue.link.items.apply(tx, DEMO, item, 'espelho', { origin: 'file' }).outcome,
      ),
    );

  test('links of missing products and of missing operators are refused', async () => {
    const seq = { seq: 1, cpfCnpjRaiz: COMPANY };
    await expect(mirror(app, [{ ...seq, ...unknownIn(999, 'DE') }])).rejects.toThrow('não existe produto');
    await expect(mirror(app, [{ ...seq, ...linkTo(1, 'DE', 'OPE_9') }])).rejects.toThrow(
      'não existe no catálogo',
    );
  });

  test('an export that is imported again changes nothing', async () => {
    const [, before] = await readExport(demo);
    const items = JSON.parse(before) as object[];
    expect(await mirror(app, items)).toEqual(items.map(() => 'unchanged'));
    expect((await readExport(demo))[1]).toBe(before);
  });

  test('an export that another instance imports has the same bytes there', async () => {
    const [, before] = await readExport(demo);
    const items = JSON.parse(before) as object[];
    const otherServer = await openApp();
    const client = await otherServer.as('demo');
    for (let codigo = 1; codigo <= 3; codigo += 1) await givenProduct(client);
    // The product and the operator were deactivated after the link was created.
    await client.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/3`);
    givenOperator(otherServer, 'OPE_1', 'DE', 'DESATIVADO');
    expect(await mirror(otherServer, items.toReversed())).toEqual(items.map(() => 'created'));
    expect((await readExport(client))[1]).toBe(before);
    await otherServer.close();
  });

  test('an item of a file accepts any seq, and one that ends a link reports so', async () => {
    const item = { seq: 1_000_000, cpfCnpjRaiz: COMPANY, ...unknownIn(2, 'IT') };
    expect(await mirror(app, [item, { ...item, vincular: false }])).toEqual(['created', 'newVersion']);
  });
});
