/** GET /ext/operador-estrangeiro and its export (contract sections 4 and 7). */
import { describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import type { OperatorFilter } from '../../../src/catalogue/foreign-operator/filter.ts';
import { operatorQuery } from '../../../src/catalogue/foreign-operator/list-query.ts';
import { type Client, openApp } from '../../support/app.ts';
import { COMPANY, MINIMAL, PATH, WHOLE, fieldsOf, include, operatorsForEachTest } from './support.ts';

const open = operatorsForEachTest();
const LIST = `${PATH}?cpfCnpjRaiz=${COMPANY}`;

async function codes(client: Client, query = ''): Promise<string[]> {
  const reply = await client.call('GET', `${LIST}${query}`);
  return reply.status === 204 ? [] : reply.json.map(({ codigo }: { codigo: string }) => codigo);
}

describe('refusals', () => {
  test('a user without the company neither lists nor exports', async () => {
    const stranger = await open().server.as('estranho');
    expect((await stranger.call('GET', LIST)).status).toBe(403);
    expect((await stranger.call('GET', `${PATH}/exportar/${COMPANY}/true`)).status).toBe(403);
  });

  test('a public agent reads every catalogue and writes to none', async () => {
    const server = await openApp({ settings: { ambiente: 'producao' } });
    const agent = await server.as('publico');
    expect((await agent.call('GET', LIST)).status).toBe(204);
    expect((await agent.call('POST', `${PATH}/${COMPANY}/DE`, MINIMAL)).status).toBe(403);
    await server.close();
  });

  test('the company is required', async () => {
    const reply = await open().demo.call('GET', PATH);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['cpfCnpjRaiz']]);
  });

  test.each([
    ['paisOrigem', 'de'],
    ['paisOrigem', 'DEU'],
    ['exibirDesativados', 'sim'],
    ['tin', 'x'.repeat(36)],
    ['codigo', 'x'.repeat(36)],
    ['codigoInterno', 'x'.repeat(36)],
    ['nome', 'x'.repeat(71)],
  ])('%s may not be %s', async (name, value) => {
    const { demo } = open();
    const reply = await demo.call('GET', `${LIST}&${name}=${value}`);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [name]]);
    const isText = value.startsWith('x');
    if (isText) expect((await demo.call('GET', `${LIST}&${name}=${value.slice(1)}`)).status).toBe(204);
  });

  test('an export accepts only true and false', async () => {
    const reply = await open().demo.call('GET', `${PATH}/exportar/${COMPANY}/2`);
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['exibirDesativados']]);
  });
});

describe('the list', () => {
  test('of an empty catalogue is 204 without a body', async () => {
    const reply = await open().demo.call('GET', LIST);
    expect([reply.status, reply.text]).toEqual([204, '']);
  });

  test('is ordered by the number in the code, and numbers its items', async () => {
    const { demo } = open();
    for (let count = 0; count < 11; count += 1) await include(demo);
    const { json } = await demo.call('GET', LIST);
    expect(json.map(({ codigo }: { codigo: string }) => codigo)).toEqual(
      Array.from({ length: 11 }, (_, index) => `OPE_${index + 1}`),
    );
    expect(json.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 11 }, (_, i) => i + 1));
  });

  test('shows a record in the form of its own answer', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    const record = await demo.call('GET', `${PATH}/${COMPANY}/DE/OPE_1/1`);
    expect((await demo.call('GET', LIST)).text).toBe(`[${record.text}]`);
  });

  test.each([
    ['&tin=DE123456789', ['OPE_1']],
    ['&tin=de123456789', []],
    ['&tin=DE12345678', []],
    ['&codigo=OPE_2', ['OPE_2']],
    ['&codigo=OPE_', []],
    ['&codigoInterno=FORN-17', ['OPE_1']],
    ['&codigoInterno=FORN', []],
    ['&nome=muller', ['OPE_1']],
    ['&nome=SÖHNE', ['OPE_1']],
    ['&nome=g', ['OPE_2']],
    ['&nome=%25', []],
    ['&paisOrigem=FR', ['OPE_2']],
    ['&paisOrigem=XX', []],
    ['&paisOrigem=DE&nome=muster', []],
    ['&exibirDesativados=false', ['OPE_1', 'OPE_2']],
    ['&exibirDesativados=true', ['OPE_1', 'OPE_2', 'OPE_3']],
    ['&codigo=OPE_3', []],
    ['&codigo=OPE_3&exibirDesativados=true', ['OPE_3']],
  ])('with %s shows %j', async (query, expected) => {
    const { demo } = open();
    await include(demo, WHOLE);
    await include(demo, MINIMAL, 'FR');
    await include(demo);
    await demo.call('PUT', `${PATH}/desativar/${COMPANY}/DE/OPE_3/1`);
    expect(await codes(demo, query)).toEqual(expected);
  });

  test('filters by the current version only', async () => {
    const { demo } = open();
    await include(demo, WHOLE);
    await demo.call('PUT', `${PATH}/${COMPANY}/DE/OPE_1`, { ...MINIMAL, tin: 'NOVO' });
    expect(await codes(demo, '&tin=DE123456789')).toEqual([]);
    expect(await codes(demo, '&codigoInterno=FORN-17')).toEqual([]);
    expect(await codes(demo, '&nome=muller')).toEqual([]);
    expect(await codes(demo, '&tin=NOVO')).toEqual(['OPE_1']);
  });
});

describe('the export', () => {
  const NAME = `OPERADORES_ESTRANGEIROS_${COMPANY}_20260115090000`;

  async function readExport(client: Client, exibirDesativados: boolean): Promise<string> {
    const reply = await client.call('GET', `${PATH}/exportar/${COMPANY}/${exibirDesativados}`);
    expect(reply.headers.get('content-type')).toBe('application/zip');
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${NAME}.zip"`);
    const files = unzipSync(reply.bytes);
    expect(Object.keys(files)).toEqual([`${NAME}.json`]);
    return new TextDecoder().decode(files[`${NAME}.json`]);
  }

  test('of an empty catalogue is []', async () => {
    expect(await readExport(open().demo, true)).toBe('[]');
  });

  test('writes the status in words, and deactivated operators on request', async () => {
    const { demo } = open();
    const first = await include(demo, WHOLE);
    const second = await include(demo);
    await demo.call('PUT', `${PATH}/desativar/${COMPANY}/DE/OPE_2/1`);
    const active = { ...first, situacao: 'Ativado' };
    const inactive = { ...second, seq: 2, situacao: 'Desativado' };
    expect(await readExport(demo, true)).toBe(JSON.stringify([active, inactive], null, 2));
    expect(await readExport(demo, false)).toBe(JSON.stringify([active], null, 2));
  });
});

describe('the query', () => {
  const FILTERS: readonly Partial<OperatorFilter>[] = [
    {},
    { codigo: 'OPE_1' },
    { tin: 'A' },
    { codigoInterno: 'A' },
    { paisOrigem: 'DE' },
    { nome: 'a' },
    { tin: 'A', codigoInterno: 'A', nome: 'a', paisOrigem: 'DE' },
  ];
  test.each(FILTERS)('of %j is served by an index of the company', (filter) => {
    const { sql, parameters } = operatorQuery(
      { cpfCnpjRaiz: COMPANY, withoutDeactivated: true, ...filter },
      1,
    );
    const plan = open()
      .server.app.core.db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parameters)
      .map(({ detail }) => detail);
    expect(plan.filter((step) => /^SCAN (?!q$)/.test(step))).toEqual([]);
    expect(plan.some((step) => /^SEARCH o USING INDEX \w+ \(company_id=\?/.test(step))).toBe(true);
  });
});
