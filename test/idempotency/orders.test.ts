/** Orders that a client repeats with an `Idempotency-Key` after a lost answer (contract section 16). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, TestClock } from '../../src/clock.ts';
import { importerOf } from '../catalogue/import/undo-support.ts';
import { csv, ended, importRows, send } from '../catalogue/sheet/support.ts';
import { COMPANY, NOTHING, compare, form } from '../remote/support.ts';
import { type Client, type Reply, START, type TestApp, openApp } from '../support/app.ts';

const IMPORTS = '/appliance/api/imports';
const CHANGES = '/appliance/api/products/changes';
const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const HEADINGS = ['Denominação', 'NCM', 'Modalidade'];
const ROWS = [HEADINGS, ['Caixa', '39269090', 'IMPORTACAO']];
const FAILING = [HEADINGS, ['Caixa', 'abc', 'IMPORTACAO']];
const REMOTE_PRODUCT = {
  seq: 1,
  codigo: 7,
  cpfCnpjRaiz: COMPANY,
  situacao: 'Ativado',
  versao: '1',
  ...PLAIN,
  descricao: null,
  atributos: null,
  atributosMultivalorados: [],
  atributosCompostos: null,
  codigosInterno: null,
};

let clock: TestClock;
let server: TestApp;
let demo: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  server = await openApp({ clock });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const keyed = (key: string) => ({ 'idempotency-key': key });
const fileOf = (name: string): FormData => {
  const file = new FormData();
  file.set('tipo', 'produto');
  file.set(
    'file',
    new File([JSON.stringify([{ seq: 1, cpfCnpjRaiz: COMPANY, ...PLAIN, denominacao: name }])], 'a.json'),
  );
  return file;
};
const sheetForm = (): FormData => {
  const sheet = new FormData();
  for (const [name, value] of Object.entries({ tipo: 'produto', cpfCnpjRaiz: COMPANY }))
    sheet.set(name, value);
  sheet.set('file', new File([csv(ROWS)], 'a.csv'));
  return sheet;
};
const importFile = (key: string, name = 'Caixa', client = demo): Promise<Reply> =>
  client.call('POST', IMPORTS, fileOf(name), keyed(key));
const idOf = ({ status, json }: Reply): number => {
  expect([status, json]).toEqual([202, { id: expect.any(Number) }]);
  return json.id;
};
const refusalOf = ({ status, json }: Reply) => [status, json.detail?.[0]];
const countOf = async (path: string): Promise<number> => (await demo.call('GET', path)).json.length;
const filesOf = (): string[] => readdirSync(join(server.folder, 'imports'));

describe('an order with an Idempotency-Key', () => {
  test('that is repeated gets the answer of the first one, and acts once', async () => {
    const id = idOf(await importFile('a'));
    await ended(demo, await importFile('a'));
    expect(idOf(await importFile('a'))).toBe(id);
    expect(await countOf(IMPORTS)).toBe(1);
    expect(filesOf()).toEqual([]);
  });

  test('with another body is 422 that names the key; with another key it acts', async () => {
    const id = idOf(await importFile('a'));
    const reply = await importFile('a', 'Tampa');
    expect(refusalOf(reply)).toEqual([
      422,
      {
        code: 'CATP-ER1043',
        message: expect.stringContaining('recebido "a"'),
        field: 'Idempotency-Key',
        path: 'Idempotency-Key',
      },
    ]);
    expect(idOf(await importFile('b', 'Tampa'))).not.toBe(id);
    expect(await countOf(IMPORTS)).toBe(2);
  });

  test('of another operation is a different order', async () => {
    const id = idOf(await importFile('a'));
    await ended(demo, await importFile('a'));
    expect((await demo.call('POST', `${IMPORTS}/${id}/undo`, {}, keyed('a'))).status).toBe(422);
    idOf(await demo.call('POST', `${IMPORTS}/${id}/undo`, {}, keyed('b')));
    expect((await demo.call('POST', `${IMPORTS}/${id}/undo`, { simular: true }, keyed('b'))).status).toBe(
      422,
    );
  });

  test('of another user acts', async () => {
    const id = idOf(await importFile('a'));
    const colleague = await server.as('demo2');
    expect(idOf(await importFile('a', 'Caixa', colleague))).not.toBe(id);
  });

  test('is remembered for 24 hours of the clock, and not longer', async () => {
    const id = idOf(await importFile('a'));
    await server.app.core.imports.runner.idle();
    clock.moveTo(START + DAY_MS - 1);
    demo = await server.as('demo');
    expect(idOf(await importFile('a'))).toBe(id);
    clock.moveTo(START + DAY_MS);
    expect((await importFile('a', 'Tampa')).status).toBe(202);
    expect(await countOf(IMPORTS)).toBe(2);
  });

  test('in three concurrent requests acts once', async () => {
    const { codigo } = (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PLAIN)).json;
    const order = { cpfCnpjRaiz: COMPANY, codigos: [codigo], set: { denominacao: 'Tampa' } };
    const all = await Promise.all([1, 2, 3].map(() => demo.call('POST', CHANGES, order, keyed('a'))));
    expect(new Set(all.map(idOf)).size).toBe(1);
    expect(await countOf(IMPORTS)).toBe(1);
    const files = await Promise.all([1, 2, 3].map(() => importFile('b')));
    expect(new Set(files.map(idOf)).size).toBe(1);
    await server.app.core.imports.runner.idle();
    expect(await countOf(IMPORTS)).toBe(2);
  });

  test('is remembered over a restart', async () => {
    const id = idOf(await importFile('a'));
    await server.close({ keepFolder: true });
    clock.moveTo(START + 61_000);
    server = await openApp({ clock, folder: server.folder });
    demo = await server.as('demo');
    expect(idOf(await importFile('a'))).toBe(id);
  });

  test('releases its key when it is refused', async () => {
    const { codigo } = (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PLAIN)).json;
    const order = (members: object) =>
      demo.call('POST', CHANGES, { cpfCnpjRaiz: COMPANY, ...members }, keyed('a'));
    expect((await order({ from: 999 })).status).toBe(404);
    idOf(await order({ codigos: [codigo], set: { denominacao: 'Tampa' } }));
  });

  test('whose first result the user no longer sees is 404', async () => {
    idOf(await importFile('a'));
    await server.app.core.imports.runner.idle();
    const admin = await server.as('admin');
    const right = { documento: '00000000191', cpfCnpjRaiz: COMPANY, perfil: 'IMPEXP' };
    expect((await admin.call('DELETE', '/appliance/api/representations', right)).status).toBe(204);
    expect((await importFile('a')).status).toBe(404);
    expect(filesOf()).toEqual([]);
  });

  test.each([['a b'], ['ção'], ['x'.repeat(201)]])(
    'with the key %p is 400, and nothing is started',
    async (key) => {
      const reply = await demo.call('POST', IMPORTS, fileOf('Caixa'), keyed(key));
      expect([reply.status, reply.json.detail[0].path]).toEqual([400, 'Idempotency-Key']);
      expect([filesOf(), await countOf(IMPORTS)]).toEqual([[], 0]);
    },
  );

  test('accepts a key of up to 200 characters', async () => {
    const key = 'x'.repeat(200);
    expect(idOf(await importFile(key))).toBe(idOf(await importFile(key)));
  });
});

describe('every operation that starts long work accepts the key:', () => {
  /** Sends an order twice before any work on it, and again after its completion. */
  async function actsOnce(
    path: string,
    bodyOf: () => unknown,
    listed: string,
    idle: () => Promise<void>,
    key = 'k',
  ) {
    const order = () => demo.call('POST', path, bodyOf(), keyed(key));
    const before = await countOf(listed);
    const id = idOf(await order());
    expect(idOf(await order())).toBe(id);
    await idle();
    expect(idOf(await order())).toBe(id);
    expect(await countOf(listed)).toBe(before + 1);
  }
  const imported = (path: string, bodyOf: () => unknown, key?: string) =>
    actsOnce(path, bodyOf, IMPORTS, () => server.app.core.imports.runner.idle(), key);

  test('imports of files and sheets, sent before or with the order', async () => {
    await imported(IMPORTS, () => sheetForm(), 'with');
    const { id } = (await send(demo, csv(ROWS))).json;
    await imported(IMPORTS, () => ({ sheet: id }), 'before');
  });

  test('dry runs that are written', async () => {
    const { id } = await importRows(demo, ROWS, { simular: true });
    await imported(IMPORTS, () => ({ from: id }));
  });

  test('corrections', async () => {
    const { id } = await importRows(demo, FAILING);
    await imported(`${IMPORTS}/${id}/corrections`, () => ({
      set: [{ member: 'ncm', map: { abc: '39269090' } }],
    }));
  });

  test('undo', async () => {
    const importer = importerOf(demo);
    const { id } = await importer.importFile([{ seq: 1, cpfCnpjRaiz: COMPANY, ...PLAIN }]);
    await imported(`${IMPORTS}/${id}/undo`, () => ({}));
  });

  test('changes of many', async () => {
    const { codigo } = (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PLAIN)).json;
    await imported(CHANGES, () => ({
      cpfCnpjRaiz: COMPANY,
      codigos: [codigo],
      set: { denominacao: 'Tampa' },
    }));
  });

  test('comparisons and runs', async () => {
    const admin = await server.as('admin');
    await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
    const { runner, runRunner } = server.app.core.remote;
    const listed = (what: string) => `/appliance/api/${what}?cpfCnpjRaiz=${COMPANY}`;
    const path = '/appliance/api/remotes/portal/comparisons';
    await actsOnce(
      path,
      () => form({ ...NOTHING, produtos: [REMOTE_PRODUCT] }),
      listed('comparisons'),
      () => runner.idle(),
    );
    const { id } = await compare(server, demo, { produtos: [REMOTE_PRODUCT] });
    const runs = `/appliance/api/comparisons/${id}/runs`;
    await actsOnce(
      runs,
      () => ({ direction: 'fetch' }),
      listed('runs'),
      async () => {
        await runRunner.idle();
        await server.app.core.imports.runner.idle();
      },
      'run',
    );
  });

  test('the document declares the header for these operations, as optional', async () => {
    const { paths } = (await demo.call('GET', '/openapi.json')).json;
    const taking = Object.values(
      paths as Record<string, Record<string, { operationId: string; parameters?: object[] }>>,
    )
      .flatMap((methods) => Object.values(methods))
      .filter(({ parameters = [] }) =>
        parameters.some((one) =>
          Bun.deepMatch({ name: 'Idempotency-Key', in: 'header', required: false }, one),
        ),
      );
    expect(taking.map(({ operationId }) => operationId).toSorted()).toEqual([
      'approveProposal',
      'changeProducts',
      'correctImport',
      'proposeImport',
      'proposeRecord',
      'startComparison',
      'startImport',
      'startRun',
      'undoImport',
    ]);
  });
});
