/** POST /ext/produto/{cpfCnpjRaiz} and …/{dataReferencia} (contract sections 4 and 5). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  OF_COMPANY,
  OTHER_COMPANY,
  TODAY,
  TOMORROW,
  WHOLE,
  YESTERDAY,
  codesOf,
  eventsOf,
  include,
  listed,
  pathsOf,
  productsForAllTests,
  productsForEachTest,
  succeed,
} from './support.ts';

describe('limits', () => {
  const open = productsForAllTests();
  const accepts = async (change: object) =>
    (await open().demo.call('POST', OF_COMPANY, { ...MINIMAL, ...change })).status === 200;

  /** Limits, each with an accepted and a refused text, counted in code points. */
  const EDGES: readonly (readonly [string, number, (text: string) => object])[] = [
    ['denominacao', 3700, (denominacao) => ({ denominacao })],
    ['descricao', 3700, (descricao) => ({ descricao })],
    ['atributo', 25, (atributo) => ({ atributos: [{ atributo, valor: '1' }] })],
    ['valor', 3700, (valor) => ({ atributos: [{ atributo: 'A', valor }] })],
    [
      'a value of valores',
      3700,
      (valor) => ({ atributosMultivalorados: [{ atributo: 'A', valores: [valor] }] }),
    ],
    ['codigosInterno', 60, (codigo) => ({ codigosInterno: [codigo] })],
  ];

  test.each(EDGES)('%s accepts at most %i characters', async (_name, most, changeOf) => {
    expect(await accepts(changeOf('𝄞'.repeat(most)))).toBe(true);
    expect(await accepts(changeOf(`${'𝄞'.repeat(most)}x`))).toBe(false);
  });

  test('the profile portal accepts 120 characters of denominacao and no AMBOS', async () => {
    const server = await openApp({ settings: { perfil: 'portal' } });
    const demo = await server.as('demo');
    const status = async (change: object) =>
      (await demo.call('POST', OF_COMPANY, { ...MINIMAL, ...change })).status;
    expect(await status({ denominacao: 'é'.repeat(120) })).toBe(200);
    expect(await status({ denominacao: 'é'.repeat(121) })).toBe(400);
    expect(await status({ modalidade: 'AMBOS' })).toBe(400);
    expect(await status({ modalidade: 'EXPORTACAO' })).toBe(200);
    await server.close();
  });

  test('a repeated internal code in a record is a violated rule', async () => {
    const reply = await open().demo.call('POST', OF_COMPANY, {
      ...MINIMAL,
      codigosInterno: ['a', 'A', 'a', 'b', 'b'],
    });
    expect([reply.status, codesOf(reply), pathsOf(reply)]).toEqual([
      422,
      ['CATP-ER1002', 'CATP-ER1002'],
      ['/codigosInterno/2', '/codigosInterno/4'],
    ]);
  });

  test('a body over the limit is 413, and one at the limit is read', async () => {
    const server = await openApp({ settings: { 'corpo.maximo': '1024' } });
    const demo = await server.as('demo');
    const text = JSON.stringify(MINIMAL);
    const ofSize = (size: number) => text + ' '.repeat(size - text.length);
    expect(
      (await demo.call('POST', OF_COMPANY, ofSize(1024), { 'content-type': 'application/json' })).status,
    ).toBe(200);
    const reply = await demo.call('POST', OF_COMPANY, ofSize(1025), { 'content-type': 'application/json' });
    expect([reply.status, reply.json.code]).toEqual([413, 'CATP-ER0413']);
    await server.close();
  });
});

