/** POST /ext/produto/{cpfCnpjRaiz} and …/{dataReferencia} (contract sections 4 and 5). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  OF_COMPANY,
  OTHER_COMPANY,
  PATH,
  TODAY,
  TOMORROW,
  WHOLE,
  YESTERDAY,
  codesOf,
  eventsOf,
  include,
  listed,
  messagesOf,
  pathsOf,
  productsForAllTests,
  productsForEachTest,
  succeed,
} from './support.ts';

describe('who may not', () => {
  const open = productsForAllTests();

  test('nobody includes a product without signing in', async () => {
    const reply = await open().server.anybody.call('POST', OF_COMPANY, MINIMAL);
    expect([reply.status, reply.json.code]).toEqual([401, 'PUCX-ER0201']);
  });

  test('a stranger is refused before anything of the request is judged', async () => {
    const stranger = await open().server.as('estranho');
    const reply = await stranger.call('POST', OF_COMPANY, { nonsense: 1 });
    expect([reply.status, reply.json.code]).toEqual([403, 'CATP-ER0403']);
    expect(reply.json.message).toBe('O usuário logado não é representante legal do CPF/CNPJ Raiz.');
    expect((await stranger.call('POST', `${OF_COMPANY}/ontem`, '{', {})).status).toBe(403);
  });

  test('an administrator represents nobody', async () => {
    const admin = await open().server.as('admin');
    expect((await admin.call('POST', OF_COMPANY, MINIMAL)).status).toBe(403);
  });

  test('a public agent writes no catalogue', async () => {
    const server = await openApp({ settings: { ambiente: 'producao' } });
    const agent = await server.as('publico');
    expect((await agent.call('POST', OF_COMPANY, MINIMAL)).status).toBe(403);
    await server.close();
  });

  test.each(['1234567', '123456789', '1234567A', '1234567890', '123456789012', '12.345.67', '%3123456'])(
    'the company %s is malformed: 400, not 403',
    async (company) => {
      const reply = await open().demo.call('POST', `${PATH}/${company}`, MINIMAL);
      expect([reply.status, pathsOf(reply)]).toEqual([400, ['cpfCnpjRaiz']]);
    },
  );

  test('the alphanumeric root is a company only in the profile that knows it', async () => {
    const { server, demo } = open();
    expect((await demo.call('POST', `${PATH}/12ABC678`, MINIMAL)).status).toBe(400);
    const portal = await openApp({ settings: { perfil: 'portal' } });
    const client = await portal.as('demo');
    expect((await client.call('POST', `${PATH}/12ABC678`, MINIMAL)).status).toBe(403);
    expect((await client.call('POST', `${PATH}/12abc678`, MINIMAL)).status).toBe(400);
    await portal.close();
    expect(eventsOf(server)).toEqual([]);
  });
});

describe('malformed requests', () => {
  const open = productsForAllTests();
  const refusal = async (body: unknown) => {
    const reply = await open().demo.call('POST', OF_COMPANY, body);
    return [reply.status, reply.status === 400 ? pathsOf(reply) : reply.text];
  };

  test('every missing member is told at once, where it belongs', async () => {
    expect(await refusal({})).toEqual([400, ['/denominacao', '/modalidade', '/ncm']]);
  });

  test('null and an empty text mean absent', async () => {
    expect(await refusal({ denominacao: '', modalidade: null, ncm: '' })).toEqual([
      400,
      ['/denominacao', '/modalidade', '/ncm'],
    ]);
  });

  test.each(['codigo', 'cpfCnpjRaiz', 'situacao', 'versao', 'seq', 'dataReferencia'])(
    'the member %s belongs to other forms',
    async (member) => {
      expect(await refusal({ ...MINIMAL, [member]: '1' })).toEqual([400, [`/${member}`]]);
    },
  );

  test('an unknown member is told with the nearest known name', async () => {
    const reply = await open().demo.call('POST', OF_COMPANY, { ...MINIMAL, denominaçao: 'x', 'a/b~c': 1 });
    expect(pathsOf(reply)).toEqual(['/denominaçao', '/a~1b~0c']);
    expect(messagesOf(reply)[0]).toContain("Você quis dizer 'denominacao'?");
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'the member %s is unknown',
    async (name) => {
      const text = `{"denominacao":"x","modalidade":"AMBOS","ncm":"73181500",${JSON.stringify(name)}:{}}`;
      expect(await refusal(text)).toEqual([400, [`/${name}`]]);
    },
  );

  test.each([
    ['denominacao', 1],
    ['descricao', ['x']],
    ['modalidade', 'importacao'],
    ['modalidade', 'AMBAS'],
    ['ncm', '7318150'],
    ['ncm', '731815000'],
    ['ncm', '7318.15.00'],
    ['ncm', 73181500],
    ['atributos', {}],
    ['codigosInterno', 'A-1'],
  ])('%s may not be %p', async (member, value) => {
    expect(await refusal({ ...MINIMAL, [member]: value })).toEqual([400, [`/${member}`]]);
  });

  test('NUL and a lone surrogate are in no text', async () => {
    expect(await refusal({ ...MINIMAL, denominacao: 'a\0b', descricao: '\ud800' })).toEqual([
      400,
      ['/denominacao', '/descricao'],
    ]);
  });

  test.each(['', ' ', '{', '[]', 'null', '"x"', '{"a":1,}', '\uFEFF{}x'])(
    'the body %p is no object',
    async (body) => {
      expect((await open().demo.call('POST', OF_COMPANY, body)).status).toBe(400);
    },
  );

  test('bytes that are not UTF-8 are refused', async () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode('{"denominacao":"'), 0xff, 0x22, 0x7d]);
    const reply = await open().demo.call('POST', OF_COMPANY, bytes);
    expect([reply.status, messagesOf(reply)]).toEqual([400, ['O corpo não é UTF-8 válido.']]);
  });

  test('a text of another type is 415, and a body without a type is read as JSON', async () => {
    const { demo } = open();
    const text = JSON.stringify(MINIMAL);
    expect((await demo.call('POST', OF_COMPANY, text, { 'content-type': 'text/plain' })).status).toBe(415);
    const bytes = new TextEncoder().encode(text);
    expect((await demo.call('POST', OF_COMPANY, bytes)).status).toBe(200);
  });

  test('messages name the value received, cut at 100 characters', async () => {
    const reply = await open().demo.call('POST', OF_COMPANY, { ...MINIMAL, ncm: 'x'.repeat(5000) });
    expect(messagesOf(reply)[0]).toBe(`ncm: recebido "${'x'.repeat(99)}…; aceita 8 dígitos.`);
  });
});

describe('limits', () => {
  const open = productsForAllTests();
  const accepts = async (change: object) =>
    (await open().demo.call('POST', OF_COMPANY, { ...MINIMAL, ...change })).status === 200;

  /** Each limit on both sides of its edge, counted in code points. */
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

  test.each(EDGES)('%s has at most %i characters', async (_name, most, changeOf) => {
    expect(await accepts(changeOf('𝄞'.repeat(most)))).toBe(true);
    expect(await accepts(changeOf(`${'𝄞'.repeat(most)}x`))).toBe(false);
  });

  test('the profile of the portal takes 120 characters of denominacao and no AMBOS', async () => {
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

  test('an internal code stands once in a record: the second one is a violated rule', async () => {
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

  test('answers every member in the printed order, and nothing else', async () => {
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

  test('takes numbers and booleans of JSON as the text that was sent', async () => {
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

  test('numbers products from 1 per company, and a refused one takes no number', async () => {
    const { demo } = open();
    expect((await include(demo)).codigo).toBe(1);
    await demo.call('POST', OF_COMPANY, { ...MINIMAL, codigosInterno: ['a', 'a'] });
    expect((await include(demo)).codigo).toBe(2);
    expect((await include(demo, MINIMAL, OTHER_COMPANY)).codigo).toBe(1);
  });

  test('accepts a product identical to another one', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await include(demo, WHOLE);
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

  test('may not begin after today', async () => {
    const { demo } = open();
    const reply = await demo.call('POST', `${OF_COMPANY}/${TOMORROW}`, MINIMAL);
    expect([reply.status, codesOf(reply), pathsOf(reply)]).toEqual([
      422,
      ['CATP-ER1004'],
      ['dataReferencia'],
    ]);
    expect(succeed(await demo.call('POST', `${OF_COMPANY}/${TODAY}`, MINIMAL)).versao).toBe('1');
  });

  test('ends at midnight in Brasília, not in Greenwich', async () => {
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
