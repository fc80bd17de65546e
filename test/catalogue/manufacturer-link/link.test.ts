/** POST /ext/fabricante/{cpfCnpjRaiz}: linking (contract section 4, Manufacturer-producer link). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { keepEvents } from '../../support/subscribed.ts';
import {
  COMPANY,
  LINKS,
  givenDraft,
  givenOperator,
  givenProduct,
  linkTo,
  knownInBrazil,
  linkEvents,
  problemsOf,
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

const link = (body: unknown, client = demo) => client.call('POST', `${LINKS}/${COMPANY}`, body);

describe('a caller is refused', () => {
  test('without a session', async () => {
    expect((await link(unknownIn(codigo, 'DE'), app.anybody)).status).toBe(401);
  });

  test('without the company, with any body and for an unknown product too', async () => {
    const stranger = await app.as('estranho');
    for (const body of [unknownIn(codigo, 'DE'), unknownIn(999, 'DE'), {}, '{'])
      expect((await link(body, stranger)).status).toBe(403);
  });

  test('as an administrator without representations', async () => {
    expect((await link(unknownIn(codigo, 'DE'), await app.as('admin'))).status).toBe(403);
  });

  test('for an invalid company', async () => {
    expect((await demo.call('POST', `${LINKS}/1234567`, unknownIn(codigo, 'DE'))).status).toBe(400);
  });
});

test('as a public agent, who reads every catalogue and writes to none', async () => {
  const open = await openApp({ settings: { ambiente: 'producao' } });
  const publico = await open.as('publico');
  expect((await publico.call('POST', `${LINKS}/${COMPANY}`, unknownIn(1, 'DE'))).status).toBe(403);
  await open.close();
});

describe('a malformed request is refused', () => {
  const refused: readonly (readonly [string, object, string])[] = [
    ['codigoProduto missing', { codigoProduto: null }, '/codigoProduto'],
    ['codigoProduto 0', { codigoProduto: 0 }, '/codigoProduto'],
    ['codigoProduto of 11 digits', { codigoProduto: 10_000_000_000 }, '/codigoProduto'],
    ['codigoProduto as a word', { codigoProduto: 'um' }, '/codigoProduto'],
    ['conhecido missing', { conhecido: null }, '/conhecido'],
    ['conhecido as a text', { conhecido: 'true' }, '/conhecido'],
    ['codigoPais missing', { codigoPais: '' }, '/codigoPais'],
    ['codigoPais in small letters', { codigoPais: 'de' }, '/codigoPais'],
    ['codigoPais of three letters', { codigoPais: 'DEU' }, '/codigoPais'],
    [
      'an operator code of 36 characters',
      { codigoOperadorEstrangeiro: 'O'.repeat(36) },
      '/codigoOperadorEstrangeiro',
    ],
    ['a manufacturer of 10 digits', { cpfCnpjFabricante: '1'.repeat(10) }, '/cpfCnpjFabricante'],
    ['a manufacturer of 12 digits', { cpfCnpjFabricante: '1'.repeat(12) }, '/cpfCnpjFabricante'],
    ['a manufacturer of 13 digits', { cpfCnpjFabricante: '1'.repeat(13) }, '/cpfCnpjFabricante'],
    ['a manufacturer of 15 zeros', { cpfCnpjFabricante: '0'.repeat(15) }, '/cpfCnpjFabricante'],
    ['a manufacturer with letters', { cpfCnpjFabricante: '12ABC34501DE35' }, '/cpfCnpjFabricante'],
    ['vincular, a member of batches', { vincular: true }, '/vincular'],
    ['dataReferencia, a member of batches', { dataReferencia: '2026-01-01' }, '/dataReferencia'],
  ];

  for (const [title, change, path] of refused) {
    test(title, async () => {
      const reply = await link({ ...unknownIn(codigo, 'DE'), ...change });
      expect(reply.status).toBe(400);
      expect(problemsOf(reply)).toEqual([`PUCX-ER0010 ${path}`]);
    });
  }

  test('codigoProduto and the operator code are accepted up to their limits, and only then validated', async () => {
    const atTheLimits = linkTo(9_999_999_999, 'DE', 'O'.repeat(35));
    expect((await link(atTheLimits)).status).toBe(422);
  });
});

describe('a link is created to', () => {
  test('a manufacturer known in Brazil, by CNPJ and by CPF', async () => {
    const codigo = await givenProduct(demo);
    for (const cpfCnpjFabricante of ['12345678000195', '00000000191']) {
      const reply = await link(knownInBrazil(codigo, cpfCnpjFabricante));
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual({
        cpfCnpjRaiz: COMPANY,
        codigoProduto: codigo,
        conhecido: true,
        codigoPais: 'BR',
        codigoOperadorEstrangeiro: null,
        cpfCnpjFabricante,
      });
    }
  });

  test('a manufacturer known abroad, with an active operator of that country', async () => {
    const codigo = await givenProduct(demo);
    const reply = await link({ ...linkTo(codigo, 'DE', 'OPE_1'), cpfCnpjFabricante: '00000000000000' });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ codigoOperadorEstrangeiro: 'OPE_1', cpfCnpjFabricante: null });
  });

  test('an unknown manufacturer, of any country, Brazil included', async () => {
    const codigo = await givenProduct(demo);
    for (const codigoPais of ['CN', 'BR', 'DE'])
      expect((await link(unknownIn(codigo, codigoPais))).status).toBe(200);
  });

  test('a manufacturer with null and empty texts, which count as absent', async () => {
    const codigo = await givenProduct(demo);
    const reply = await link({
      ...unknownIn(codigo, 'DE'),
      codigoOperadorEstrangeiro: null,
      cpfCnpjFabricante: '',
    });
    expect(reply.status).toBe(200);
  });

  test('a draft of a product', async () => {
    expect((await link(unknownIn(await givenDraft(demo), 'DE'))).status).toBe(200);
  });

  test('a manufacturer, with an event for the company that describes the link', async () => {
    await keepEvents(app, 'catp-vinc-alterado');
    const codigo = await givenProduct(demo);
    await link(linkTo(codigo, 'DE', 'OPE_1'));
    expect(linkEvents(app).at(-1)).toEqual({
      cpfCnpjRaiz: COMPANY,
      codigo,
      codigoPais: 'DE',
      codigoOperadorEstrangeiro: 'OPE_1',
      cpfCnpjFabricante: null,
      operacao: 'VINCULACAO',
      dataHora: '2026-01-15T09:00:00',
    });
  });
});
