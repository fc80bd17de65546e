/** Callers that may not include a product, and malformed requests (contract sections 2 to 4). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import { MINIMAL, OF_COMPANY, PATH, eventsOf, messagesOf, pathsOf, productsForAllTests } from './support.ts';

describe('a caller is refused', () => {
  const open = productsForAllTests();

  test('without a session', async () => {
    const reply = await open().server.anybody.call('POST', OF_COMPANY, MINIMAL);
    expect([reply.status, reply.json.code]).toEqual([401, 'PUCX-ER0201']);
  });

  test('without the company, before the request is validated', async () => {
    const stranger = await open().server.as('estranho');
    const reply = await stranger.call('POST', OF_COMPANY, { nonsense: 1 });
    expect([reply.status, reply.json.code]).toEqual([403, 'CATP-ER0403']);
    expect(reply.json.message).toBe('O usuário logado não é representante legal do CPF/CNPJ Raiz.');
    expect((await stranger.call('POST', `${OF_COMPANY}/ontem`, '{', {})).status).toBe(403);
  });

  test('as an administrator without representations', async () => {
    const admin = await open().server.as('admin');
    expect((await admin.call('POST', OF_COMPANY, MINIMAL)).status).toBe(403);
  });

  test('as a public agent', async () => {
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

  test('the alphanumeric root is a company only in the profile that accepts it', async () => {
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

describe('a malformed request is refused', () => {
  const open = productsForAllTests();
  const refusal = async (body: unknown) => {
    const reply = await open().demo.call('POST', OF_COMPANY, body);
    return [reply.status, reply.status === 400 ? pathsOf(reply) : reply.text];
  };

  test('every missing member is reported at once, at its place', async () => {
    expect(await refusal({})).toEqual([400, ['/denominacao', '/modalidade', '/ncm']]);
  });

  test('null and an empty text count as absent', async () => {
    expect(await refusal({ denominacao: '', modalidade: null, ncm: '' })).toEqual([
      400,
      ['/denominacao', '/modalidade', '/ncm'],
    ]);
  });

  test.each(['codigo', 'cpfCnpjRaiz', 'situacao', 'versao', 'dataReferencia'])(
    'the member %s belongs to other forms',
    async (member) => {
      expect(await refusal({ ...MINIMAL, [member]: '7' })).toEqual([400, [`/${member}`]]);
    },
  );

  test('an unknown member is reported with the nearest known name', async () => {
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
    ['denominacao', true],
    ['descricao', ['x']],
    ['modalidade', 'importacao'],
    ['modalidade', 'AMBAS'],
    ['ncm', '7318150'],
    ['ncm', '731815000'],
    ['ncm', '7318.15.00'],
    ['ncm', 7318150],
    ['atributos', {}],
    ['codigosInterno', 'A-1'],
  ])('%s refuses %p', async (member, value) => {
    expect(await refusal({ ...MINIMAL, [member]: value })).toEqual([400, [`/${member}`]]);
  });

  test('every text refuses NUL and a lone surrogate', async () => {
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
    expect([reply.status, messagesOf(reply)]).toEqual([
      400,
      [expect.stringMatching(/^O corpo não é UTF-8 válido \(linha 1, coluna 17\)/)],
    ]);
  });

  test('a text of another type is 415, and a body without a type is read as JSON', async () => {
    const { demo } = open();
    const text = JSON.stringify(MINIMAL);
    expect((await demo.call('POST', OF_COMPANY, text, { 'content-type': 'text/plain' })).status).toBe(415);
    const bytes = new TextEncoder().encode(text);
    expect((await demo.call('POST', OF_COMPANY, bytes)).status).toBe(200);
  });

  test('messages have the received value, cut at 100 characters', async () => {
    const reply = await open().demo.call('POST', OF_COMPANY, { ...MINIMAL, ncm: 'x'.repeat(5000) });
    expect(messagesOf(reply)[0]).toBe(`ncm: recebido "${'x'.repeat(99)}…; aceita 8 dígitos.`);
  });
});
