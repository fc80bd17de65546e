/** POST /ext/operador-estrangeiro, deprecated (contract section 4). */
import { describe, expect, test } from 'bun:test';
import { openApp } from '../../support/app.ts';
import {
  COMPANY,
  MINIMAL,
  OTHER_COMPANY,
  PATH,
  TODAY,
  WHOLE,
  include,
  operacoesOf,
  startsOf,
  operatorsForEachTest,
} from './support.ts';

const open = operatorsForEachTest();

const item = (members: object = {}) => ({
  seq: 1,
  cpfCnpjRaiz: COMPANY,
  codigoPais: 'DE',
  ...MINIMAL,
  ...members,
});

/** Sends a batch with items numbered in their order, and returns its results. */
async function run(...items: object[]) {
  const numberedItems = items.map((one, index) => ({ ...one, seq: index + 1 }));
  const reply = await open().demo.call('POST', PATH, numberedItems);
  expect(reply.status).toBe(200);
  return reply.json;
}

const failure = (seq: number, message: string) => ({
  seq,
  codigo: '0',
  erros: [expect.stringContaining(message)],
  sucesso: false,
  versao: null,
});
const success = (seq: number, codigo: string, versao: string) => ({
  seq,
  codigo,
  erros: [],
  sucesso: true,
  versao,
});

