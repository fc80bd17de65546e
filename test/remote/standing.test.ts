/** The state of a product at each remote (contract section 18, Who is who): alone, and in the list. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS } from '../../src/clock.ts';
import { ATTENTION_QUERIES } from '../../src/remote/standing/attention-store.ts';
import { STANDING_QUERIES } from '../../src/remote/standing/store.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare, ran } from './support.ts';

let server: TestApp;
let demo: Client;
let admin: Client;

beforeEach(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
  admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});
afterEach(() => server.close());

const PAGE = '/appliance/api/products';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };

const ok = async (method: string, path: string, body?: object) => {
  const reply = await demo.call(method, path, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json;
};
const passMinute = (): void => server.clock.moveTo(server.clock.now() + MINUTE_MS);
const include = async (denominacao: string): Promise<number> =>
  (await ok('POST', PRODUCTS, { ...PLAIN, denominacao })).codigo;
const change = (codigo: number, denominacao: string) =>
  ok('PUT', `${PRODUCTS}/${codigo}`, { ...PLAIN, denominacao });
const deactivate = (codigo: number) => ok('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
const remoteProduct = (codigo: number, denominacao: string, versao = '1') => ({
  seq: codigo,
  codigo,
  cpfCnpjRaiz: COMPANY,
  situacao: 'Ativado',
  versao,
  ...PLAIN,
  denominacao,
});
/** Compares one minute after the previous change, and one minute before the next. */
const runComparison = async (produtos: object[] = [], remote?: string): Promise<number> => {
  passMinute();
  const { id } = await compare(server, demo, { produtos }, {}, remote);
  passMinute();
  return id;
};
const at = (minutes: number): string => `2026-01-15T09:0${minutes}:00.000-03:00`;

const remotesOf = (codigo: number, client = demo) =>
  client.call('GET', `${PAGE}/${COMPANY}/${codigo}/remotes`);
const remoteStateOf = async (codigo: number) => (await remotesOf(codigo)).json[0];
const list = (query: string, client = demo) => client.call('GET', `${PAGE}?cpfCnpjRaiz=${COMPANY}&${query}`);
const codesInState = async (state: string): Promise<number[]> =>
  (await list(`remote=portal&remoteState=${state}`)).json.items.map(
    ({ codigo }: { codigo: number }) => codigo,
  );

describe('the caller', () => {
  test('must be signed in and may write for the company', async () => {
    const codigo = await include('A');
    await runComparison();
    expect((await remotesOf(codigo, server.anybody)).status).toBe(401);
    for (const key of ['estranho', 'publico', 'admin'] as const) {
      const client = await server.as(key);
      expect((await remotesOf(codigo, client)).status).toBe(403);
      expect((await list('remote=portal', client)).status).toBe(403);
      expect((await client.call('GET', `${PAGE}.csv?cpfCnpjRaiz=${COMPANY}&remote=portal`)).status).toBe(403);
    }
    // A public agent gets only the list.
    expect((await list('', await server.as('publico'))).status).toBe(200);
  });

  test('gets 404 for an unknown product', async () => {
    const { status, json } = await remotesOf(9);
    expect([status, json.message]).toEqual([404, expect.stringContaining('código 9')]);
  });

  test('is refused for a state without a remote, and for an unknown state', async () => {
    for (const [query, path] of [
      ['remoteState=igual', 'remoteState'],
      ['remote=portal&remoteState=perdido', 'remoteState'],
      ['remote=Portal!', 'remote'],
    ] as const) {
      const { status, json } = await list(query);
      expect(status).toBe(400);
      expect(json.detail).toMatchObject([{ code: 'PUCX-ER0010', path }]);
    }
  });

  test('gets the same refusal for an unknown remote and for one without the company: page, table and change', async () => {
    await admin.call('POST', '/appliance/api/remotes', { name: 'alheio', companies: ['87654321'] });
    for (const remote of ['outro', 'alheio'])
      for (const reply of [
        await list(`remote=${remote}`),
        await list(`remote=${remote}&remoteState=igual`),
        await demo.call('GET', `${PAGE}.csv?cpfCnpjRaiz=${COMPANY}&remote=${remote}`),
        await demo.call('POST', `${PAGE}/changes`, {
          cpfCnpjRaiz: COMPANY,
          reactivate: true,
          filter: { remote, remoteState: 'igual' },
        }),
      ]) {
        expect(reply.status).toBe(422);
        expect(reply.json.detail).toMatchObject([{ code: 'CATP-ER1502', path: 'remote' }]);
      }
  });

  test('is refused for a change of all products of a remote: it would leave none out', async () => {
    const order = { cpfCnpjRaiz: COMPANY, reactivate: true, filter: { remote: 'portal' } };
    const { status, json } = await demo.call('POST', `${PAGE}/changes`, order);
    expect(status).toBe(400);
    expect(json.detail).toMatchObject([{ path: '/filter' }]);
  });
});

