/** Versions of foreign operators: new, retroactive, rectified, deactivated, detailed (contract sections 4 and 6). */
import { describe, expect, test } from 'bun:test';
import type { Client } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  PATH,
  TODAY,
  WHOLE,
  codesOf,
  fieldsOf,
  include,
  laterDay,
  operacoesOf,
  startsOf,
  operatorsForEachTest,
} from './support.ts';

const open = operatorsForEachTest();
const OPERATOR = `${PATH}/${COMPANY}/DE/OPE_1`;
const DEACTIVATE = `${PATH}/desativar/${COMPANY}/DE/OPE_1`;

/** Lists code, version and situation of all operators, also of deactivated ones. */
async function listVersions(client: Client): Promise<unknown[]> {
  const reply = await client.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}&exibirDesativados=true`);
  return reply.json.map(({ codigo, versao, situacao }: Record<string, string>) => [codigo, versao, situacao]);
}

const OPERATIONS = [
  ['PUT', OPERATOR],
  ['POST', `${OPERATOR}/${TODAY}`],
  ['PUT', `${OPERATOR}/1`],
  ['PUT', `${DEACTIVATE}/1`],
  ['GET', `${OPERATOR}/1`],
] as const;

describe.each(OPERATIONS)('%s %s', (method, path) => {
  const body = method === 'GET' ? undefined : MINIMAL;

  test('is refused without the company, also for an unknown operator', async () => {
    const { server, demo } = open();
    const stranger = await server.as('estranho');
    expect((await stranger.call(method, path, body)).status).toBe(403);
    await include(demo);
    expect((await stranger.call(method, path, body)).status).toBe(403);
  });

  test('is 404 for an unknown operator, or one of another country', async () => {
    const { demo } = open();
    expect((await demo.call(method, path, body)).status).toBe(404);
    await include(demo, MINIMAL, 'FR');
    expect((await demo.call(method, path, body)).status).toBe(404);
  });

  test('accepts any code of up to 35 characters', async () => {
    const { demo } = open();
    const withCode = (size: number) => path.replace('OPE_1', 'X'.repeat(size));
    expect((await demo.call(method, withCode(35), body)).status).toBe(404);
    const reply = await demo.call(method, withCode(36), body);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['codigo']]);
  });
});

describe('a version in the path', () => {
  test.each(['0', '01', '1.0', 'v1', '1.1.1', '123456789'])('%s is malformed', async (versao) => {
    const { demo } = open();
    await include(demo);
    expect((await demo.call('GET', `${OPERATOR}/${versao}`)).status).toBe(400);
    expect((await demo.call('PUT', `${OPERATOR}/${versao}`, MINIMAL)).status).toBe(400);
    expect((await demo.call('PUT', `${DEACTIVATE}/${versao}`)).status).toBe(400);
  });

  test('that does not exist is 404', async () => {
    const { demo } = open();
    await include(demo);
    for (const versao of ['2', '1.1', '12345678']) {
      expect((await demo.call('GET', `${OPERATOR}/${versao}`)).status).toBe(404);
      expect((await demo.call('PUT', `${OPERATOR}/${versao}`, MINIMAL)).status).toBe(404);
      expect((await demo.call('PUT', `${DEACTIVATE}/${versao}`)).status).toBe(404);
    }
  });
});

describe('a new version', () => {
  test('is refused with the TIN of another active operator, and accepted with its own', async () => {
    const { demo } = open();
    await include(demo, { ...MINIMAL, tin: 'A' });
    await include(demo, { ...MINIMAL, tin: 'B' });
    const reply = await demo.call('PUT', OPERATOR, { ...MINIMAL, tin: 'B' });
    expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1014']]);
    expect((await demo.call('PUT', OPERATOR, { ...MINIMAL, tin: 'A' })).status).toBe(200);
  });

  test('replaces the whole content from today', async () => {
    const operators = open();
    await include(operators.demo, WHOLE);
    const demo = await laterDay(operators, 3);
    const { json } = await demo.call('PUT', OPERATOR, MINIMAL);
    expect(json).toMatchObject({ ...MINIMAL, seq: 1, versao: '2', tin: null, dataReferencia: null });
    expect((await demo.call('GET', `${OPERATOR}/1`)).json).toMatchObject({ ...WHOLE, dataReferencia: null });
    expect(startsOf(operators.server, 'OPE_1')).toEqual([TODAY, '2026-01-18']);
    expect(operacoesOf(operators.server)).toEqual(['INCLUSAO', 'NOVA_VERSAO']);
  });

  test('reactivates the operator, and does not change the deactivated version', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${DEACTIVATE}/1`);
    expect((await demo.call('PUT', OPERATOR, MINIMAL)).json.situacao).toBe('ATIVADO');
    expect((await demo.call('GET', `${OPERATOR}/1`)).json.situacao).toBe('DESATIVADO');
    expect(await listVersions(demo)).toEqual([['OPE_1', '2', 'ATIVADO']]);
  });

  test('is refused for a deactivated operator whose TIN now belongs to another one', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await demo.call('PUT', `${DEACTIVATE}/1`);
    await include(demo, WHOLE);
    expect((await demo.call('PUT', OPERATOR, WHOLE)).status).toBe(422);
  });
});