describe('an inclusion', () => {
  const open = productsForEachTest();

  test('answers every member in the printed order, and no other', async () => {
    const reply = await open().demo.call('POST', OF_COMPANY, WHOLE);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.text).toBe(
      JSON.stringify({ ...WHOLE, cpfCnpjRaiz: COMPANY, codigo: 1, versao: '1', situacao: 'ATIVADO' }),
    );
  });

  test('answers null for empty texts and [] for empty lists', async () => {
    const lists = {
      atributos: [],
      atributosMultivalorados: [],
      atributosCompostos: [],
      atributosCompostosMultivalorados: [],
      codigosInterno: [],
    };
    const record = await include(open().demo, { ...MINIMAL, descricao: '', atributos: null });
    expect(record).toEqual({
      descricao: null,
      ...MINIMAL,
      ...lists,
      cpfCnpjRaiz: COMPANY,
      codigo: 1,
      versao: '1',
      situacao: 'ATIVADO',
    });
  });

  test('accepts numbers and booleans of JSON as the sent text', async () => {
    const body =
      '{"denominacao":"x","modalidade":"AMBOS","ncm":"73181500","atributos":[{"atributo":"A","valor":1.10},{"atributo":"B","valor":true},' +
      '{"atributo":"C","valor":12345678901234567890}],"atributosMultivalorados":[{"atributo":"D","valores":[1.50,2,false]}]}';
    const reply = await open().demo.call('POST', OF_COMPANY, body);
    const record = succeed(reply);
    expect(record.atributos.map(({ valor }: { valor: string }) => valor)).toEqual([
      '1.10',
      'true',
      '12345678901234567890',
    ]);
    expect(record.atributosMultivalorados[0].valores).toEqual(['1.50', '2', 'false']);
  });

  test('numbers products from 1 per company, and a refused one uses no number', async () => {
    const { demo } = open();
    expect((await include(demo)).codigo).toBe(1);
    await demo.call('POST', OF_COMPANY, { ...MINIMAL, codigosInterno: ['a', 'a'] });
    expect((await include(demo)).codigo).toBe(2);
    expect((await include(demo, MINIMAL, OTHER_COMPANY)).codigo).toBe(1);
  });

  test('accepts a product identical to another one', async () => {
    const { demo } = open();
    expect((await include(demo, WHOLE)).codigo).toBe(1);
    expect((await include(demo, WHOLE)).codigo).toBe(2);
  });

  test('publishes its event for the company', async () => {
    const { server, demo } = open();
    await include(demo);
    expect(eventsOf(server)).toEqual([
      {
        cpfCnpjRaiz: COMPANY,
        codigo: 1,
        versao: '1',
        situacao: 'ATIVADO',
        operacao: 'INCLUSAO',
        dataHora: '2026-01-15T09:00:00',
      },
    ]);
    const recipient = server.app.core.db
      .prepare('SELECT destinatario_tipo, destinatario_id FROM event')
      .raw()
      .get();
    expect(recipient).toEqual(['CNPJ', '12345678000195']);
  });

  test('survives a restart', async () => {
    const { server, demo } = open();
    const record = await include(demo, WHOLE);
    await server.close({ keepFolder: true });
    const again = await openApp({ folder: server.folder, clock: server.clock });
    const reply = await (await again.as('demo')).call('GET', `${OF_COMPANY}/1/1`);
    expect(reply.json).toEqual(record);
    await again.close({ keepFolder: true });
  });
});

describe('a retroactive inclusion', () => {
  const open = productsForEachTest();

  test.each(['ontem', '2026-1-14', '2026-02-30', '0000-01-01', '20260114', '2026-01-14T00:00:00'])(
    'the day %s is malformed',
    async (day) => {
      const reply = await open().demo.call('POST', `${OF_COMPANY}/${day}`, MINIMAL);
      expect([reply.status, pathsOf(reply)]).toEqual([400, ['dataReferencia']]);
    },
  );

  test('is refused with a start after today', async () => {
    const { demo } = open();
    const reply = await demo.call('POST', `${OF_COMPANY}/${TOMORROW}`, MINIMAL);
    expect([reply.status, codesOf(reply), pathsOf(reply)]).toEqual([
      422,
      ['CATP-ER1004'],
      ['dataReferencia'],
    ]);
    expect(succeed(await demo.call('POST', `${OF_COMPANY}/${TODAY}`, MINIMAL)).versao).toBe('1');
  });

  test('ends at midnight in Brasília, not in UTC', async () => {
    const { server } = open();
    server.clock.moveTo(Date.parse('2026-01-16T02:59:59Z'));
    const demo = await server.as('demo');
    expect((await demo.call('POST', `${OF_COMPANY}/${TOMORROW}`, MINIMAL)).status).toBe(422);
    server.clock.moveTo(Date.parse('2026-01-16T03:00:00Z'));
    expect((await demo.call('POST', `${OF_COMPANY}/${TOMORROW}`, MINIMAL)).status).toBe(200);
  });

  test('is version 1, valid from its day, registered now', async () => {
    const { server, demo } = open();
    expect(succeed(await demo.call('POST', `${OF_COMPANY}/2025-12-31`, MINIMAL))).toMatchObject({
      codigo: 1,
      versao: '1',
      situacao: 'ATIVADO',
    });
    expect(await listed(demo, '&dataReferencia=2025-12-31')).toHaveLength(1);
    expect(await listed(demo, '&dataReferencia=2025-12-30')).toEqual([]);
    expect(await listed(demo, `&periodoRegistroInicio=${TODAY}&periodoRegistroFim=${TODAY}`)).toHaveLength(1);
    expect(await listed(demo, `&periodoRegistroFim=${YESTERDAY}`)).toEqual([]);
    expect(eventsOf(server)).toMatchObject([{ operacao: 'INCLUSAO_RETROATIVA', versao: '1' }]);
  });
});
