/** Spreadsheets of realistic size in the executable: its own Workers read them (contract section 24). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import table from '../../src/demo/attribute-table-1.json' with { type: 'json' };
import { simpleXlsx } from '../sheet/support.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
let url: string;
let tokens: Readonly<Record<string, string>>;

beforeAll(async () => {
  sandbox = await openSandbox();
  ({ url } = await sandbox.start('dev', '--port', '0'));
  tokens = (await tokensOf(url, 'demo', 'demo')) as Readonly<Record<string, string>>;
});
afterAll(() => sandbox.close());

async function call(method: string, path: string, body?: BodyInit) {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { ...tokens, ...type };
  const response = await fetch(`${url}/appliance/api/${path}`, { method, headers, ...(body && { body }) });
  return { status: response.status, bytes: await response.bytes() };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each test asserts the shape
const json = async (method: string, path: string, body?: BodyInit): Promise<any> =>
  JSON.parse(new TextDecoder().decode((await call(method, path, body)).bytes));

async function importSheet(order: object) {
  const { id } = await json('POST', 'imports', JSON.stringify(order));
  for (;;) {
    const job = await json('GET', `imports/${id}`);
    if (job.state !== 'queued' && job.state !== 'running') return job;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

function send(content: Uint8Array<ArrayBuffer>, tipo = 'produto') {
  const form = new FormData();
  form.set('file', new File([content], 'materiais.xlsx'));
  return json('POST', `sheets?cpfCnpjRaiz=12345678&tipo=${tipo}`, form);
}

const ROWS = 10_000;
const EXTRA_COLUMNS = 15;

test('ten thousand rows of twenty columns are mapped, checked and imported, while a GET is answered', async () => {
  const headings = ['Texto breve de material', 'Clas. Fiscal (NCM)', 'Tipo', 'Cód. Material', 'Texto longo'];
  const extraHeadings = Array.from({ length: EXTRA_COLUMNS }, (_, index) => `Campo ${index}`);
  const rows = Array.from({ length: ROWS }, (_, index) => [
    ...[`Caixa ${index}`, '3926.90.90', 'Importação', `MAT-${index}`, `Caixa plástica número ${index}`],
    ...extraHeadings.map((name) => `${name} de ${index}`),
  ]);
  const looking = send(simpleXlsx([['Relatório de materiais'], [...headings, ...extraHeadings], ...rows]));
  expect((await call('GET', 'products?cpfCnpjRaiz=12345678&limit=1')).status).toBe(200);
  const { id, sheets } = await looking;
  expect(sheets).toMatchObject([{ rows: ROWS, headerRow: 2 }]);
  const targets = sheets[0].columns.slice(0, headings.length).map(({ target }: { target: string }) => target);
  expect(targets).toEqual(['denominacao', 'ncm', 'modalidade', 'codigosInterno', 'descricao']);
  const dry = await importSheet({ sheet: id, simular: true });
  expect(dry).toMatchObject({ state: 'done', created: ROWS, failed: 0 });
  expect(await importSheet({ from: dry.id })).toMatchObject({ state: 'done', created: ROWS, failed: 0 });
  expect(await importSheet({ sheet: id })).toMatchObject({ state: 'done', unchanged: ROWS });
});

test('an XLSX export of the whole demonstration imports again with every row unchanged', async () => {
  for (const [tipo, path] of [
    ['produto', 'products'],
    ['operador-estrangeiro', 'foreign-operators'],
    ['fabricante', 'manufacturer-links'],
  ] as const) {
    const { bytes } = await call('GET', `${path}.xlsx?cpfCnpjRaiz=12345678`);
    const { id } = await send(new Uint8Array(bytes), tipo);
    const job = await importSheet({ sheet: id });
    expect(job).toMatchObject({ state: 'done', unchanged: job.total, failed: 0 });
  }
});

test('the example of each template is accepted unchanged by the table of the demonstration', async () => {
  const { listaNcm } = table;
  const queries = listaNcm.map(({ codigoNcm }) => `ncm=${codigoNcm.replaceAll('.', '')}`);
  for (const [query, tipo] of [
    ...queries.map((ncm) => [ncm, 'produto'] as const),
    ...(['operador-estrangeiro', 'fabricante', 'ato-concessorio'] as const).map(
      (kind) => [`tipo=${kind}`, kind] as const,
    ),
  ]) {
    expect((await call('GET', `sheets/template.xlsx?${query}`)).status).toBe(200);
    const { bytes } = await call('GET', `sheets/template.csv?${query}`);
    const { id } = await send(new Uint8Array(bytes), tipo);
    const job = await importSheet({ sheet: id, simular: true });
    expect([query, job]).toMatchObject([query, { state: 'done', created: 1, failed: 0 }]);
  }
});