describe('a retroactive version', () => {
  test.each(['2026-02-30', '15-01-2026', '2026-1-5', 'ontem'])(
    'is refused with a start on %s',
    async (day) => {
      const { demo } = open();
      await include(demo);
      const reply = await demo.call('POST', `${OPERATOR}/${day}`, MINIMAL);
      expect([reply.status, fieldsOf(reply)]).toEqual([400, ['dataReferencia']]);
    },
  );

  test('is accepted with a start today, and refused tomorrow', async () => {
    const { demo } = open();
    await include(demo);
    const reply = await demo.call('POST', `${OPERATOR}/2026-01-16`, MINIMAL);
    expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1004']]);
    expect((await demo.call('POST', `${OPERATOR}/${TODAY}`, MINIMAL)).json.versao).toBe('2');
  });

  test('becomes current only if no family starts later', async () => {
    const { server, demo } = open();
    await include(demo);
    const retroactive = await demo.call('POST', `${OPERATOR}/2026-01-14`, { ...MINIMAL, nome: 'Antes' });
    expect(retroactive.json).toMatchObject({ versao: '2', dataReferencia: null, nome: 'Antes' });
    expect(startsOf(server, 'OPE_1')).toEqual([TODAY, '2026-01-14']);
    expect(await listVersions(demo)).toEqual([['OPE_1', '1', 'ATIVADO']]);
    await demo.call('POST', `${OPERATOR}/${TODAY}`, MINIMAL);
    expect(await listVersions(demo)).toEqual([['OPE_1', '3', 'ATIVADO']]);
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'INCLUSAO_RETROATIVA', 'INCLUSAO_RETROATIVA']);
  });

  test('never gets the number of an earlier one', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('POST', `${OPERATOR}/2025-06-01`, MINIMAL);
    expect((await demo.call('PUT', OPERATOR, MINIMAL)).json.versao).toBe('3');
  });

  test('reactivates a deactivated operator only when it becomes current', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${DEACTIVATE}/1`);
    await demo.call('POST', `${OPERATOR}/2026-01-14`, MINIMAL);
    expect(await listVersions(demo)).toEqual([['OPE_1', '1', 'DESATIVADO']]);
    await demo.call('POST', `${OPERATOR}/${TODAY}`, MINIMAL);
    expect(await listVersions(demo)).toEqual([['OPE_1', '3', 'ATIVADO']]);
  });

  test('is accepted with the TIN of another operator only when it does not become current', async () => {
    const { demo } = open();
    await include(demo);
    await include(demo, { ...MINIMAL, tin: 'B' });
    const withTin = { ...MINIMAL, tin: 'B' };
    expect((await demo.call('POST', `${OPERATOR}/2026-01-14`, withTin)).status).toBe(200);
    expect((await demo.call('POST', `${OPERATOR}/${TODAY}`, withTin)).status).toBe(422);
  });
});

describe('a rectification', () => {
  test('is refused with the TIN of another active operator', async () => {
    const { demo } = open();
    await include(demo);
    await include(demo, { ...MINIMAL, tin: 'B' });
    const reply = await demo.call('PUT', `${OPERATOR}/1`, { ...MINIMAL, tin: 'B' });
    expect([reply.status, codesOf(reply)]).toEqual([422, ['CATP-ER1014']]);
  });

  test('increments the latest number of its family, for the same validity', async () => {
    const operators = open();
    await include(operators.demo);
    const demo = await laterDay(operators, 1);
    const first = await demo.call('PUT', `${OPERATOR}/1`, { ...MINIMAL, nome: 'Um' });
    const second = await demo.call('PUT', `${OPERATOR}/1`, { ...MINIMAL, nome: 'Dois' });
    expect([first.json.versao, second.json.versao]).toEqual(['1.1', '1.2']);
    expect(startsOf(operators.server, 'OPE_1')).toEqual([TODAY, TODAY, TODAY]);
    expect(await listVersions(demo)).toEqual([['OPE_1', '1.2', 'ATIVADO']]);
    expect((await demo.call('GET', `${OPERATOR}/1.1`)).json.nome).toBe('Um');
    expect(operacoesOf(operators.server)).toEqual(['INCLUSAO', 'RETIFICACAO', 'RETIFICACAO']);
  });

  test('of a superseded family does not change the current version', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', OPERATOR, MINIMAL);
    expect((await demo.call('PUT', `${OPERATOR}/1`, MINIMAL)).json.versao).toBe('1.1');
    expect(await listVersions(demo)).toEqual([['OPE_1', '2', 'ATIVADO']]);
  });

  test('takes the status of its family', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await demo.call('PUT', `${DEACTIVATE}/1`);
    await include(demo, WHOLE);
    expect((await demo.call('PUT', `${OPERATOR}/1`, WHOLE)).json).toMatchObject({
      versao: '1.1',
      situacao: 'DESATIVADO',
    });
  });
});

describe('a deactivation', () => {
  test('of the current version deactivates the operator once', async () => {
    const { server, demo } = open();
    await include(demo);
    const first = await demo.call('PUT', `${DEACTIVATE}/1`);
    expect(first.json).toMatchObject({ versao: '1', situacao: 'DESATIVADO' });
    expect((await demo.call('PUT', `${DEACTIVATE}/1`)).text).toBe(first.text);
    expect((await demo.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(204);
    expect(await listVersions(demo)).toEqual([['OPE_1', '1', 'DESATIVADO']]);
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'DESATIVACAO']);
  });

  test('of another version deactivates that version only', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', OPERATOR, MINIMAL);
    expect((await demo.call('PUT', `${DEACTIVATE}/1`)).json.situacao).toBe('DESATIVADO');
    expect((await demo.call('GET', `${OPERATOR}/1`)).json.situacao).toBe('DESATIVADO');
    expect(await listVersions(demo)).toEqual([['OPE_1', '2', 'ATIVADO']]);
  });
});
