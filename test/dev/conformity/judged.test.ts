/**
 * Successful requests that the public service would have refused (contract section 21): each rule on both
 * sides.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { BATCH, DEMO, PRODUCT, PRODUCTS, type Watched, openWatched } from './support.ts';

let watched: Watched;
beforeAll(async () => {
  watched = await openWatched();
});
afterAll(() => watched.close());
beforeEach(() => watched.countFindings());

let last = 0;
/** Returns a product with a unique name. */
const unique = (further: object = {}) => ({ ...PRODUCT, denominacao: `Caixa ${(last += 1)}`, ...further });
const include = async (body: object): Promise<number> => {
  const reply = await watched.demo.call('POST', PRODUCTS, body);
  expect(reply.status).toBe(200);
  return reply.json.codigo;
};
const batch = async (path: string, items: readonly object[]): Promise<boolean[]> => {
  const numbered = items.map((item, at) => ({ seq: at + 1, cpfCnpjRaiz: '12345678', ...item }));
  const reply = await watched.demo.call('POST', path, numbered);
  expect(reply.status).toBe(200);
  return reply.json.map(({ sucesso }: { sucesso: boolean }) => sucesso);
};

describe('tamanho', () => {
  test('a denominacao of 121 characters, in an include and in a new version; not one of 120', async () => {
    const codigo = await include(unique({ denominacao: 'á'.repeat(120) }));
    expect(await watched.countFindings()).toEqual({});
    await include(unique({ denominacao: 'á'.repeat(121) }));
    await watched.demo.call('PUT', `${PRODUCTS}/${codigo}`, unique({ denominacao: 'x'.repeat(121) }));
    expect(await watched.countFindings()).toEqual({ tamanho: 2 });
  });

  test('item by item of a batch, drafts too, but only accepted ones', async () => {
    const long = 'y'.repeat(121);
    const accepted = await batch(BATCH, [
      { ...PRODUCT, denominacao: long },
      { denominacao: `${long}z`, situacao: 'RASCUNHO' },
      { denominacao: `${long}w`, modalidade: 'NENHUMA', ncm: '39269090' },
      unique(),
    ]);
    expect(accepted).toEqual([true, true, false, true]);
    expect(await watched.countFindings()).toEqual({ tamanho: 2, 'operacao-descontinuada': 1 });
  });

  test('a refusal does not count, and a name of an operator may be longer', async () => {
    expect((await watched.demo.call('POST', PRODUCTS, { denominacao: 'x'.repeat(3701) })).status).toBe(400);
    const operator = { nome: 'n'.repeat(70), logradouro: 'Rua', nomeCidade: 'Cidade' };
    const path = '/catp/api/ext/operador-estrangeiro/12345678/DE';
    expect((await watched.demo.call('POST', path, operator)).status).toBe(200);
    expect(await watched.countFindings()).toEqual({});
  });
});

test('modalidade: AMBOS, and no other', async () => {
  await include(unique({ modalidade: 'EXPORTACAO' }));
  expect(await watched.countFindings()).toEqual({});
  await include(unique({ modalidade: 'AMBOS' }));
  expect(await watched.countFindings()).toEqual({ modalidade: 1 });
});

test('digitos: of a linked manufacturer, alone or in a batch; not of an unlinked one', async () => {
  const [first, second] = [await include(unique()), await include(unique())];
  const path = '/catp/api/ext/fabricante';
  const link = (codigoProduto: number, cpfCnpjFabricante: string) => ({
    codigoProduto,
    conhecido: true,
    codigoPais: 'BR',
    cpfCnpjFabricante,
  });
  const [right, wrong] = ['12345678000195', '12345678000196'];
  expect((await watched.demo.call('POST', `${path}/12345678`, link(first, right))).status).toBe(200);
  expect(await watched.countFindings()).toEqual({});
  expect((await watched.demo.call('POST', `${path}/12345678`, link(first, wrong))).status).toBe(200);
  expect(await watched.countFindings()).toEqual({ digitos: 1 });
  expect((await watched.demo.call('PUT', `${path}/12345678`, link(first, wrong))).status).toBe(200);
  expect(await watched.countFindings()).toEqual({});
  await batch(path, [link(second, right), link(second, wrong)]);
  expect(await watched.countFindings()).toEqual({ digitos: 1, 'operacao-descontinuada': 1 });
  await batch(path, [{ ...link(second, wrong), vincular: false }]);
  expect(await watched.countFindings()).toEqual({ 'operacao-descontinuada': 1 });
});

describe('identico', () => {
  test('a product that equals an active one, by an include or a new version; internal codes do not matter', async () => {
    const one = unique();
    const codigo = await include(one);
    const other = await include(unique());
    expect(await watched.countFindings()).toEqual({});
    await include({ ...one, codigosInterno: ['A'] });
    expect(await watched.countFindings()).toEqual({ identico: 1 });
    await watched.demo.call('PUT', `${PRODUCTS}/${other}`, one);
    await watched.demo.call('PUT', `${PRODUCTS}/${codigo}/1`, one);
    expect(await watched.countFindings()).toEqual({ identico: 2 });
  });

  test('not one that equals a deactivated one, nor itself, nor a draft', async () => {
    const one = unique();
    const codigo = await include(one);
    await watched.demo.call('PUT', `${PRODUCTS}/${codigo}`, one);
    await batch(BATCH, [{ ...one, situacao: 'RASCUNHO' }]);
    const off = await watched.demo.call('PUT', `/catp/api/ext/produto/desativar/12345678/${codigo}`);
    expect(off.status).toBe(200);
    await include(one);
    expect(await watched.countFindings()).toEqual({ 'operacao-descontinuada': 1 });
  });

  test('the second of two in one batch, and a rectification by its own result, not by the current version', async () => {
    const [one, other] = [unique(), unique()];
    expect(await batch(BATCH, [one, one])).toEqual([true, true]);
    expect(await watched.countFindings()).toEqual({ identico: 1, 'operacao-descontinuada': 1 });
    const codigo = await include(unique());
    await watched.demo.call('PUT', `${PRODUCTS}/${codigo}`, one);
    expect(await watched.countFindings()).toEqual({ identico: 1 });
    expect((await watched.demo.call('PUT', `${PRODUCTS}/${codigo}/1`, other)).status).toBe(200);
    expect(await watched.countFindings()).toEqual({});
    expect((await watched.demo.call('PUT', `${PRODUCTS}/${codigo}/1.1`, one)).status).toBe(200);
    expect(await watched.countFindings()).toEqual({ identico: 1 });
  });
});