describe('a product', () => {
  test('has a row for each remote with which it was compared', async () => {
    const codigo = await include('A');
    expect((await remotesOf(codigo)).json).toEqual([]);
    expect((await list('remote=portal')).json.items).toMatchObject([{ codigo, remote: null }]);
    for (const name of ['casa', 'nunca'])
      await admin.call('POST', '/appliance/api/remotes', { name, companies: [COMPANY] });
    const first = await runComparison([remoteProduct(7, 'A', '3')]);
    const second = await runComparison([], 'casa');
    expect((await remotesOf(codigo)).json).toEqual([
      {
        remote: 'casa',
        remoteCodigo: null,
        remoteVersao: null,
        state: 'soAqui',
        since: at(3),
        reason: null,
        comparison: second,
        run: null,
      },
      {
        remote: 'portal',
        remoteCodigo: '7',
        remoteVersao: '3',
        state: 'igual',
        since: at(1),
        reason: null,
        comparison: first,
        run: null,
      },
    ]);
    expect((await list('remote=portal')).json.items[0].remote).toEqual({
      remoteCodigo: '7',
      remoteVersao: '3',
      state: 'igual',
      since: at(1),
    });
    expect((await list('')).json.items[0]).not.toHaveProperty('remote');
    // A product that was created later was never compared.
    const fresh = await include('B');
    expect((await remotesOf(fresh)).json).toEqual([]);
    expect((await list('remote=portal')).json.items[1].remote).toBeNull();
  });

  test('that changed locally since has another state than the comparison found', async () => {
    const [equal, changed, deactivated, fresh, dropped] = [
      await include('Igual'),
      await include('Mudado lá'),
      await include('Desativado'),
      await include('Novo'),
      await include('Novo e desativado'),
    ];
    const before = [
      remoteProduct(equal, 'Igual'),
      remoteProduct(changed, 'Mudado lá'),
      remoteProduct(deactivated, 'Desativado'),
    ];
    await runComparison(before);
    await runComparison([before[0] ?? {}, remoteProduct(changed, 'Outro lá', '2'), before[2] ?? {}]);
    expect(await remoteStateOf(changed)).toMatchObject({ state: 'mudouLa', remoteVersao: '2', since: at(3) });
    for (const [codigo, name] of [
      [equal, 'Igual, mudado'],
      [changed, 'Mudado nos dois'],
      [fresh, 'Novo, mudado'],
    ] as const)
      await change(codigo, name);
    await deactivate(deactivated);
    await deactivate(dropped);
    expect(await remoteStateOf(equal)).toMatchObject({ state: 'mudouAqui', remoteCodigo: '1', since: at(4) });
    expect(await remoteStateOf(changed)).toMatchObject({ state: 'mudouNosDois', since: at(4) });
    expect(await remoteStateOf(deactivated)).toMatchObject({ state: 'desativadoAqui', since: at(4) });
    // Its state is unchanged.
    expect(await remoteStateOf(fresh)).toMatchObject({ state: 'soAqui', since: at(3) });
    expect(await remoteStateOf(dropped)).toMatchObject({ state: 'naoEnviavel', since: at(4) });
    const codesByState = await Promise.all(
      ['igual', 'mudouAqui', 'mudouLa', 'mudouNosDois', 'desativadoAqui', 'soAqui', 'naoEnviavel'].map(
        codesInState,
      ),
    );
    expect(codesByState).toEqual([[], [equal], [], [changed], [deactivated], [fresh], [dropped]]);
    passMinute();
    await change(deactivated, 'De novo ativo');
    expect(await remoteStateOf(deactivated)).toMatchObject({ state: 'mudouAqui', since: at(5) });
  });

  test('that was found deactivated locally stays so until it is active again', async () => {
    const codigo = await include('A');
    await runComparison([remoteProduct(1, 'A')]);
    await deactivate(codigo);
    const id = await runComparison([remoteProduct(1, 'A')]);
    expect(await remoteStateOf(codigo)).toMatchObject({
      state: 'desativadoAqui',
      since: at(3),
      comparison: id,
    });
    await change(codigo, 'A');
    expect(await remoteStateOf(codigo)).toMatchObject({ state: 'mudouAqui', since: at(4) });
  });

  test('whose draft was activated exists only locally', async () => {
    const drafts = '/appliance/api/products/drafts';
    const { codigo } = (await demo.call('POST', drafts, { cpfCnpjRaiz: COMPANY, denominacao: 'R' })).json;
    await runComparison();
    expect(await remoteStateOf(codigo)).toMatchObject({
      state: 'naoEnviavel',
      reason: 'rascunho; ative-o antes',
    });
    await demo.call('PUT', `${drafts}/${COMPANY}/${codigo}`, { denominacao: 'R2' });
    expect(await remoteStateOf(codigo)).toMatchObject({ state: 'naoEnviavel' });
    await change(codigo, 'R');
    expect(await remoteStateOf(codigo)).toMatchObject({ state: 'soAqui', reason: null, since: at(2) });
    expect(await codesInState('soAqui')).toEqual([codigo]);
  });
});

