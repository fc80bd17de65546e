/** Programs that are careless: what is forgiven in a record, and what is not (contract sections 3 and 4). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';

const PRODUCTS = '/catp/api/ext/produto/12345678';
const PRODUCT = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const OPERATORS = '/catp/api/ext/operador-estrangeiro/12345678/DE';
const OPERATOR = { nome: 'Muster', logradouro: 'Hauptstrasse 1', nomeCidade: 'Berlin' };

let server: TestApp;
let demo: Awaited<ReturnType<TestApp['as']>>;
beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterAll(() => server.close());

const included = async (more: object) => (await demo.call('POST', PRODUCTS, { ...PRODUCT, ...more })).json;

describe('An unknown member', () => {
  test.each([[null], [''], [[]]])(
    'that is empty (%p) is ignored, in the record and in an item of it',
    async (empty) => {
      expect(
        await included({ observacao: empty, atributos: [{ atributo: 'ATT_1', valor: '1', unidade: empty }] }),
      ).not.toHaveProperty('observacao');
    },
  );

  test.each([[' '], [0], [false], [{}], [[null]]])('that says something (%p) is refused', async (value) => {
    const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, observacao: value });
    expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/observacao']);
  });

  test('lists the accepted ones once, however many there are', async () => {
    const { json } = await demo.call('POST', PRODUCTS, { ...PRODUCT, um: 1, xyzw: 2, qqqqq: 3 });
    const messages = (json.detail as { message: string }[]).map(({ message }) => message);
    expect(messages).toHaveLength(3);
    expect(messages.filter((message) => message.includes('Aceitos:'))).toHaveLength(1);
  });
});

describe('A text of a record', () => {
  test('takes a number as its digits, as they were sent', async () => {
    const { denominacao, ncm, codigosInterno } = await included({
      denominacao: 16544,
      ncm: 39269090,
      codigosInterno: [701, '702'],
    });
    expect([denominacao, ncm, codigosInterno]).toEqual(['16544', '39269090', ['701', '702']]);
    const { json } = await demo.call('POST', OPERATORS, { ...OPERATOR, cep: 80331, codigoInterno: 17 });
    expect([json.cep, json.codigoInterno]).toEqual(['80331', '17']);
  });

  test('takes no boolean, no list and no object', async () => {
    for (const denominacao of [true, ['x'], { x: 1 }]) {
      const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, denominacao });
      expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/denominacao']);
    }
  });
});

describe('Blanks', () => {
  test('round codes are no part of them, in bodies of one and of many; free texts keep theirs', async () => {
    const padded = { modalidade: ' IMPORTACAO', ncm: ' 39269090 ', codigosInterno: ['  PECA-9  '] };
    const record = await included({ ...padded, denominacao: ' Caixa ' });
    expect(record).toMatchObject({ modalidade: 'IMPORTACAO', ncm: '39269090', codigosInterno: ['PECA-9'] });
    expect(record.denominacao).toBe(' Caixa ');
    const found = await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678&codigoInterno=PECA-9');
    expect(found.json).toHaveLength(1);
    const item = { seq: 1, cpfCnpjRaiz: '12345678 ', codigo: ` ${String(record.codigo)} `, ...PRODUCT };
    const batch = await demo.call('POST', '/catp/api/ext/produto', [{ ...item, situacao: ' Ativado ' }]);
    expect(batch.json).toMatchObject([{ sucesso: true, versao: '2' }]);
    const operator = await demo.call('POST', OPERATORS, { ...OPERATOR, tin: ' DE1 ', nome: ' Muster ' });
    expect([operator.json.tin, operator.json.nome]).toEqual(['DE1', ' Muster ']);
  });

  test('alone are a code of size 0', async () => {
    const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, codigosInterno: ['   '] });
    expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/codigosInterno/0']);
  });
});

describe('A dataReferencia of a body', () => {
  const LINKS = '/catp/api/ext/fabricante';
  /** The day from which the link is then valid, or the refusal's status. */
  const startOf = async (dataReferencia: string): Promise<unknown> => {
    const { codigo } = await included({});
    const item = {
      seq: 1,
      cpfCnpjRaiz: '12345678',
      codigoProduto: codigo,
      conhecido: false,
      codigoPais: 'FI',
    };
    const { json } = await demo.call('POST', LINKS, [{ ...item, dataReferencia }]);
    if (json[0].sucesso !== true) return json[0].erros[0];
    const query = `cpfCnpjRaiz=12345678&codigoProduto=${codigo}`;
    const page = await demo.call('GET', `/appliance/api/manufacturer-links?${query}`);
    return page.json.items[0].startsOn;
  };

  test.each([
    ['2026-01-02', '2026-01-02'],
    ['2026-01-02T00:00:00-03:00', '2026-01-02'],
    ['2026-01-02T00:00:00.000+0000', '2026-01-02'],
    ['2026-01-02T00:00:00Z', '2026-01-02'],
    ['2026-01-02T02:59:59Z', '2026-01-01'],
    ['2026-01-02T03:00:00Z', '2026-01-02'],
    ['2026-01-02T23:30:00', '2026-01-02'],
  ])('takes %s for %s', async (sent, day) => {
    expect(await startOf(sent)).toBe(day);
  });

  test.each(['2026-02-30T00:00:00Z', '2026-01-02T25:00:00Z', '2026-01-02 00:00:00', '02/01/2026'])(
    'refuses %s',
    async (sent) => {
      expect(await startOf(sent)).toContain('dataReferencia: recebido');
    },
  );
});
