/**
 * An unreadable page of the database: at the first read or write of it the server reports that it is not
 * ready (contract section 16).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openForReading } from '../../src/db/open.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const COMPANY = '12345678';
const PATH = `/catp/api/ext/produto/${COMPANY}`;
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' };

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  const first = await openApp();
  await (await first.as('demo')).call('POST', PATH, PRODUCT);
  await first.close({ keepFolder: true });
  damage(join(first.folder, 'catp.sqlite'), 'product');
  server = await openApp({ folder: first.folder });
  demo = await server.as('demo');
  expect(await readiness()).toEqual([200, true, 1]);
});
afterEach(() => server.close());

/** Overwrites the first page of a table with invalid bytes. */
function damage(file: string, table: string): void {
  const db = openForReading(file);
  const size = Number(db.pragma('page_size', { simple: true }));
  const page = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table));
  db.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(descriptor);
}

async function readiness(): Promise<readonly [status: number, about: unknown, metric: number]> {
  const { status, json } = await server.anybody.call('GET', '/readyz');
  const { text } = await server.anybody.call('GET', '/metrics');
  const metric = Number(/^catp_ready (\d)$/m.exec(text)?.[1]);
  return [status, status === 200 ? json.ready : json.message, metric];
}

const NOT_READY = [
  503,
  expect.stringMatching(/^O banco de dados está danificado.*catp doctor.*\(catp restore\)\.$/),
  0,
] as const;

describe('a damaged page', () => {
  test('in a short read: 500, and from then on not ready; writes are refused, other reads continue', async () => {
    expect((await demo.call('GET', `${PATH}/1/1`)).status).toBe(500);
    expect(await readiness()).toEqual(NOT_READY);
    const refused = await demo.call('POST', `/catp/api/ext/operador-estrangeiro/${COMPANY}/DE`, {
      nome: 'X',
      logradouro: 'Y',
      nomeCidade: 'Z',
    });
    expect([refused.status, refused.json.message]).toEqual([503, expect.stringContaining('danificado')]);
    const other = await demo.call('GET', '/portal/api/ext/webhook');
    expect([other.status, other.json]).toEqual([200, []]);
    expect((await server.anybody.call('GET', '/healthz')).status).toBe(200);
  });

  test('in a long read', async () => {
    expect((await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`)).status).toBe(500);
    expect(await readiness()).toEqual(NOT_READY);
  });

  test('in a write', async () => {
    expect((await demo.call('PUT', `${PATH}/1`, PRODUCT)).status).toBe(503);
    expect(await readiness()).toEqual(NOT_READY);
  });
});
