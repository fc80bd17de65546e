/** The operations of imports over a real port: forms are received in any order. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openIdempotency } from '../../../src/assembly/features/idempotency.ts';
import { DELETED_AT_ONCE } from '../../../src/db/delete-in-slices.ts';
import { importRoutes } from '../../../src/catalogue/import/routes.ts';
import { monotonicMs } from '../../../src/clock.ts';
import { DomainError } from '../../../src/errors.ts';
import { Cors } from '../../../src/http/cors.ts';
import { Holdings } from '../../../src/http/holdings.ts';
import { Pipeline } from '../../../src/http/pipeline.ts';
import { createRouter } from '../../../src/http/router.ts';
import { type Listening, listen } from '../../../src/http/server.ts';
import type { Caller } from '../../../src/session/model.ts';
import { COMPANY, OTHER_COMPANY, type TestImports, openImports, product, products } from './support.ts';

const MAX_BYTES = 256 * 1024;
const PATH = '/appliance/api/imports';
const DEMO = '00000000191';
const STRANGER = '00000000353';
const DEMO_2 = '00000000272';
const PUBLIC_AGENT = '00000000434';
const ADMINISTRATOR = '00000000515';

let imports: TestImports;
let server: Listening;

beforeEach(async () => {
  imports = await openImports({ maxBytes: MAX_BYTES });
  const pipeline = new Pipeline<Caller>({
    authenticate: (request) => {
      const caller = imports.core.session.store.findCaller(request.headers.get('x-user') ?? '', 'IMPEXP');
      if (caller === undefined) throw new DomainError('unauthenticated', 'x-user');
      return { caller, administrator: undefined, documento: '', renewedHeaders: () => ({}) };
    },
    countAccess: () => undefined,
    quotaOwnerOf: ({ documento }) => ({ user: documento }),
    holdings: new Holdings(100, 1024),
    notesUnknown: false,
    bodyLimit: 1024,
    ambiente: 'validacao',
    localDateTime: () => '2026-01-15T09:00:00',
    stopwatch: monotonicMs,
    onExchange: () => undefined,
    serverHeaders: () => ({}),
  });
  const fetch = createRouter({
    operations: importRoutes({
      ...{ imports: imports.service, sheets: imports.core.sheets, ...imports.upload },
      rules: imports.core.catalogue.rules,
      idempotency: openIdempotency(imports.core),
      ...{ reads: imports.core.reads, clock: imports.core.clock },
    }),
    pages: new Map(),
    pipeline,
    cors: new Cors([]),
    stopwatch: monotonicMs,
    simultaneous: 100,
  });
  server = listen({ host: '127.0.0.1', port: 0, fetch });
});

afterEach(async () => {
  await server.stop(0);
  await imports.close();
});

const call = (method: string, path: string, body?: BodyInit, user = DEMO, headers = {}): Promise<Response> =>
  fetch(`${server.url}${PATH}${path}`, {
    method,
    headers: { 'x-user': user, ...headers },
    ...(body !== undefined && { body }),
  });

function form(fields: Readonly<Record<string, string | Blob>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields))
    if (typeof value === 'string') data.append(name, value);
    else data.append(name, value, 'produtos.json');
  return data;
}

const fileOf = (value: unknown): Blob => new Blob([JSON.stringify(value)]);

async function started(items: unknown, fields = {}, user = DEMO): Promise<number> {
  const answer = await call('POST', '', form({ file: fileOf(items), tipo: 'produto', ...fields }), user);
  expect(answer.status).toBe(202);
  const { id } = (await answer.json()) as { id: number };
  await imports.runner.idle();
  return id;
}

async function problemsOf(answer: Response): Promise<readonly string[]> {
  const { detail } = (await answer.json()) as { detail: { path: string }[] };
  return detail.map(({ path }) => path);
}

describe(`POST ${PATH}`, () => {
  test.each([
    ['a public agent', PUBLIC_AGENT],
    ['an administrator', ADMINISTRATOR],
  ])('%s, who has no right to write, is refused', async (_, user) => {
    expect((await call('POST', '', form({ file: fileOf([]), tipo: 'produto' }), user)).status).toBe(403);
    expect(imports.files()).toEqual([]);
  });

  test.each([
    ['text/plain', '[]'], // a JSON body is the order for a sheet (contract section 24)
    ['application/x-www-form-urlencoded', 'tipo=produto'],
  ])('%s is no form for a file', async (type, body) => {
    expect((await call('POST', '', body, DEMO, { 'content-type': type })).status).toBe(415);
  });

  test.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that ends too early',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n[{',
    ],
    ['that is empty', 'multipart/form-data; boundary=b', ''],
  ])('a form %s is malformed, and nothing of it is stored', async (_, type, body) => {
    expect((await call('POST', '', body, DEMO, { 'content-type': type })).status).toBe(400);
    expect(imports.files()).toEqual([]);
  });

  test.each([
    ['20 fields', 20, (n: number) => `name="n${n}"`, 'Membro desconhecido'],
    ['21 fields', 21, (n: number) => `name="n${n}"`, 'mais de 20 campos'],
    ['30 000 parts', 30_000, (n: number) => `name="n${n}"`, 'mais de 20 campos'],
    ['three files', 3, (n: number) => `name="f${n}"; filename="a"`, 'de um arquivo em file'],
  ])('a form of %s is refused with the exceeded limit', async (_, count, nameOf, words) => {
    const parts = Array.from(
      { length: count },
      (_part, n) => `--b\r\nContent-Disposition: form-data; ${nameOf(n)}\r\n\r\nv\r\n`,
    );
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await call('POST', '', `${parts.join('')}--b--\r\n`, DEMO, type);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(words)]);
    expect(imports.files()).toEqual([]);
  });

  test('every problem of a form is reported at once', async () => {
    const data = form({ file: 'texto', tipo: 'produtos', modo: 'x', simular: 'sim', arquivo: fileOf([]) });
    const answer = await call('POST', '', data);
    expect(answer.status).toBe(400);
    expect((await problemsOf(answer)).toSorted()).toEqual([
      '/arquivo',
      '/file',
      '/modo',
      '/simular',
      '/tipo',
    ]);
    expect(imports.files()).toEqual([]);
  });

  test('file and tipo are required', async () => {
    const answer = await call('POST', '', form({ modo: 'lote' }));
    expect(answer.status).toBe(400);
    const { detail } = (await answer.json()) as { detail: { path: string; message: string }[] };
    expect(detail.map(({ path }) => path).toSorted()).toEqual(['/file', '/tipo']);
    const ofFile = detail.find(({ path }) => path === '/file')?.message;
    expect(ofFile).toBe('file: membro obrigatório ausente; informe um arquivo.');
  });

  test('a repeated field or file is refused', async () => {
    const data = form({ file: fileOf([]), tipo: 'produto' });
    data.append('tipo', 'fabricante');
    data.append('file', fileOf([]), 'b.json');
    const answer = await call('POST', '', data);
    expect(answer.status).toBe(400);
    expect((await problemsOf(answer)).toSorted()).toEqual(['/file', '/tipo']);
    expect(imports.files()).toEqual([]);
  });

  test('a file over the limit is refused, also with an undeclared size; one at the limit is accepted', async () => {
    const blobOfSize = (bytes: number): Blob => new Blob([`[${' '.repeat(bytes - 2)}]`]);
    const at = await call('POST', '', form({ file: blobOfSize(MAX_BYTES), tipo: 'produto' }));
    expect(at.status).toBe(202);
    const tooLarge = form({ file: blobOfSize(MAX_BYTES + 1), tipo: 'produto' });
    expect((await call('POST', '', tooLarge)).status).toBe(413);
    const muchTooLarge = form({ file: blobOfSize(4 * MAX_BYTES), tipo: 'produto' });
    expect((await call('POST', '', muchTooLarge)).status).toBe(413);
    const encodedForm = new Response(muchTooLarge);
    const headers = { 'content-type': encodedForm.headers.get('content-type') ?? '' };
    expect((await call('POST', '', encodedForm.body ?? '', DEMO, headers)).status).toBe(413);
    await imports.runner.idle();
    expect(imports.files()).toEqual([]);
  });

  test('the file can precede the other fields; the defaults are lote and a real run', async () => {
    const id = await started([product(1)]);
    const progress = await (await call('GET', `/${id}`)).json();
    expect(progress).toEqual({
      ...{ kind: 'arquivo', corrects: null, correctedBy: null, undoneBy: null, notices: [] },
      id,
      tipo: 'produto',
      modo: 'lote',
      simular: false,
      fileName: 'produtos.json',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'done',
      error: null,
      total: 1,
      processed: 1,
      created: 1,
      newVersion: 0,
      unchanged: 0,
      deactivated: 0,
      changesMany: false,
      undoes: null,
      notices: [],
      fromSheet: false,
      cpfCnpjRaiz: '12345678',
      failed: 0,
      failedNotKept: 0,
      resultsForgotten: false,
      cellsDropped: false,
      ...{ madeBy: DEMO, proposal: null, proposedBy: null },
      createdAt: '2026-01-15T09:00:00.000-03:00',
      finishedAt: '2026-01-15T09:00:00.000-03:00',
    });
  });

  test('lists the imports of the same file, which shows whether it was imported before', async () => {
    const [first, second, other] = [
      await started([product(1)]),
      await started([product(1)], { simular: 'true' }),
      await started([product(2)]),
    ];
    const sha256 = new Bun.CryptoHasher('sha256').update(JSON.stringify([product(1)])).digest('hex');
    const ids = async (query: string, user = DEMO): Promise<readonly number[]> =>
      ((await (await call('GET', query, undefined, user)).json()) as { id: number }[]).map(({ id }) => id);
    expect(await ids(`?sha256=${sha256}`)).toEqual([second, first]);
    expect(await ids(`?sha256=${sha256}&limit=1`)).toEqual([second]);
    expect(await ids('')).toEqual([other, second, first]);
    expect(await ids(`?sha256=${'0'.repeat(64)}`)).toEqual([]);
    expect((await call('GET', `?sha256=${sha256.toUpperCase()}`)).status).toBe(400);
  });

  test('follows modo and simular', async () => {
    const id = await started([product(1)], { modo: 'espelho', simular: 'true' });
    expect(await (await call('GET', `/${id}`)).json()).toMatchObject({
      modo: 'espelho',
      simular: true,
      failed: 1,
    });
  });
});

describe('an import', () => {
  const operationsOf = (id: number) =>
    [
      ['GET', `/${id}`],
      ['GET', `/${id}/results`],
      ['GET', `/${id}/errors.csv`],
      ['DELETE', `/${id}/results`],
      ['DELETE', `/${id}`],
    ] as const;
  const statuses = async (id: number, user: string): Promise<readonly number[]> => {
    const all = [];
    for (const [method, path] of operationsOf(id))
      all.push((await call(method, path, undefined, user)).status);
    return all;
  };
  const visibleTo = async (user: string): Promise<readonly number[]> =>
    ((await (await call('GET', '', undefined, user)).json()) as { id: number }[]).map(({ id }) => id);

  test('for one company is visible to all who represent it; only its owner cancels it and deletes its results', async () => {
    const id = await started([product(1), product(2, { cpfCnpjRaiz: ` ${COMPANY} `, ncm: 'x' })]);
    expect(await statuses(id, DEMO_2)).toEqual([200, 200, 200, 403, 403]);
    expect(await visibleTo(DEMO_2)).toEqual([id]);
    expect(await statuses(id, STRANGER)).toEqual([404, 404, 404, 404, 404]);
    expect(await visibleTo(STRANGER)).toEqual([]);
    // An administrator sees no import, but may delete its results.
    expect(await statuses(id, ADMINISTRATOR)).toEqual([404, 404, 404, 204, 404]);
    expect(await visibleTo(ADMINISTRATOR)).toEqual([]);
  });

  test('for several companies, or with an item of none, is visible only to its owner', async () => {
    const mixed = [
      [product(1), product(2, { cpfCnpjRaiz: OTHER_COMPANY })],
      [product(1), product(2, { cpfCnpjRaiz: undefined })],
      [product(1), 1],
      [],
    ];
    for (const items of mixed)
      expect(await statuses(await started(items), DEMO_2)).toEqual([404, 404, 404, 404, 404]);
    expect((await call('GET', '/999')).status).toBe(404);
    expect(await visibleTo(DEMO_2)).toEqual([]);
  });

  test('of a user without the company is not visible to its representatives', async () => {
    const id = await started([product(1)], {}, STRANGER);
    expect(await statuses(id, DEMO)).toEqual([404, 404, 404, 404, 404]);
  });

  test('is requested by a number', async () => {
    expect((await call('GET', '/abc')).status).toBe(400);
    expect((await call('GET', '/0')).status).toBe(400);
  });

  test('is listed, the newest first, up to a limit', async () => {
    const first = await started([]);
    const second = await started([]);
    const ids = async (query: string) =>
      ((await (await call('GET', query)).json()) as { id: number }[]).map(({ id }) => id);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('?limit=1')).toEqual([second]);
    expect((await call('GET', '?limit=0')).status).toBe(400);
    expect((await call('GET', '?limit=1001')).status).toBe(400);
  });

  test('has a result for each item, filtered by outcome', async () => {
    const id = await started([...products(450), product(451, { ncm: 'x' })]);
    const results = async (query: string) =>
      (await (await call('GET', `/${id}/results${query}`)).json()) as { index: number; outcome: string }[];
    expect((await results('')).map(({ index }) => index)).toEqual(
      Array.from({ length: 451 }, (_, index) => index),
    );
    expect(await results('?outcome=created')).toHaveLength(450);
    expect(await results('?outcome=failed')).toMatchObject([
      { index: 450, seq: 451, codigo: null, outcome: 'failed' },
    ]);
    expect(await results('?outcome=unchanged')).toEqual([]);
    expect((await call('GET', `/${id}/results?outcome=x`)).status).toBe(400);
  });

  test('has its results in pages after the last seen one', async () => {
    const id = await started([...products(450), product(451, { ncm: 'x' })]);
    const indexes = async (query: string) =>
      ((await (await call('GET', `/${id}/results?${query}`)).json()) as { index: number }[]).map(
        ({ index }) => index,
      );
    const from = (first: number, length: number) => Array.from({ length }, (_, at) => first + at);
    for (const limit of [1, 200, 201, 400, 451])
      expect(await indexes(`limit=${limit}`)).toEqual(from(0, limit));
    expect(await indexes('limit=10000')).toEqual(from(0, 451));
    expect(await indexes('after=0&limit=250')).toEqual(from(1, 250));
    expect(await indexes('after=448')).toEqual([449, 450]);
    expect(await indexes('after=450')).toEqual([]);
    expect(await indexes('after=9&limit=1&outcome=failed')).toEqual([450]);
    for (const wrong of ['limit=0', 'limit=10001', 'after=-1', 'after=x'])
      expect((await call('GET', `/${id}/results?${wrong}`)).status).toBe(400);
  });

  test('has a CSV of its errors, one for each line, safe in a spreadsheet', async () => {
    const id = await started([product(1), product(2, { modalidade: 'X', ncm: '1', '=ncm': 1 })]);
    const answer = await call('GET', `/${id}/errors.csv`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain(`importacao_${id}_errors.csv`);
    const lines = (await answer.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('item;seq;codigo;versao;erro;nome;arquivo;linha;ponteiro;codigoErro');
    expect(lines.slice(1).map((line) => line.slice(0, 6))).toEqual(['2;2;;;', '2;2;;;', '2;2;;;']);
    const ends = ['/modalidade', '/ncm', '/=ncm'].map(
      (path) => `;Produto 2;produtos.json;1;${path};PUCX-ER0010`,
    );
    expect(lines.slice(1).map((line) => line.slice(line.indexOf(';Produto 2;')))).toEqual(ends);
  });

  test('that has ended deletes its results on request, and keeps its counters', async () => {
    const id = await started([...products(DELETED_AT_ONCE), product(1, { ncm: 'x' })]);
    const answer = await call('DELETE', `/${id}/results`);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await (await call('GET', `/${id}/results`)).json()).toEqual([]);
    expect(await (await call('GET', `/${id}`)).json()).toMatchObject({
      ...{ state: 'done', processed: DELETED_AT_ONCE + 1, failed: 1, resultsForgotten: true },
    });
    expect((await call('DELETE', `/${id}/results`)).status).toBe(204);
    expect((await call('DELETE', '/999/results')).status).toBe(404);
    expect((await call('DELETE', '/999/results', undefined, ADMINISTRATOR)).status).toBe(404);
  });

  test('whose deletion a stop interrupts continues at the next start, and lists no results until then', async () => {
    const id = await started(products(3));
    const { db } = imports.core;
    db.exec('UPDATE import_job SET forgotten = 1');
    expect(await (await call('GET', `/${id}/results`)).json()).toEqual([]);
    await imports.retention.runOnce();
    expect(db.prepare('SELECT count(*) FROM import_result').pluck().get()).toBe(0);
  });

  test('that is running keeps its results', async () => {
    await imports.runner.stop();
    const id = await started(products(1));
    for (const user of [DEMO, ADMINISTRATOR]) {
      const answer = await call('DELETE', `/${id}/results`, undefined, user);
      expect([answer.status, await answer.text()]).toEqual([
        422,
        expect.stringContaining('ainda não terminou'),
      ]);
    }
  });

  test('is cancelled by DELETE; one that has ended does not change', async () => {
    const id = await started([product(1)]);
    const answer = await call('DELETE', `/${id}`);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await (await call('GET', `/${id}`)).json()).toMatchObject({ state: 'done' });
  });
});
