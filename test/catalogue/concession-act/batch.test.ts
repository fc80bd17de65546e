/** POST /ext/regime-especial: concession acts (contract section 4). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { DEMO } from '../../support/caller.ts';

const ACTS = '/catp/api/ext/regime-especial';
const COMPANY = '12345678';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
const ACT = { seq: 1, codigoProduto: 1, cpfCnpjRaiz: COMPANY, numeroAto: '20260000001', numeroItem: '001' };

let app: TestApp;
let demo: Client;

beforeAll(async () => {
  app = await openApp();
  demo = await app.as('demo');
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT);
  await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, PRODUCT);
  await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/2`);
});

afterAll(() => app.close());

const include = (items: unknown, client = demo) => client.call('POST', ACTS, items);
const actCount = (): number =>
  app.app.core.db.prepare<[], number>('SELECT count(*) FROM concession_act').pluck().get() ?? 0;
const success = (seq: number) => ({ seq, codigo: '1', erros: [], sucesso: true });

describe('a batch is refused as a whole', () => {
  test('without a session', async () => {
    expect((await include([ACT], app.anybody)).status).toBe(401);
  });

  test('when it is no list, or has more than 100 items', async () => {
    const items = Array.from({ length: 101 }, (_, index) => ({ ...ACT, seq: index + 1 }));
    for (const body of [ACT, '[', items]) expect((await include(body)).status).toBe(400);
    expect(actCount()).toBe(0);
  });
});

describe('an item is refused alone', () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ['an invalid company', { cpfCnpjRaiz: '1' }, 'cpfCnpjRaiz'],
    ['a company that the user does not represent', { cpfCnpjRaiz: '11222333' }, 'não é representante legal'],
    ['no seq', { seq: null }, 'seq'],
    ['seq 1000', { seq: 1000 }, 'seq'],
    ['no product', { codigoProduto: null }, 'codigoProduto'],
    ['product 0', { codigoProduto: 0 }, 'codigoProduto'],
    ['no act', { numeroAto: '' }, 'numeroAto'],
    ['an act of 15 characters', { numeroAto: '1'.repeat(15) }, 'numeroAto'],
    ['an act that is a boolean', { numeroAto: true }, 'numeroAto'],
    ['no item', { numeroItem: null }, 'numeroItem'],
    ['an item of 7 characters', { numeroItem: '1'.repeat(7) }, 'numeroItem'],
    ['an unknown member', { versao: '1' }, 'versao'],
    ['a product that does not exist', { codigoProduto: 9 }, 'não existe produto com o código 9'],
    ['a deactivated product', { codigoProduto: 2 }, 'o produto 2 está DESATIVADO'],
  ];

  for (const [title, change, message] of refused) {
    test(title, async () => {
      const [result, ...others] = (await include([{ ...ACT, ...change }])).json;
      expect(others).toEqual([]);
      expect(result).toMatchObject({ codigo: '0', sucesso: false });
      expect(result.erros).toHaveLength(1);
      expect(result.erros[0]).toContain(message);
      expect(Object.keys(result).sort()).toEqual(['codigo', 'erros', 'seq', 'sucesso']);
      expect(actCount()).toBe(0);
    });
  }
});

describe('an item is included', () => {
  test('when the act has the maximum sizes, also next to invalid items', async () => {
    const longest = { ...ACT, seq: 999, numeroAto: '9'.repeat(14), numeroItem: '9'.repeat(6) };
    const shortest = { ...ACT, seq: 3, numeroAto: '1', numeroItem: '1' };
    const reply = await include([ACT, { ...ACT, seq: 2, codigoProduto: 9 }, shortest, longest, longest]);
    expect(reply.status).toBe(200);
    const [first, second, third, fourth, fifth] = reply.json;
    expect([first, third, fourth]).toEqual([success(1), success(3), success(999)]);
    expect([second.sucesso, fifth.sucesso]).toEqual([false, false]);
    expect(actCount()).toBe(3);
  });

  test('when the act is sent again, which succeeds and changes nothing', async () => {
    const before = actCount();
    const reply = await include([ACT, { ...ACT, seq: 2 }]);
    expect(reply.json).toEqual([success(1), success(2)]);
    expect(actCount()).toBe(before);
  });

  test('when it is another item of the same act', async () => {
    const before = actCount();
    expect((await include([{ ...ACT, numeroItem: '002' }])).json).toEqual([success(1)]);
    expect(actCount()).toBe(before + 1);
  });

  test('when it is one of 100, and the two members that other systems send are ignored', async () => {
    const before = actCount();
    const items = Array.from({ length: 100 }, (_, index) => ({
      ...ACT,
      seq: index + 1,
      numeroItem: `A${index}`,
      inicioVigencia: '2026-01-01',
      fimVigencia: null,
    }));
    const reply = await include(items);
    expect(reply.json).toEqual(items.map(({ seq }) => success(seq)));
    expect(actCount()).toBe(before + 100);
  });

  test('the operation is not deprecated', async () => {
    expect((await include([])).headers.get('sunset')).toBeNull();
  });
});

describe('an item of a file, in either mode', () => {
  const apply = (item: object, mode: 'lote' | 'espelho') => {
    const { writer, catalogue } = app.app.core;
    return writer.write((tx) =>
      catalogue.concessionAct.items.apply(tx, DEMO, item, mode, { origin: 'file' }),
    );
  };

  test('is created the first time and unchanged afterwards, with any seq', async () => {
    const item = { ...ACT, seq: 1_000_000, numeroAto: 'FILE' };
    expect(await apply(item, 'espelho')).toEqual({ codigo: '1', versao: null, outcome: 'created' });
    for (const mode of ['lote', 'espelho'] as const)
      expect(await apply(item, mode)).toEqual({ codigo: '1', versao: null, outcome: 'unchanged' });
  });
});