describe('a later run', () => {
  test.each([
    ['sent', { state: 'igual', remoteCodigo: '7', remoteVersao: '1', reason: null }],
    ['adopted', { state: 'igual', remoteCodigo: '7', remoteVersao: '1', reason: null }],
    ['refused', { state: 'recusado', reason: 'denominacao: longa demais' }],
    ['uncertain', { state: 'incerto', reason: 'denominacao: longa demais' }],
    ['skipped', { state: 'soAqui', run: null, reason: null, since: at(1) }],
  ] as const)('counts when it is %s', async (outcome, expected) => {
    const codigo = await include('A');
    const comparison = await runComparison();
    const isDone = outcome === 'sent' || outcome === 'adopted';
    const run = await ran(server, comparison, [
      {
        codigo,
        outcome,
        ...(isDone && { there: 7, remoteVersao: '1' }),
        ...(!isDone && { code: 'PUCX-ER0001', message: 'denominacao: longa demais' }),
      },
    ]);
    expect(await remoteStateOf(codigo)).toMatchObject({ run, since: at(2), comparison, ...expected });
    expect(await codesInState(expected.state)).toEqual([codigo]);
    expect(await codesInState(expected.state === 'soAqui' ? 'igual' : 'soAqui')).toEqual([]);
    // The result of the next comparison replaces it.
    const next = await runComparison([remoteProduct(7, 'A')]);
    expect(await remoteStateOf(codigo)).toMatchObject({ state: 'igual', comparison: next, run: null });
  });

  test('does not count once the product changed locally, except for uncertain steps', async () => {
    const [sentCode, refused, uncertain] = [await include('A'), await include('B'), await include('C')];
    await ran(server, await runComparison(), [
      { codigo: sentCode, outcome: 'sent', there: 7, remoteVersao: '1' },
      { codigo: refused, outcome: 'refused', code: 'X', message: 'não' },
      { codigo: uncertain, outcome: 'uncertain', message: 'cortada' },
    ]);
    passMinute();
    await change(sentCode, 'A2');
    await change(refused, 'B2');
    await change(uncertain, 'C2');
    expect(await remoteStateOf(sentCode)).toMatchObject({
      state: 'mudouAqui',
      remoteCodigo: '7',
      run: null,
      since: at(3),
    });
    expect(await remoteStateOf(refused)).toMatchObject({
      state: 'soAqui',
      reason: null,
      run: null,
      since: at(3),
    });
    expect(await remoteStateOf(uncertain)).toMatchObject({
      state: 'incerto',
      reason: 'cortada',
      since: at(2),
    });
  });

  test('counts if it deactivated the product in the remote, but not if it was a simulation', async () => {
    const [deactivated, fresh] = [await include('A'), await include('B')];
    await runComparison([remoteProduct(1, 'A')]);
    await deactivate(deactivated);
    const comparison = await runComparison([remoteProduct(1, 'A')]);
    await ran(server, comparison, [{ codigo: fresh, outcome: 'sent', there: 9 }], { simulated: true });
    expect(await remoteStateOf(fresh)).toMatchObject({ state: 'soAqui' });
    await ran(server, comparison, [
      { codigo: deactivated, outcome: 'sent', operation: 'deactivate', there: 1, remoteVersao: '1' },
    ]);
    expect(await remoteStateOf(deactivated)).toMatchObject({
      state: 'igual',
      remoteCodigo: '1',
      since: at(4),
    });
  });
});

