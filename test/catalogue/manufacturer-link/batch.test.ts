/** POST /ext/fabricante: links in a batch (contract section 4, Batch result). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import {
  COMPANY,
  LINKS,
  givenDeactivatedProduct,
  givenOperator,
  givenProduct,
  linkTo,
  knownInBrazil,
  unknownIn,
} from './support.ts';

let app: TestApp;
let demo: Client;
let codigo: number;

beforeAll(async () => {
  app = await openApp();
  demo = await app.as('demo');
  codigo = await givenProduct(demo);
  givenOperator(app, 'OPE_1', 'DE');
});

afterAll(() => app.close());

const batch = (items: unknown, client = demo) => client.call('POST', LINKS, items);
const item = (seq: number, link: object, more: object = {}) => ({
  seq,
  cpfCnpjRaiz: COMPANY,
  ...link,
  ...more,
});
const failure = (seq: number, ...erros: unknown[]) => ({ seq, codigo: '0', erros, sucesso: false });
const success = (seq: number, product = codigo) => ({
  seq,
  codigo: String(product),
  erros: [],
  sucesso: true,
});
const startOf = (codigoPais: string): unknown =>
  app.app.core.db
    .prepare<[string], string>(
      'SELECT starts_on FROM manufacturer_link WHERE codigo_pais = ? AND unlinked_at IS NULL',
    )
    .pluck()
    .get(codigoPais);

describe('a batch is refused as a whole', () => {
  test('without a session', async () => {
    expect((await batch([], app.anybody)).status).toBe(401);
  });

  test('when it is no list, or has more than 100 items', async () => {
    const items = Array.from({ length: 101 }, (_, index) => item(index + 1, unknownIn(codigo, 'AR')));
    for (const body of [{}, 'x', items]) expect((await batch(body)).status).toBe(400);
    expect(startOf('AR')).toBeUndefined();
  });

  test('when the deprecated operations are off', async () => {
    const without = await openApp({ settings: { operacoesDescontinuadas: 'false' } });
    const reply = await (await without.as('demo')).call('POST', LINKS, []);
    expect(reply.status).toBe(404);
    await without.close();
  });
});

describe('an item is refused alone', () => {
  test('for a company that the user does not represent', async () => {
    const reply = await batch([item(1, unknownIn(codigo, 'AR'), { cpfCnpjRaiz: '11222333' })]);
    expect(reply.json).toEqual([failure(1, 'O usuário logado não é representante legal do CPF/CNPJ Raiz.')]);
  });

  test('when it is malformed, with all its problems, and the others are stored', async () => {
    const reply = await batch([
      item(1, { conhecido: 'sim' }),
      7,
      item(3, unknownIn(codigo, 'AR'), { vinculo: true }),
      item(4, unknownIn(codigo, 'BO')),
    ]);
    const [first, second, third, fourth] = reply.json;
    expect(first).toMatchObject({ seq: 1, codigo: '0', sucesso: false });
    expect(first.erros).toHaveLength(3);
    expect(second).toMatchObject({ seq: 2, sucesso: false });
    expect(third.erros).toEqual(['vinculo: Membro desconhecido "vinculo". Você quis dizer \'vincular\'?']);
    expect(fourth).toEqual(success(4));
  });

  test('with seq 0, seq 1000 or a repeated seq', async () => {
    const reply = await batch([
      item(0, unknownIn(codigo, 'CL')),
      item(1000, unknownIn(codigo, 'CL')),
      item(5, unknownIn(codigo, 'CL')),
      item(5, unknownIn(codigo, 'CO')),
      item(999, unknownIn(codigo, 'CO')),
    ]);
    const sucesso = reply.json.map((result: { sucesso: boolean }) => result.sucesso);
    expect(sucesso).toEqual([false, false, true, false, true]);
  });

  test('with a broken rule, each with its message', async () => {
    const reply = await batch([item(1, knownInBrazil(999, '00000000000'))]);
    expect(reply.json[0].erros).toHaveLength(2);
  });

  test('for a deactivated product or operator, unlike in the mode espelho', async () => {
    const product = await givenDeactivatedProduct(demo);
    givenOperator(app, 'OPE_2', 'DE', 'DESATIVADO');
    const reply = await batch([item(1, unknownIn(product, 'DE')), item(2, linkTo(codigo, 'DE', 'OPE_2'))]);
    expect(reply.json[0].erros).toHaveLength(1);
    expect(reply.json[1].erros).toHaveLength(1);
  });

  test('with a reference day after today', async () => {
    const reply = await batch([item(1, unknownIn(codigo, 'CR'), { dataReferencia: '2026-01-16' })]);
    expect(reply.json).toEqual([
      failure(1, 'dataReferencia: recebido "2026-01-16"; aceita até hoje, 2026-01-15.'),
    ]);
    expect(startOf('CR')).toBeUndefined();
  });

  test('with a reference day of an unlink, and with every other problem of it', async () => {
    await batch([item(1, unknownIn(codigo, 'CU'))]);
    const ending = { vincular: false, dataReferencia: '2026-01-15' };
    const reply = await batch([
      item(1, unknownIn(codigo, 'CU'), ending),
      item(2, unknownIn(codigo, 'DK'), ending),
    ]);
    expect(reply.json[0].erros).toHaveLength(1);
    expect(reply.json[0].erros[0]).toContain('só é aceita ao vincular');
    expect(reply.json[1].erros).toHaveLength(2);
    expect(startOf('CU')).toBe('2026-01-15');
  });

  test('for the link that an earlier item created, and the link that an earlier one removed', async () => {
    const link = item(1, unknownIn(codigo, 'EC'));
    const unlink = item(3, unknownIn(codigo, 'EC'), { vincular: false });
    const reply = await batch([link, { ...link, seq: 2 }, unlink, { ...unlink, seq: 4 }]);
    const sucesso = reply.json.map((result: { sucesso: boolean }) => result.sucesso);
    expect(sucesso).toEqual([true, false, true, false]);
    expect(reply.json[3].erros).toEqual(['Fabricante/produtor não encontrado no produto.']);
  });
});

describe('a batch is applied', () => {
  test('without items, and changes nothing', async () => {
    const reply = await batch([]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual([]);
  });

  test('with 100 items, in order, with the headers of a deprecated operation', async () => {
    const products: number[] = [];
    for (let index = 0; index < 100; index += 1) products.push(await givenProduct(demo));
    const reply = await batch(products.map((product, index) => item(index + 1, unknownIn(product, 'EE'))));
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(products.map((product, index) => success(index + 1, product)));
    expect(reply.headers.get('sunset')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect(reply.headers.get('deprecation')).not.toBeNull();
  });

  test('with a link as the default of an item', async () => {
    const reply = await batch([
      item(1, unknownIn(codigo, 'EG')),
      item(2, unknownIn(codigo, 'ES'), { vincular: null }),
    ]);
    expect(reply.json).toEqual([success(1), success(2)]);
    expect([startOf('EG'), startOf('ES')]).toEqual(['2026-01-15', '2026-01-15']);
  });

  test('with a link from its reference day, today included', async () => {
    const reply = await batch([
      item(1, unknownIn(codigo, 'FI'), { dataReferencia: '2026-01-15' }),
      item(2, unknownIn(codigo, 'FR'), { dataReferencia: '2020-02-29' }),
      item(3, unknownIn(codigo, 'GR'), { dataReferencia: null }),
    ]);
    expect(reply.json).toEqual([success(1), success(2), success(3)]);
    expect([startOf('FI'), startOf('FR'), startOf('GR')]).toEqual(['2026-01-15', '2020-02-29', '2026-01-15']);
  });

  test('with an unlink, and the two members that other systems send are ignored', async () => {
    await batch([item(1, unknownIn(codigo, 'HT'))]);
    const ignored = { vincular: false, inicioVigencia: '2026-01-01', fimVigencia: null };
    expect((await batch([item(1, unknownIn(codigo, 'HT'), ignored)])).json).toEqual([success(1)]);
    expect(startOf('HT')).toBeUndefined();
  });
});