describe('refusals', () => {
  test('an item of a company that the caller does not represent fails alone', async () => {
    const results = await run(item({ cpfCnpjRaiz: '11222333' }), item());
    expect(results).toEqual([failure(1, 'não é representante legal'), success(2, 'OPE_1', '1')]);
  });

  test('a body that is no list, or has more than 100 items, is 400 and stores nothing', async () => {
    const { demo } = open();
    expect((await demo.call('POST', PATH, item())).status).toBe(400);
    const items = Array.from({ length: 101 }, (_, index) => item({ seq: index + 1 }));
    expect((await demo.call('POST', PATH, items)).status).toBe(400);
    expect((await demo.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}`)).status).toBe(204);
    expect((await demo.call('POST', PATH, items.slice(1))).json).toHaveLength(100);
  });

  test('a malformed item fails with all its problems, and the others are stored', async () => {
    const results = await run(item({ codigoPais: 'de', situacao: 'RASCUNHO', extra: 1 }), item());
    expect(results[0].erros).toHaveLength(3);
    expect(results[1]).toEqual(success(2, 'OPE_1', '1'));
  });

  test('a repeated seq, or one above 999, is an error', async () => {
    const { demo } = open();
    const { json } = await demo.call('POST', PATH, [
      item({ seq: 999 }),
      item({ seq: 999 }),
      item({ seq: 1000 }),
    ]);
    expect(json).toEqual([success(999, 'OPE_1', '1'), failure(999, 'segunda vez'), failure(1000, 'seq')]);
  });

  test('an unknown operator, country or version is an error of that item', async () => {
    await include(open().demo);
    const results = await run(
      item({ codigo: 'OPE_9' }),
      item({ codigo: 'OPE_1', codigoPais: 'FR' }),
      item({ codigo: 'OPE_1', versao: '2' }),
      item({ codigoPais: 'XX' }),
    );
    expect(results).toEqual([
      failure(1, 'codigo: Não existe operador estrangeiro'),
      failure(2, 'codigo: Não existe operador estrangeiro'),
      failure(3, 'versao: O operador OPE_1 não tem a versão 2'),
      failure(4, 'ISO 3166-1'),
    ]);
  });

  test('a deactivation requires a code', async () => {
    expect(await run(item({ situacao: 'DESATIVADO' }))).toEqual([failure(1, 'codigo: obrigatório')]);
  });

  test('the TIN of an earlier item of the same batch is refused', async () => {
    const results = await run(item({ tin: 'A' }), item({ tin: 'A' }));
    expect(results).toEqual([success(1, 'OPE_1', '1'), failure(2, 'operador ativo OPE_1')]);
  });

  test('a rectification keeps the start of validity', async () => {
    await include(open().demo);
    const rectification = item({ codigo: 'OPE_1', versao: '1', dataReferencia: '2026-01-14' });
    expect(await run(rectification)).toEqual([failure(1, 'mantém o início da vigência')]);
  });

  test('the operation is 404 when deprecated operations are off', async () => {
    const server = await openApp({ settings: { operacoesDescontinuadas: 'false' } });
    const demo = await server.as('demo');
    expect((await demo.call('POST', PATH, [item()])).status).toBe(404);
    await server.close();
  });
});

test('the answer has the headers of a deprecated operation', async () => {
  const { headers } = await open().demo.call('POST', PATH, []);
  expect(headers.get('deprecation')).not.toBeNull();
  expect(headers.get('sunset')).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
});

describe('an item', () => {
  test('without a code includes an operator, from its reference day if it has one', async () => {
    const { server, demo } = open();
    const results = await run(item(), item({ dataReferencia: '2025-01-01', codigo: null, versao: '' }));
    expect(results).toEqual([success(1, 'OPE_1', '1'), success(2, 'OPE_2', '1')]);
    const { json } = await demo.call('GET', `${PATH}/${COMPANY}/DE/OPE_2/1`);
    expect(json.dataReferencia).toBeNull();
    expect(startsOf(server, 'OPE_2')).toEqual(['2025-01-01']);
    expect(operacoesOf(server)).toEqual(['INCLUSAO', 'INCLUSAO_RETROATIVA']);
  });

  test('from tomorrow on is refused', async () => {
    const results = await run(item({ dataReferencia: '2026-01-16' }), item({ dataReferencia: TODAY }));
    expect(results).toEqual([failure(1, '2026-01-16'), success(2, 'OPE_1', '1')]);
  });

  test('with a code creates a version, retroactive with a reference day, rectified with a version', async () => {
    const { server, demo } = open();
    await include(demo);
    const results = await run(
      item({ codigo: 'OPE_1' }),
      item({ codigo: 'OPE_1', dataReferencia: '2025-01-01' }),
      item({ codigo: 'OPE_1', versao: '1' }),
      item({ codigo: 'OPE_1', versao: '1', dataReferencia: TODAY, inicioVigencia: 'x' }),
    );
    expect(results).toEqual([
      success(1, 'OPE_1', '2'),
      success(2, 'OPE_1', '3'),
      success(3, 'OPE_1', '1.1'),
      success(4, 'OPE_1', '1.2'),
    ]);
    expect(operacoesOf(server).slice(1)).toEqual([
      'NOVA_VERSAO',
      'INCLUSAO_RETROATIVA',
      'RETIFICACAO',
      'RETIFICACAO',
    ]);
  });

  test('DESATIVADO deactivates the current version, or the named one, with any content', async () => {
    const { demo } = open();
    await include(demo);
    await demo.call('PUT', `${PATH}/${COMPANY}/DE/OPE_1`, MINIMAL);
    const off = { seq: 1, cpfCnpjRaiz: COMPANY, codigoPais: 'DE', codigo: 'OPE_1', situacao: 'Desativado' };
    const list = `${PATH}?cpfCnpjRaiz=${COMPANY}`;
    expect(await run({ ...off, versao: '1', nome: 7 })).toEqual([success(1, 'OPE_1', '1')]);
    expect((await demo.call('GET', list)).status).toBe(200);
    expect(await run(off)).toEqual([success(1, 'OPE_1', '2')]);
    expect((await demo.call('GET', list)).status).toBe(204);
  });

  test('for each company has its own numbering', async () => {
    const results = await run(item(WHOLE), item({ ...WHOLE, cpfCnpjRaiz: OTHER_COMPANY }));
    expect(results).toEqual([success(1, 'OPE_1', '1'), success(2, 'OPE_1', '1')]);
  });
});