describe('a later fetch', () => {
  test('makes the product equal once both sides agree on its version', async () => {
    const codigo = await include('A');
    await runComparison([remoteProduct(1, 'A')]);
    const comparison = await runComparison([
      remoteProduct(1, 'A lá', '2'),
      remoteProduct(5, 'Só de lá', '4'),
    ]);
    await change(codigo, 'A lá');
    const fresh = await include('Só de lá');
    const { remote, db } = server.app.core;
    const remoteId = remote.remotes.find('portal').id;
    const agree = db.prepare(
      `INSERT OR REPLACE INTO remote_pair (remote_id, cpf_cnpj_raiz, kind, here, there, base_versao, base_here, base_there)
       VALUES (?, ?, 'produto', ?, ?, ?, 1, 1)`,
    );
    agree.run(remoteId, COMPANY, '0000000001', '0000000001', '2');
    agree.run(remoteId, COMPANY, `000000000${fresh}`, '0000000005', '1');
    const equal = { state: 'igual', since: at(4), comparison, run: null };
    expect(await remoteStateOf(codigo)).toMatchObject({ ...equal, remoteCodigo: '1', remoteVersao: '2' });
    expect(await remoteStateOf(fresh)).toMatchObject({ ...equal, remoteCodigo: '5', remoteVersao: '4' });
    expect(await codesInState('igual')).toEqual([codigo, fresh]);
  });
});

describe('the list', () => {
  test('filtered by a state has pages, a count, other orders, other filters, and a table', async () => {
    const names = ['D', 'C', 'B', 'A'];
    for (const name of names) await include(name);
    await runComparison([remoteProduct(1, 'D')]);
    const filter = 'remote=portal&remoteState=soAqui';
    const page = (await list(`${filter}&limit=2`)).json;
    expect(page).toMatchObject({ total: 3, totalIsExact: true, items: [{ codigo: 2 }, { codigo: 3 }] });
    const rest = (await list(`${filter}&limit=2&after=${page.next}`)).json;
    expect(rest).toMatchObject({ next: null, items: [{ codigo: 4, remote: { state: 'soAqui' } }] });
    expect((await list(`${filter}&from=2`)).json.items).toMatchObject([{ codigo: 4 }]);
    const sorted = (await list(`${filter}&order=denominacao`)).json.items;
    expect(sorted.map(({ denominacao }: { denominacao: string }) => denominacao)).toEqual(['A', 'B', 'C']);
    expect((await list(`${filter}&text=b`)).json).toMatchObject({ total: 1, items: [{ codigo: 3 }] });
    const table = await demo.call('GET', `${PAGE}.csv?cpfCnpjRaiz=${COMPANY}&${filter}`);
    expect(table.text.trim().split('\n')).toHaveLength(4);
  });

  test('of a remote without a comparison is empty for any state', async () => {
    await include('A');
    expect(await codesInState('soAqui')).toEqual([]);
  });
});

/** The columns by which each query searches. */
const FOUND_BY: Readonly<Record<keyof typeof STANDING_QUERIES | keyof typeof ATTENTION_QUERIES, RegExp>> = {
  newest: /remote_comparison_of_company \(cpf_cnpj_raiz=\?\)/,
  runs: /remote_run_of_company \(cpf_cnpj_raiz=\?\)/,
  product:
    /p USING INTEGER PRIMARY KEY \(rowid=\?\).*r USING INDEX remote_record_of_here \(comparison_id=\? AND kind=\? AND here=\?\).*m USING PRIMARY KEY \(remote_id=\? AND cpf_cnpj_raiz=\? AND kind=\? AND here=\?\)/,
  step: /remote_step_of_record \(kind=\? AND here=\? AND run_id=\?\)/,
  versionThere: /remote_record_of_there \(comparison_id=\? AND kind=\? AND there=\?\)/,
  inState: /remote_record_by_state \(comparison_id=\? AND state=\?\)/,
  steps: /remote_step_to_do \(run_id=\? AND outcome=\? AND kind=\?\)/,
  changed:
    /product_by_change \(company_id=\? AND changed_at>\?\).*product_by_registration \(company_id=\? AND registered_at>\?\).*remote_record_of_here \(comparison_id=\? AND kind=\? AND here=\?\)/,
  settled:
    /remote_run_of_comparison \(comparison_id=\?\).*COVERING INDEX remote_step_to_do \(run_id=\? AND outcome=\?\)/,
  waiting: /remote_run_open \(remote_id=\? AND cpf_cnpj_raiz=\?\)/,
  left: /COVERING INDEX remote_step_due \(run_id=\?\)/,
};

/** Returns the parameters by name, or by number. */
function parametersOf(sql: string): unknown[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1] as const);
  return names.length > 0 ? [Object.fromEntries(names)] : [...sql.matchAll(/\?/g)].map(() => 1);
}

test.each(Object.entries({ ...STANDING_QUERIES, ...ATTENTION_QUERIES }))(
  'the query %s is served by its index',
  (name, sql) => {
    const plan = server.app.core.db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...parametersOf(sql))
      .map(({ detail }) => detail);
    expect(plan.join(' ')).toMatch(FOUND_BY[name as keyof typeof FOUND_BY]);
    expect(plan.filter((step) => /^SCAN (?!json_each)/.test(step))).toEqual([]);
  },
);
