/** A product identical to an active one, in the profile that refuses it (contract sections 1 and 5). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  ITEM,
  MINIMAL,
  OF_COMPANY,
  OTHER_COMPANY,
  PATH,
  WHOLE,
  codesOf,
  include,
  includeDraft,
  messagesOf,
  productsForEachTest,
  sendItem,
} from './support.ts';

const open = productsForEachTest({ settings: { perfil: 'portal' } });
const PRODUCT = { ...WHOLE, modalidade: 'IMPORTACAO' };

async function isRefused(change: object): Promise<boolean> {
  const reply = await open().demo.call('POST', OF_COMPANY, { ...PRODUCT, ...change });
  if (reply.status === 200) return false;
  expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1001']]);
  return true;
}

test('a product identical to an active one is refused, and told which', async () => {
  const { demo } = open();
  await include(demo, PRODUCT);
  const reply = await demo.call('POST', OF_COMPANY, PRODUCT);
  expect([reply.status, messagesOf(reply)]).toEqual([
    422,
    ['Já existe produto idêntico cadastrado. Código: 1.'],
  ]);
});

test('internal codes and the order of attributes make no difference', async () => {
  const { demo } = open();
  const [a, b] = [
    { atributo: 'A', valor: '1' },
    { atributo: 'B', valor: '2' },
  ];
  await include(demo, {
    ...MINIMAL,
    atributos: [a, b],
    atributosMultivalorados: [{ atributo: 'C', valores: ['1', '2'] }],
  });
  const reply = await demo.call('POST', OF_COMPANY, {
    ...MINIMAL,
    codigosInterno: ['outro'],
    atributos: [b, a],
    atributosMultivalorados: [{ atributo: 'C', valores: ['2', '1'] }],
  });
  expect(reply.status).toBe(422);
});

test.each([
  [{ denominacao: 'Outra' }],
  [{ descricao: null }],
  [{ modalidade: 'EXPORTACAO' }],
  [{ ncm: '39269090' }],
  [{ atributos: [] }],
  [{ atributos: [{ atributo: 'ATT_1', valor: '02' }] }],
  [{ atributosMultivalorados: [{ atributo: 'ATT_2', valores: ['01'] }] }],
  [{ atributosCompostos: [] }],
  [{ atributosCompostosMultivalorados: [] }],
])('%p makes it another product', async (change) => {
  await include(open().demo, PRODUCT);
  expect(await isRefused(change)).toBe(false);
});

test('a code that ends where a value begins is not mistaken', async () => {
  const { demo } = open();
  await include(demo, { ...MINIMAL, atributos: [{ atributo: 'A=B', valor: 'C' }] });
  const reply = await demo.call('POST', OF_COMPANY, {
    ...MINIMAL,
    atributos: [{ atributo: 'A', valor: 'B=C' }],
  });
  expect(reply.status).toBe(200);
});

describe('what is no rival', () => {
  test('a draft, a deactivated product, a superseded version, another company', async () => {
    const { demo } = open();
    await includeDraft(demo, PRODUCT);
    await include(demo, PRODUCT, OTHER_COMPANY);
    expect((await include(demo, PRODUCT)).codigo).toBe(2);
    await demo.call('PUT', `${PATH}/desativar/${COMPANY}/2`);
    expect((await include(demo, PRODUCT)).codigo).toBe(3);
    expect((await demo.call('PUT', `${OF_COMPANY}/3`, MINIMAL)).status).toBe(200);
    expect((await include(demo, PRODUCT)).codigo).toBe(4);
  });

  test('the product itself', async () => {
    const { demo } = open();
    await include(demo, PRODUCT);
    expect((await demo.call('PUT', `${OF_COMPANY}/1`, PRODUCT)).status).toBe(200);
    expect((await demo.call('PUT', `${OF_COMPANY}/1/2`, PRODUCT)).status).toBe(200);
  });
});

test('new versions, rectifications, activations and batch items are held to it too', async () => {
  const { demo } = open();
  await include(demo, PRODUCT);
  await include(demo, { ...PRODUCT, denominacao: 'Outra' });
  const draft = await includeDraft(demo, PRODUCT);
  for (const path of ['2', '2/1', String(draft)]) {
    const reply = await demo.call('PUT', `${OF_COMPANY}/${path}`, PRODUCT);
    expect([path, codesOf(reply)]).toEqual([path, ['CATP-ER1001']]);
  }
  expect((await sendItem(demo, { ...ITEM, ...PRODUCT })).erros).toEqual([
    'Já existe produto idêntico cadastrado. Código: 1.',
  ]);
});

test('two identical items of one batch: the first is kept', async () => {
  const results = (await open().demo.call('POST', PATH, [ITEM, { ...ITEM, seq: 2 }])).json;
  expect(results.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, false]);
});

test('the index of fingerprints is there only while somebody looks for identical products', async () => {
  const indexes = (app: Awaited<ReturnType<typeof openApp>>): unknown[] =>
    app.app.core.db.prepare("SELECT name FROM sqlite_schema WHERE name = 'product_by_content'").pluck().all();
  const lenient = await openApp({ settings: { 'produto.recusarIdentico': 'false' } });
  expect(indexes(lenient)).toEqual([]);
  const include = async (app: typeof lenient): Promise<number> =>
    (await (await app.as('demo')).call('POST', OF_COMPANY, PRODUCT)).status;
  expect([await include(lenient), await include(lenient)]).toEqual([200, 200]);
  await lenient.close({ keepFolder: true });

  const { folder } = lenient;
  const strict = await openApp({ folder, settings: { 'produto.recusarIdentico': 'true' } });
  expect(indexes(strict)).toEqual(['product_by_content']);
  expect(await include(strict)).toBe(422);
  await strict.close({ keepFolder: true });

  const lenientAgain = await openApp({ folder, settings: { 'produto.recusarIdentico': 'false' } });
  expect(indexes(lenientAgain)).toEqual([]);
  expect(await include(lenientAgain)).toBe(200);
  await lenientAgain.close();
});
