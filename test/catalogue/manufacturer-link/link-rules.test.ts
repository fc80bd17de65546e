/** POST /ext/fabricante/{cpfCnpjRaiz}: the rules of a link (contract section 4, Manufacturer-producer link). */
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
  givenOperator(app, 'OPE_2', 'DE', 'DESATIVADO');
  givenOperator(app, 'OPE_3', 'US');
  givenOperator(app, 'OPE_4', 'DE', 'ATIVADO', '87654321');
});

afterAll(() => app.close());

const link = (body: unknown) => demo.call('POST', `${LINKS}/${COMPANY}`, body);

describe('a broken rule is refused', () => {
  const refused: readonly (readonly [string, (codigo: number) => object, readonly string[]])[] = [
    ['an unknown product', () => unknownIn(999, 'DE'), ['CATP-ER1015 /codigoProduto']],
    ['an unknown country', (one) => unknownIn(one, 'XX'), ['CATP-ER1012 /codigoPais']],
    [
      'unknown, with an operator',
      (one) => ({ ...unknownIn(one, 'DE'), codigoOperadorEstrangeiro: 'OPE_1' }),
      ['CATP-ER1018 /codigoOperadorEstrangeiro'],
    ],
    [
      'unknown in Brazil, with a manufacturer',
      (one) => ({ ...unknownIn(one, 'BR'), cpfCnpjFabricante: '12345678000195' }),
      ['CATP-ER1018 /cpfCnpjFabricante'],
    ],
    [
      'known in Brazil, without a manufacturer',
      (one) => ({ codigoProduto: one, conhecido: true, codigoPais: 'BR' }),
      ['CATP-ER1016 /cpfCnpjFabricante'],
    ],
    [
      'known in Brazil, with a manufacturer of zeros only',
      (one) => knownInBrazil(one, '00000000000000'),
      ['CATP-ER1016 /cpfCnpjFabricante'],
    ],
    [
      'known in Brazil, with an operator too',
      (one) => ({ ...knownInBrazil(one), codigoOperadorEstrangeiro: 'OPE_1' }),
      ['CATP-ER1016 /codigoOperadorEstrangeiro'],
    ],
    [
      'known abroad, without an operator',
      (one) => ({ codigoProduto: one, conhecido: true, codigoPais: 'DE' }),
      ['CATP-ER1017 /codigoOperadorEstrangeiro'],
    ],
    [
      'known abroad, with an operator of zeros only',
      (one) => linkTo(one, 'DE', '0'),
      ['CATP-ER1017 /codigoOperadorEstrangeiro'],
    ],
    [
      'known abroad, with a manufacturer too',
      (one) => ({ ...linkTo(one, 'DE', 'OPE_1'), cpfCnpjFabricante: '12345678000195' }),
      ['CATP-ER1017 /cpfCnpjFabricante'],
    ],
    ['an unknown operator', (one) => linkTo(one, 'DE', 'OPE_9'), ['CATP-ER1017 /codigoOperadorEstrangeiro']],
    [
      'a deactivated operator',
      (one) => linkTo(one, 'DE', 'OPE_2'),
      ['CATP-ER1017 /codigoOperadorEstrangeiro'],
    ],
    [
      'an operator of another country',
      (one) => linkTo(one, 'DE', 'OPE_3'),
      ['CATP-ER1017 /codigoOperadorEstrangeiro'],
    ],
    [
      'an operator of another company',
      (one) => linkTo(one, 'DE', 'OPE_4'),
      ['CATP-ER1017 /codigoOperadorEstrangeiro'],
    ],
  ];

  for (const [title, body, problems] of refused) {
    test(title, async () => {
      const reply = await link(body(codigo));
      expect(reply.status).toBe(422);
      expect(reply.json.code).toBe('CATP-ER0422');
      expect(problemsOf(reply)).toEqual(problems);
    });
  }

  test('a deactivated product', async () => {
    const reply = await link(unknownIn(await givenDeactivatedProduct(demo), 'DE'));
    expect(reply.status).toBe(422);
    expect(problemsOf(reply)).toEqual(['CATP-ER1015 /codigoProduto']);
  });

  test('a product of another represented company', async () => {
    const reply = await demo.call('POST', `${LINKS}/87654321`, unknownIn(codigo, 'DE'));
    expect(problemsOf(reply)).toEqual(['CATP-ER1015 /codigoProduto']);
  });

  test('every broken rule is reported at once', async () => {
    const reply = await link({
      codigoProduto: 999,
      conhecido: false,
      codigoPais: 'XX',
      codigoOperadorEstrangeiro: 'OPE_1',
      cpfCnpjFabricante: '12345678000195',
    });
    expect(problemsOf(reply)).toEqual([
      'CATP-ER1015 /codigoProduto',
      'CATP-ER1012 /codigoPais',
      'CATP-ER1018 /codigoOperadorEstrangeiro',
      'CATP-ER1018 /cpfCnpjFabricante',
    ]);
  });

  test('the same link a second time, also with leading zeros', async () => {
    const codigo = await givenProduct(demo);
    expect((await link(unknownIn(codigo, 'DE'))).status).toBe(200);
    const zeros = { codigoOperadorEstrangeiro: '0', cpfCnpjFabricante: '00000000000000' };
    for (const again of [unknownIn(codigo, 'DE'), { ...unknownIn(codigo, 'DE'), ...zeros }]) {
      const reply = await link(again);
      expect(reply.status).toBe(422);
      expect(problemsOf(reply)).toEqual(['CATP-ER1019 null']);
    }
  });

  test('a refused link publishes nothing', async () => {
    const before = linkEvents(app).length;
    await link(unknownIn(999, 'DE'));
    expect(linkEvents(app)).toHaveLength(before);
  });
});

describe('check digits, when the setting requires them', () => {
  let strict: TestApp;
  let client: Client;

  beforeAll(async () => {
    strict = await openApp({ settings: { 'cnpj.digitos': 'true', 'cnpj.alfanumerico': 'true' } });
    client = await strict.as('demo');
    await givenProduct(client);
  });

  afterAll(() => strict.close());

  const linkStrictly = (cpfCnpjFabricante: string) =>
    client.call('POST', `${LINKS}/${COMPANY}`, knownInBrazil(1, cpfCnpjFabricante));

  test('wrong ones are refused', async () => {
    for (const wrong of ['12345678000194', '00000000192', '12ABC34501DE36', '11111111111']) {
      const reply = await linkStrictly(wrong);
      expect(reply.status).toBe(422);
      expect(problemsOf(reply)).toEqual(['CATP-ER1021 /cpfCnpjFabricante']);
    }
  });

  test('letters are accepted only before the check digits, and only as capitals', async () => {
    for (const malformed of ['12ABC34501DE3A', '12abc34501de35', '12ABC34501D'])
      expect((await linkStrictly(malformed)).status).toBe(400);
  });

  test('right ones are accepted', async () => {
    for (const right of ['12345678000195', '00000000191', '12ABC34501DE35'])
      expect((await linkStrictly(right)).status).toBe(200);
  });

  test('wrong ones are accepted without the setting', async () => {
    expect((await link(knownInBrazil(await givenProduct(demo), '12345678000194'))).status).toBe(200);
  });
});
