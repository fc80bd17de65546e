/**
 * Many products changed at once (contract section 25): named members change, others stay, and each row
 * has its result.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const COMPANY = '12345678';
const PATH = '/appliance/api/products/changes';
const IMPORTS = '/appliance/api/imports';
const PRODUCTS = '/catp/api/ext/produto';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

async function endOfChange(id: number, client = demo) {
  for (;;) {
    const { json } = await client.call('GET', `${IMPORTS}/${id}`);
    if (json.state !== 'queued' && json.state !== 'running') return json;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Starts a change, waits for its end, and returns its rows. */
async function change(order: object) {
  const started = await demo.call('POST', PATH, { cpfCnpjRaiz: COMPANY, ...order });
  expect(started.json).toEqual({ id: expect.any(Number) });
  expect(started.status).toBe(202);
  const { id } = started.json;
  const job = await endOfChange(id);
  const rows = (await demo.call('GET', `${IMPORTS}/${id}/results`)).json;
  return { id, job, rows };
}

const refused = async (order: object, client = demo) =>
  client.call('POST', PATH, { cpfCnpjRaiz: COMPANY, ...order });

const get = async (codigo: number) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

const include = async (content: object): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, content)).json.codigo;

const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const COFFEE = {
  denominacao: 'Café',
  modalidade: 'IMPORTACAO',
  ncm: '09012100',
  atributos: [
    { atributo: 'ATT_90001', valor: '01' },
    { atributo: 'ATT_90005', valor: 'true' },
    { atributo: 'ATT_90006', valor: '01' },
    { atributo: 'ATT_90007', valor: '2030-12-31' },
  ],
};

