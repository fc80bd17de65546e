/** A product identical to an active one, in the profile that refuses it (contract sections 1 and 5). */
import { describe, expect, test } from 'bun:test';
import { contentHashOf } from '../../../src/catalogue/product/content.ts';
import { toContent } from '../../../src/catalogue/product/model.ts';
import { columnsOf, contentOf, writtenContentOf } from '../../../src/catalogue/product/record.ts';
import { ProductStore } from '../../../src/catalogue/product/store.ts';
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

const open = productsForEachTest({ settings: { perfil: 'portal', operacoesDescontinuadas: 'true' } });
const PRODUCT = { ...WHOLE, modalidade: 'IMPORTACAO' };

async function isRefused(change: object): Promise<boolean> {
  const reply = await open().demo.call('POST', OF_COMPANY, { ...PRODUCT, ...change });
  if (reply.status === 200) return false;
  expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1001']]);
  return true;
}

test('a product identical to an active one is refused, and the refusal names that one', async () => {
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

test('a code that ends with the start of a value is not confused with it', async () => {
  const { demo } = open();
  await include(demo, { ...MINIMAL, atributos: [{ atributo: 'A=B', valor: 'C' }] });
  const reply = await demo.call('POST', OF_COMPANY, {
    ...MINIMAL,
    atributos: [{ atributo: 'A', valor: 'B=C' }],
  });
  expect(reply.status).toBe(200);
});

describe('no conflict exists with', () => {
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

test('the rule applies to new versions, rectifications, activations and batch items too', async () => {
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

test('the first of two identical items of one batch is stored', async () => {
  const results = (await open().demo.call('POST', PATH, [ITEM, { ...ITEM, seq: 2 }])).json;
  expect(results.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, false]);
});

test('fingerprints are kept only while the rule is on, and computed again when it is switched on', async () => {
  type App = Awaited<ReturnType<typeof openApp>>;
  const fingerprints = ({ app }: App): unknown[] =>
    app.core.db.prepare('SELECT content_hash IS NOT NULL FROM product ORDER BY id').pluck().all();
  const includeIn = async (app: App, change: object = {}): Promise<number> =>
    (await (await app.as('demo')).call('POST', OF_COMPANY, { ...PRODUCT, ...change })).status;
  const OFF = { 'produto.recusarIdentico': 'false' };
  const serve = { mode: 'serve' } as const;
  const dev = await openApp({ settings: OFF });
  expect([await includeIn(dev), await includeIn(dev)]).toEqual([200, 200]);
  expect(fingerprints(dev)).toEqual([1, 1]); // it reports refusals of the public service
  await dev.close();

  const lenient = await openApp({ settings: OFF, parts: serve });
  expect([await includeIn(lenient), await includeIn(lenient)]).toEqual([200, 200]);
  expect(fingerprints(lenient)).toEqual([0, 0]);
  await lenient.close({ keepFolder: true });

  const { folder } = lenient;
  const strict = await openApp({ folder, settings: { 'produto.recusarIdentico': 'true' } });
  expect(fingerprints(strict)).toEqual([1, 1]);
  expect([await includeIn(strict), await includeIn(strict, { denominacao: 'Outra' })]).toEqual([422, 200]);
  expect(fingerprints(strict)).toEqual([1, 1, 1]);
  await strict.close({ keepFolder: true });

  const lenientAgain = await openApp({ folder, settings: OFF, parts: serve });
  expect(await includeIn(lenientAgain, { denominacao: 'Mais uma' })).toBe(200);
  await lenientAgain.close({ keepFolder: true });

  const strictAgain = await openApp({ folder, settings: { 'produto.recusarIdentico': 'true' } });
  expect(await includeIn(strictAgain, { denominacao: 'Mais uma' })).toBe(422);
  await strictAgain.close();
});

test('columns that differ from the latest ones in one member have their own content', () => {
  const content = toContent({ ...MINIMAL, modalidade: 'IMPORTACAO' });
  const columns = columnsOf(content);
  expect(writtenContentOf({ ...columns })).toBe(content);
  for (const change of [{ denominacao: 'Outra' }, { atributos: '[{"atributo":"A","valor":"1"}]' }]) {
    const changed = { ...columns, ...change };
    expect(writtenContentOf(changed)).toEqual(contentOf(changed));
  }
});

test('an identical product is found also before all fingerprints are computed', async () => {
  const { server, demo } = open();
  await include(demo, PRODUCT);
  server.app.core.db.exec("DELETE FROM folder_mark WHERE name = 'fingerprinted'");
  server.app.core.db.exec('UPDATE product SET content_hash = NULL');
  expect(await isRefused({})).toBe(true);
  expect(await isRefused({ denominacao: 'Outra' })).toBe(false);
  expect(await isRefused({ atributos: [{ atributo: 'ATT_1', valor: '02' }] })).toBe(false);
});

describe('a process without the rule, next to one that has it', () => {
  const lenientParts = {
    settings: { 'produto.recusarIdentico': 'false' },
    parts: { mode: 'serve' },
  } as const;

  test('adds fingerprints to its products once the other one has computed all', async () => {
    const lenient = await openApp(lenientParts);
    const strict = await openApp({
      folder: lenient.folder,
      settings: { 'produto.recusarIdentico': 'true' },
    });
    expect((await (await lenient.as('demo')).call('POST', OF_COMPANY, PRODUCT)).status).toBe(200);
    const reply = await (await strict.as('demo')).call('POST', OF_COMPANY, PRODUCT);
    expect(reply.status).toBe(422);
    await strict.close({ keepFolder: true });
    await lenient.close();
  });

  test('adds them too while the other one computes those of later companies', async () => {
    const lenient = await openApp(lenientParts);
    const { db, writer } = lenient.app.core;
    const strictStore = new ProductStore(db, (stored) => contentHashOf(contentOf(stored)), true);
    const fillAfter = (after: number) => writer.write(() => strictStore.fillHashes(after));
    const demo = await lenient.as('demo');
    await demo.call('POST', `${PATH}/${OTHER_COMPANY}`, PRODUCT);
    const last = await fillAfter(0);
    await demo.call('POST', OF_COMPANY, PRODUCT);
    expect(await fillAfter(last ?? 0)).toBeUndefined();
    const hashes = db.prepare('SELECT id, content_hash IS NULL AS isMissing FROM product ORDER BY id').all();
    expect(hashes).toMatchObject([{ isMissing: 0 }, { id: last, isMissing: 0 }]);
    await lenient.close();
  });
});
