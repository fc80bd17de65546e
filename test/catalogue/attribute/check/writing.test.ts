/** Every operation that writes a product checks its attributes by the table in force. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { COMPANY, activate, include, load, product, situations, tableFile } from '../support.ts';

const NCM = '09012100';
const FINE = product(NCM, 'ATT_1');
const WRONG = product(NCM, 'ATT_9');
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;

let server: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  admin = await server.as('admin');
  demo = await server.as('demo');
});

afterEach(() => server.close());

const putInForce = async (): Promise<unknown> =>
  activate(admin, await load(admin, tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }] })));

describe('without a table', () => {
  test('no attribute is checked', async () => {
    await include(demo, WRONG);
    await include(demo, product('99999999'));
    expect(Object.values(await situations(demo))).toEqual(['ATIVADO', 'ATIVADO']);
  });
});

describe('with a table in force', () => {
  beforeEach(putInForce);

  test('creating a product reports every violated rule with its position', async () => {
    const reply = await demo.call('POST', PRODUCTS, WRONG);
    expect(reply.status).toBe(422);
    expect(
      reply.json.detail.map(({ code, path }: { code: string; path: string }) => [code, path]).sort(),
    ).toEqual([
      ['CATP-ER1101', '/atributos'],
      ['CATP-ER1102', '/atributos/0/atributo'],
    ]);
    expect(await situations(demo)).toEqual({});
  });

  test('an NCM that is not in the table is refused', async () => {
    const reply = await demo.call('POST', PRODUCTS, product('99999999'));
    expect(reply.json.detail).toMatchObject([{ code: 'CATP-ER1100', path: '/ncm' }]);
  });

  test('a retroactive creation, a new version and a rectification are checked', async () => {
    expect((await demo.call('POST', `${PRODUCTS}/2026-01-01`, WRONG)).status).toBe(422);
    const codigo = await include(demo, FINE);
    expect((await demo.call('PUT', `${PRODUCTS}/${codigo}`, WRONG)).status).toBe(422);
    expect((await demo.call('PUT', `${PRODUCTS}/${codigo}/1`, WRONG)).status).toBe(422);
    expect((await demo.call('PUT', `${PRODUCTS}/${codigo}`, FINE)).json.versao).toBe('2');
  });

  test('a batch refuses only the invalid item', async () => {
    const items = [WRONG, FINE].map((one, index) => ({ seq: index + 1, cpfCnpjRaiz: COMPANY, ...one }));
    const [wrong, fine] = (await demo.call('POST', '/catp/api/ext/produto', items)).json;
    expect(wrong).toMatchObject({ seq: 1, sucesso: false, codigo: '0' });
    expect(wrong.erros[0]).toContain('ATT_9');
    expect(fine).toMatchObject({ seq: 2, sucesso: true });
  });

  test('a draft may have any content, but cannot be activated with it', async () => {
    const draft = { seq: 1, cpfCnpjRaiz: COMPANY, ...WRONG, situacao: 'RASCUNHO' };
    const [result] = (await demo.call('POST', '/catp/api/ext/produto', [draft])).json;
    expect(result.sucesso).toBe(true);
    expect((await demo.call('PUT', `${PRODUCTS}/${result.codigo}`, WRONG)).status).toBe(422);
    expect(await situations(demo)).toEqual({ [result.codigo]: 'RASCUNHO' });
    expect((await demo.call('PUT', `${PRODUCTS}/${result.codigo}`, FINE)).json).toMatchObject({
      situacao: 'ATIVADO',
    });
  });

  test('deactivating checks nothing', async () => {
    const codigo = await include(demo, FINE);
    await activate(
      admin,
      await load(admin, tableFile('2', { '0901.21.00': [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }] })),
    );
    expect((await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`)).status).toBe(200);
  });

  test.each([
    ['lote', false],
    ['lote', true],
    ['espelho', false],
    ['espelho', true],
  ])('an import in modo=%s, simular=%p, refuses the item alone', async (modo, simular) => {
    const items = [WRONG, FINE].map((one, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: COMPANY,
      ...(modo === 'espelho' && { codigo: index + 1, versao: '1' }),
      ...one,
    }));
    const form = new FormData();
    form.set('tipo', 'produto');
    form.set('modo', modo);
    form.set('simular', String(simular));
    form.set('file', new File([JSON.stringify(items)], 'produtos.json'));
    const started = await demo.call('POST', '/appliance/api/imports', form);
    expect(started.status).toBe(202);
    const progressOf = async () => (await demo.call('GET', `/appliance/api/imports/${started.json.id}`)).json;
    let progress = await progressOf();
    for (; ['queued', 'running'].includes(progress.state); progress = await progressOf()) await nextTurn();
    expect(progress).toMatchObject({ state: 'done', created: 1, failed: 1 });
    const results = (await demo.call('GET', `/appliance/api/imports/${started.json.id}/results`)).json;
    expect(results[0].errors.join()).toContain('ATT_9');
    expect(Object.keys(await situations(demo))).toHaveLength(simular ? 0 : 1);
  });
});