describe('a change', () => {
  test('of named members keeps all others, and lists the changes', async () => {
    const codigo = await include({ ...PLAIN, descricao: 'Azul', codigosInterno: ['A', 'B'] });
    const before = await get(codigo);
    const set = { descricao: 'Verde', codigosInterno: { add: ['C', 'A'], remove: ['B'] } };
    const { job, rows } = await change({ codigos: [codigo], set });
    expect(job).toMatchObject({ state: 'done', newVersion: 1, changesMany: true });
    expect(rows).toMatchObject([
      {
        codigo: String(codigo),
        versao: '2',
        outcome: 'newVersion',
        name: 'Caixa',
        changes: [
          { member: 'descricao', heading: 'Descrição', before: 'Azul', after: 'Verde' },
          { member: 'codigosInterno', heading: 'Códigos internos', before: 'A | B', after: 'A | C' },
        ],
      },
    ]);
    expect(await get(codigo)).toEqual({
      ...before,
      versao: '2',
      descricao: 'Verde',
      codigosInterno: ['A', 'C'],
    });
  });

  test('without a difference creates no version', async () => {
    const codigo = await include({ ...PLAIN, descricao: 'Azul' });
    const { rows } = await change({ codigos: [codigo], set: { descricao: 'Azul' } });
    expect(rows).toMatchObject([{ versao: '1', outcome: 'unchanged', changes: [] }]);
  });

  test('deletes a text with null', async () => {
    const codigo = await include({ ...PLAIN, descricao: 'Azul' });
    await change({ codigos: [codigo], set: { descricao: null } });
    expect(await get(codigo)).toMatchObject({ descricao: null, versao: '2' });
  });

  test('of attributes merges them by code into the list that the table names; null removes', async () => {
    const codigo = await include(PLAIN);
    const first = await change({
      codigos: [codigo],
      set: { atributos: { ATT_90032: 'X-1', ATT_90040: '01' } },
    });
    expect(first.rows[0].changes).toEqual([
      { member: 'atributo:ATT_90032', heading: 'Modelo', before: null, after: 'X-1' },
      { member: 'atributo:ATT_90040', heading: 'Destino de uso', before: null, after: '01' },
    ]);
    await change({ codigos: [codigo], set: { atributos: { ATT_90032: null } } });
    expect((await get(codigo)).atributos).toEqual([{ atributo: 'ATT_90040', valor: '01' }]);
  });

  test('accepts several values, the parts of a compound and its groups', async () => {
    const wine = await include({
      denominacao: 'Vinho',
      modalidade: 'IMPORTACAO',
      ncm: '22042100',
      atributos: [
        { atributo: 'ATT_90002', valor: '12.5' },
        { atributo: 'ATT_90005', valor: 'false' },
      ],
      atributosMultivalorados: [{ atributo: 'ATT_90004', valores: ['01'] }],
      atributosCompostos: [
        {
          atributo: 'ATT_90010',
          valores: [
            { atributo: 'ATT_90011', valor: '01' },
            { atributo: 'ATT_90012', valor: '0.75' },
          ],
        },
      ],
    });
    expect(wine).toBeNumber();
    const set = {
      atributos: { ATT_90004: ['01', '02'], ATT_90010: { ATT_90011: '01', ATT_90012: 1.5 } },
    };
    const { rows } = await change({ codigos: [wine], set });
    expect(rows[0].problems).toEqual([]);
    expect(rows[0].changes).toMatchObject([
      { member: 'atributo:ATT_90004', before: '01', after: '01 | 02' },
      { member: 'atributo:ATT_90010/ATT_90012', before: '0.75', after: '1.5' },
    ]);
  });

  test('removes attributes that the table no longer has, and reports them', async () => {
    const codigo = await include(COFFEE);
    const { rows } = await change({ codigos: [codigo], set: { atributos: { ATT_90005: 'false' } } });
    expect(rows[0].changes).toMatchObject([
      { member: 'atributo:ATT_90005', before: 'true', after: 'false' },
      { member: 'atributo:ATT_90006', before: '01', after: null },
      { member: 'atributo:ATT_90007', before: '2030-12-31', after: null },
    ]);
  });

  test('that a rule forbids fails in its row and does not change the product', async () => {
    const [one, other] = [await include(PLAIN), await include(COFFEE)];
    const { job, rows } = await change({
      codigos: [one, other, 999],
      set: { atributos: { ATT_90001: '02' } },
    });
    expect(job).toMatchObject({ newVersion: 1, failed: 2 });
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'failed',
      'newVersion',
      'failed',
    ]);
    expect(await get(one)).toMatchObject({ versao: '1', atributos: [] });
  });

  test('keeps a draft a draft, and changes the modality of drafts only', async () => {
    const item = { seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'Rascunho', situacao: 'RASCUNHO' };
    const [{ codigo: draft }] = (await demo.call('POST', PRODUCTS, [item])).json;
    const active = await include(PLAIN);
    const { rows } = await change({ codigos: [Number(draft), active], set: { modalidade: 'EXPORTACAO' } });
    expect(rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['newVersion', 'failed']);
    expect(await get(Number(draft))).toMatchObject({
      situacao: 'RASCUNHO',
      versao: '1',
      modalidade: 'EXPORTACAO',
    });
  });

  test('keeps a deactivated product deactivated, unless it requests the activation', async () => {
    const codigo = await include(PLAIN);
    await demo.call('PUT', `${PRODUCTS}/desativar/${COMPANY}/${codigo}`);
    await change({ codigos: [codigo], set: { descricao: 'Azul' } });
    expect(await get(codigo)).toMatchObject({ situacao: 'DESATIVADO', versao: '2', descricao: 'Azul' });
    const { rows } = await change({ codigos: [codigo], reactivate: true });
    expect(rows[0].changes).toEqual([
      { member: 'situacao', heading: 'Situação', before: 'DESATIVADO', after: 'ATIVADO' },
    ]);
    expect(await get(codigo)).toMatchObject({ situacao: 'ATIVADO', versao: '3', descricao: 'Azul' });
  });

  test('adds and removes links; existing and missing ones are not changed', async () => {
    const codigo = await include(PLAIN);
    const link = { conhecido: true, codigoPais: 'BR', cpfCnpjFabricante: '12345678000195' };
    const unknown = { conhecido: false, codigoPais: 'DE' };
    await change({ codigos: [codigo], links: { add: [link] } });
    const { rows } = await change({ codigos: [codigo], links: { add: [link, unknown], remove: [link] } });
    expect(rows[0].changes).toEqual([
      { member: 'vinculo', heading: 'Vínculo', before: 'BR 12345678000195', after: null },
      { member: 'vinculo', heading: 'Vínculo', before: null, after: 'BR 12345678000195' },
      { member: 'vinculo', heading: 'Vínculo', before: null, after: 'DE desconhecido' },
    ]);
  });

  test('finds its products by the filters of the list', async () => {
    await include({ ...PLAIN, denominacao: 'Única' });
    const { rows } = await change({ filter: { denominacao: 'unica' }, set: { descricao: 'Achada' } });
    expect(rows).toMatchObject([{ outcome: 'newVersion', name: 'Única' }]);
    const none = await change({ filter: { denominacao: 'não há' }, set: { descricao: 'Achada' } });
    expect(none.job).toMatchObject({ state: 'done', total: 0 });
  });
});

