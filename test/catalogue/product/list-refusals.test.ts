/** Refusals of the list of products (contract section 5). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  LIST,
  OF_COMPANY,
  PATH,
  TODAY,
  YESTERDAY,
  pathsOf,
  productsForAllTests,
} from './support.ts';

describe('refusals', () => {
  const open = productsForAllTests();

  test('a user without the company neither lists nor exports', async () => {
    const stranger = await open().server.as('estranho');
    expect((await stranger.call('GET', `${LIST}&ncm=x`)).status).toBe(403);
    expect((await stranger.call('GET', `${PATH}/exportar/${COMPANY}/true`)).status).toBe(403);
  });

  test('a public agent reads every catalogue', async () => {
    const server = await openApp({ settings: { ambiente: 'homologacao' } });
    const agent = await server.as('publico');
    expect((await agent.call('GET', LIST)).status).toBe(204);
    expect((await agent.call('GET', `${PATH}/exportar/${COMPANY}/true`)).status).toBe(200);
    expect((await agent.call('GET', `${OF_COMPANY}/1/1`)).status).toBe(404);
    await server.close();
  });

  test('an administrator reads no catalogue', async () => {
    const admin = await open().server.as('admin');
    expect((await admin.call('GET', LIST)).status).toBe(403);
  });

  test.each(['', '?cpfCnpjRaiz=', '?cpfCnpjRaiz=1234567', '?CPFCNPJRAIZ=12345678'])(
    'the company is required and well-formed: %p',
    async (query) => {
      const reply = await open().demo.call('GET', PATH + query);
      expect([reply.status, pathsOf(reply)]).toEqual([400, ['cpfCnpjRaiz']]);
    },
  );

  test.each([
    ['codigo', '0'],
    ['codigo', '10000000000'],
    ['codigo', '1.0'],
    ['codigo', '%2B1'],
    ['ncm', '7318150'],
    ['situacao', '3'],
    ['situacao', '-1'],
    ['situacao', 'ATIVADO'],
    ['paisOrigem', 'de'],
    ['paisOrigem', 'DEU'],
    ['cpfCnpjFabricante', '1234567890'],
    ['cpfCnpjFabricante', '123456789012'],
    ['cpfCnpjFabricante', '1234567890123A'],
    ['modalidade', 'importacao'],
    ['dataReferencia', '2026-02-30'],
    ['dataReferencia', '15-01-2026'],
    ['periodoRegistroInicio', '2026-1-1'],
    ['periodoRegistroFim', 'hoje'],
    ['ultimaAlteracaoInicio', '2026-13-01'],
    ['ultimaAlteracaoFim', '2025-02-29'],
    ['denominacao', '%00'],
  ])('%s refuses %s', async (name, value) => {
    const reply = await open().demo.call('GET', `${LIST}&${name}=${value}`);
    expect([reply.status, pathsOf(reply)]).toEqual([400, [name]]);
  });

  test('the refusal of a situacao explains its numbers', async () => {
    const { json } = await open().demo.call('GET', `${LIST}&situacao=RASCUNHO`);
    expect(json.message).toBe(
      'situacao: recebido "RASCUNHO"; aceita um número inteiro de 0 a 2 (0 = ATIVADO, 1 = DESATIVADO, 2 = RASCUNHO).',
    );
  });

  test.each([
    ['codigo', '9999999999'],
    ['codigo', '0000000001'],
    ['situacao', '2'],
    ['cpfCnpjFabricante', '12345678901'],
    ['cpfCnpjFabricante', '12345678000195'],
    ['dataReferencia', '2024-02-29'],
    ['dataReferencia', '9999-12-31'],
    ['dataReferencia', '0001-01-01'],
    ['periodoRegistroInicio', '0001-01-01'],
    ['periodoRegistroFim', '9999-12-31'],
    ['ultimaAlteracaoFim', '9999-12-31'],
    ['naoExiste', 'x'],
    ['codigo', ''],
  ])('%s accepts %s', async (name, value) => {
    expect((await open().demo.call('GET', `${LIST}&${name}=${value}`)).status).toBe(204);
  });

  test.each([
    ['codigoInterno', 60],
    ['descricao', 3700],
    ['denominacao', 3700],
    ['operadorEstrangeiroCodigo', 35],
  ])('%s accepts at most %i characters', async (name, most) => {
    const { demo } = open();
    const text = encodeURIComponent('é'.repeat(most));
    expect((await demo.call('GET', `${LIST}&${name}=${text}`)).status).toBe(204);
    const reply = await demo.call('GET', `${LIST}&${name}=${text}x`);
    expect([reply.status, pathsOf(reply)]).toEqual([400, [name]]);
  });

  test('a repeated parameter is refused', async () => {
    const reply = await open().demo.call('GET', `${LIST}&ncm=73181500&ncm=73181500&cpfCnpjRaiz=${COMPANY}`);
    expect([reply.status, pathsOf(reply)]).toEqual([400, ['cpfCnpjRaiz', 'ncm']]);
  });

  test.each(['periodoRegistro', 'ultimaAlteracao'])('%s refuses an inverted period', async (name) => {
    const { demo } = open();
    const period = (start: string, end: string) => `${LIST}&${name}Inicio=${start}&${name}Fim=${end}`;
    expect((await demo.call('GET', period(TODAY, TODAY))).status).toBe(204);
    const reply = await demo.call('GET', period(TODAY, YESTERDAY));
    expect([reply.status, pathsOf(reply)]).toEqual([400, [`${name}Fim`]]);
  });
});