test('evento: a subscription to an unknown event', async () => {
  const path = '/portal/api/ext/webhook';
  const endpoint = 'https://erp.exemplo/avisos';
  const subscription = await watched.demo.call('POST', path, { evento: 'catp-prod-desativado', endpoint });
  expect(subscription.status).toBe(200);
  expect(await watched.countFindings()).toEqual({});
  expect((await watched.demo.call('POST', path, { evento: 'catp-nada', endpoint })).status).toBe(200);
  expect(await watched.countFindings()).toEqual({ evento: 1 });
  const id = subscription.json.id;
  const changed = { id, evento: 'catp-nada-mais', endpoint };
  expect((await watched.demo.call('PUT', `${path}/${id}`, changed)).status).toBe(200);
  expect(await watched.countFindings()).toEqual({ evento: 1 });
});

test('operacao-descontinuada: each of the three batches, and no operation for one record', async () => {
  for (const noun of ['produto', 'operador-estrangeiro', 'fabricante'])
    await batch(`/catp/api/ext/${noun}`, []);
  expect(await watched.countFindings()).toEqual({ 'operacao-descontinuada': 3 });
  await watched.demo.call('POST', '/catp/api/ext/regime-especial', []);
  expect(await watched.countFindings()).toEqual({});
});

describe('membro-desconhecido', () => {
  let noting: Watched;
  beforeAll(async () => {
    noting = await openWatched({ settings: { 'corpo.desconhecidos': 'anotar' } });
  });
  afterAll(() => noting.close());

  test('a record with omitted members, once; item by item of a batch, only accepted ones', async () => {
    await noting.demo.call('POST', PRODUCTS, unique({ unidade: 'kg', peso: 1 }));
    expect(await noting.countFindings()).toEqual({ 'membro-desconhecido': 1 });
    await noting.demo.call('POST', PRODUCTS, unique({ unidade: null }));
    expect(await noting.countFindings()).toEqual({});
    const items = [unique({ unidade: 'kg' }), unique(), unique({ unidade: 'kg', ncm: '1' })];
    const numbered = items.map((item, at) => ({ seq: at + 1, cpfCnpjRaiz: '12345678', ...item }));
    await noting.demo.call('POST', BATCH, numbered);
    expect(await noting.countFindings()).toEqual({ 'membro-desconhecido': 1, 'operacao-descontinuada': 1 });
  });
});

test('download: without perfil, or without an accepted zip; without a user', async () => {
  const demo = await openWatched({ demo: true });
  const path = '/cadatributos/api/atributo-ncm/download/json';
  const ask = async (query: string, accept?: string) =>
    expect(
      (await demo.server.anybody.call('GET', `${path}${query}`, undefined, accept ? { accept } : {})).status,
    ).toBe(200);
  await ask('?perfil=PUBLICO');
  await ask('?perfil=PUBLICO', 'application/zip');
  expect(await demo.countFindings()).toEqual({});
  await ask('');
  await ask('?perfil=PUBLICO', 'application/json');
  expect(await demo.findings()).toMatchObject([{ rule: 'download', count: 2, users: [] }]);
  await demo.close();
});

test('with the profile portal nothing of it succeeds, and nothing is found', async () => {
  const portal = await openWatched({ settings: { perfil: 'portal' }, demo: true });
  const { demo, server } = portal;
  expect((await demo.call('POST', PRODUCTS, { ...PRODUCT, denominacao: 'x'.repeat(121) })).status).toBe(400);
  expect((await demo.call('POST', BATCH, [])).status).toBe(404);
  expect((await server.anybody.call('GET', '/cadatributos/api/atributo-ncm/download/json')).status).toBe(307);
  expect(await portal.countFindings()).toEqual({});
  await portal.close();
});

test('the finding names the users, the times, and the last ten requests', async () => {
  for (let remaining = 12; remaining > 0; remaining -= 1) await include(unique({ modalidade: 'AMBOS' }));
  watched.server.clock.moveTo(watched.server.clock.now() + 60_000);
  await include(unique({ modalidade: 'AMBOS' }));
  const [finding] = await watched.findings();
  const rows = (await watched.admin.call('GET', '/appliance/api/requests?operation=includeProduct&limit=10'))
    .json as { id: number }[];
  expect(finding).toMatchObject({
    rule: 'modalidade',
    count: 13,
    users: [DEMO],
    until: null,
    requests: rows.map(({ id }) => id).reverse(),
  });
  expect(Date.parse(finding?.lastAt ?? '') - Date.parse(finding?.firstAt ?? '')).toBe(60_000);
});