describe('a dry run', () => {
  test('shows the changes and stores nothing; its rows are written afterwards', async () => {
    const codigo = await include(PLAIN);
    const dry = await change({ codigos: [codigo], set: { descricao: 'Azul' }, simular: true });
    expect(dry.rows).toMatchObject([{ outcome: 'newVersion', changes: [{ after: 'Azul' }] }]);
    expect(await get(codigo)).toMatchObject({ versao: '1', descricao: null });
    // Any user that represents the company can read and execute the dry run.
    expect((await (await server.as('demo2')).call('GET', `${IMPORTS}/${dry.id}`)).status).toBe(200);
    const real = await change({ from: dry.id });
    expect(real.job).toMatchObject({ newVersion: 1, simular: false });
    expect(await get(codigo)).toMatchObject({ versao: '2', descricao: 'Azul' });
  });

  test('skips products that changed since', async () => {
    const [one, other] = [await include(PLAIN), await include({ ...PLAIN, denominacao: 'Outra' })];
    const dry = await change({ codigos: [one, other], set: { descricao: 'Azul' }, simular: true });
    await demo.call('PUT', `${PRODUCTS}/${COMPANY}/${one}`, { ...PLAIN, descricao: 'Preta' });
    const { rows } = await change({ from: dry.id });
    expect(rows).toMatchObject([
      {
        outcome: 'failed',
        problems: [{ code: 'CATP-ER1027', message: expect.stringContaining('mudouDepois') }],
      },
      { outcome: 'newVersion' },
    ]);
    expect(await get(one)).toMatchObject({ versao: '2', descricao: 'Preta' });
  });

  test('is not written after its results are deleted', async () => {
    const { id } = await change({
      codigos: [await include(PLAIN)],
      set: { descricao: 'Azul' },
      simular: true,
    });
    expect((await demo.call('DELETE', `${IMPORTS}/${id}/results`)).status).toBe(204);
    expect((await refused({ from: id })).status).toBe(422);
  });

  test('that is unknown, of another company or of no user is refused', async () => {
    const codigo = await include(PLAIN);
    const { id } = await change({ codigos: [codigo], set: { descricao: 'Azul' } });
    expect(await refused({ from: id })).toMatchObject({ status: 422, json: { detail: [{ path: '/from' }] } });
    expect((await refused({ from: 999 })).status).toBe(404);
    expect((await refused({ from: id, cpfCnpjRaiz: '87654321' })).status).toBe(404);
    expect((await refused({ from: id, set: { descricao: 'A' } })).status).toBe(400);
  });
});

describe('a deactivation of many', () => {
  test('has its own outcome', async () => {
    const codigo = await include(PLAIN);
    const { job, rows } = await change({ codigos: [codigo, codigo], deactivate: true });
    expect(job).toMatchObject({ total: 1, deactivated: 1, newVersion: 0 });
    expect(rows[0]).toMatchObject({ outcome: 'deactivated', changes: [{ after: 'DESATIVADO' }] });
    const again = await change({ codigos: [codigo], deactivate: true });
    expect(again.job).toMatchObject({ unchanged: 1 });
  });

  test('of more than ten requires their number, and accepts no other', async () => {
    const codigos: number[] = [];
    for (let number = 0; number < 11; number += 1)
      codigos.push(await include({ ...PLAIN, denominacao: `Caixa ${number}` }));
    const reply = await refused({ codigos, deactivate: true });
    expect(reply.status).toBe(422);
    expect(reply.json.message).toContain('envie expected: 11');
    expect((await refused({ codigos, deactivate: true, expected: 10 })).status).toBe(422);
    const dry = await change({ codigos, deactivate: true, simular: true });
    expect((await refused({ from: dry.id })).status).toBe(422);
    expect((await change({ codigos: codigos.slice(1), deactivate: true })).job).toMatchObject({
      deactivated: 10,
    });
    const { job } = await change({ codigos, deactivate: true, expected: 1 });
    expect(job).toMatchObject({ deactivated: 1, unchanged: 10 });
  });

  test('with a filter is not limited by importacao.maximo', async () => {
    await server.close({ keepFolder: true });
    server = await openApp({ folder: server.folder, settings: { 'importacao.maximo': '1024' } });
    demo = await server.as('demo');
    const descricao = 'longa '.repeat(200);
    for (const number of [1, 2]) await include({ ...PLAIN, denominacao: `Pesada ${number}`, descricao });
    const { id, job } = await change({ filter: { denominacao: 'pesada' }, deactivate: true });
    expect(job).toMatchObject({ state: 'done', deactivated: 2 });
    // The limit does not apply to an undo either; the rows of this one exceed it.
    const codigos = await Promise.all(
      Array.from({ length: 30 }, (_, at) => include({ ...PLAIN, denominacao: `Leve ${at}` })),
    );
    const many = await change({ codigos, set: { descricao: 'Muda' } });
    for (const one of [id, many.id]) {
      const { status, json } = await demo.call('POST', `${IMPORTS}/${one}/undo`);
      expect([status, await endOfChange(json.id)]).toMatchObject([202, { state: 'done', failed: 0 }]);
    }
  });
});

describe('a request', () => {
  test.each([
    [{}, ['/codigos', '/set']],
    [{ codigos: [1] }, ['/set']],
    [{ codigos: [1], filter: { ncm: '39269090' }, set: { descricao: 'A' } }, ['/codigos']],
    [{ filter: {}, set: { descricao: 'A' } }, ['/filter']],
    [{ filter: { deactivatedBySystem: false }, set: { descricao: 'A' } }, ['/filter']],
    [{ codigos: [], set: { descricao: 'A' } }, ['/codigos']],
    [{ codigos: [1], deactivate: true, set: { descricao: 'A' } }, ['/deactivate']],
    [{ codigos: [1], set: { ncm: '39269090' } }, ['/set/ncm']],
    [{ codigos: [1], set: { denominacao: 'A'.repeat(3701) } }, ['/set/denominacao']],
    [
      { codigos: [1], set: { atributos: { A: [['x']], B: [1, { C: 1 }] } } },
      ['/set/atributos/A', '/set/atributos/B'],
    ],
    [{ filter: { situacao: 3 }, set: { descricao: 'A' } }, ['/filter/situacao']],
    [{ filter: { ncm: '7' }, set: { descricao: 'A' } }, ['/filter/ncm']],
  ])('reports the place of its fault: %j', async (order, paths) => {
    const { status, json } = await refused(order);
    expect(status).toBe(400);
    expect(json.detail.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  test('requires the right to write the catalogue', async () => {
    const order = { codigos: [1], set: { descricao: 'A' } };
    expect((await refused(order, server.anybody)).status).toBe(401);
    expect((await refused(order, await server.as('estranho'))).status).toBe(403);
  });
});
