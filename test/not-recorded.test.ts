/**
 * Values that an older version did not record are reported as unknown, never as absent (contract section
 * 16, "Upgrades").
 */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { START, type TestApp, openApp } from './support/app.ts';

let server: TestApp;
beforeEach(async () => {
  server = await openApp();
});
afterEach(() => server.close());

/** Changes the database as an older version would have left it. */
function makeOlder(sql: string, ...values: readonly (string | number)[]): void {
  using db = new Database(join(server.folder, 'catp.sqlite'));
  db.prepare(sql).run(...values);
}

const WORD = 'não registrado';

test('keys and changes of audit entries', async () => {
  const admin = await server.as('admin');
  const entries = [
    ['12345678/1', null, null, 'VINCULACAO', 'vinculo', '00000000191', 'api'],
    ['00000000191', null, null, 'ALTERACAO', 'usuario', 'linha de comando', 'cli'],
    ['00000000191', null, null, 'ENCERRAMENTO', 'usuario', '00000000191', 'api', 'demo'],
  ];
  makeOlder(
    `INSERT INTO audit_page (first_seq, last_seq, at, entries, hash)
     SELECT max(last_seq) + 1, max(last_seq) + 3, ?, ?, x'00' FROM audit_page`,
    START,
    JSON.stringify(entries),
  );
  const { items } = (await admin.call('GET', '/appliance/api/audit?limit=3')).json;
  expect(items.map(({ notRecorded }: { notRecorded?: string[] }) => notRecorded)).toEqual([
    undefined,
    ['before', 'after'],
    ['key', 'before', 'after'],
  ]);
  const { text } = await admin.call('GET', '/appliance/api/audit.csv?columns=action,key,before,after');
  const [, ended, changed, linked] = text.split('\r\n');
  expect(ended).toBe('ENCERRAMENTO;demo;;');
  expect(changed).toBe(`ALTERACAO;;${WORD};${WORD}`);
  expect(linked).toBe(`VINCULACAO;${WORD};${WORD};${WORD}`);
});

test('the last use of an access key', async () => {
  const admin = await server.as('admin');
  const use = async () => {
    const { json } = await admin.call('GET', '/appliance/api/keys');
    const { lastUsedAt, notRecorded } = json.find(
      ({ clientId }: { clientId: string }) => clientId === 'demo2',
    );
    return [lastUsedAt, notRecorded];
  };
  expect(await use()).toEqual([null, undefined]);
  makeOlder(`UPDATE access_key SET created_at = ? WHERE client_id = 'demo2'`, START - 1);
  expect(await use()).toEqual([null, ['lastUsedAt']]);
  await server.as('demo2');
  expect(await use()).toEqual([expect.any(String), undefined]);
});

test('codes, notices and changes of the items of an import', async () => {
  const demo = await server.as('demo');
  for (const [id, createdAt] of [START - 1, START].entries()) {
    makeOlder(
      `INSERT INTO import_job (documento, perfil, tipo, modo, simular, file_name, stored_file, sha256, state, company, created_at)
       VALUES ('00000000191', 'IMPEXP', 'produto', 'lote', 0, 'a.json', 'x', 'y', 'done', '12345678', ?)`,
      createdAt,
    );
    makeOlder(`INSERT INTO import_file VALUES (?, 0, 'a.json')`, id + 1);
    for (const [at, outcome] of ['created', 'newVersion'].entries())
      makeOlder(
        `INSERT INTO import_result (job_id, idx, codigo, versao, outcome, name, member, line) VALUES (?, ?, '3', '1', ?, 'Caixa', 0, 5)`,
        id + 1,
        at,
        outcome,
      );
  }
  const { json } = await demo.call('GET', '/appliance/api/imports/1/results');
  expect(json.map(({ notRecorded }: { notRecorded?: string[] }) => notRecorded)).toEqual([
    ['codigosInterno', 'notices'],
    ['codigosInterno', 'notices', 'changes'],
  ]);
  const { text } = await demo.call('GET', '/appliance/api/imports/1/results.csv');
  expect(text.split('\r\n').slice(1, 3)).toEqual([
    `a.json;5;Caixa;${WORD};3;1;Incluído;;;;;;${WORD}`,
    `a.json;5;Caixa;${WORD};3;1;Nova versão;;;;;${WORD};${WORD}`,
  ]);
  const [first] = (await demo.call('GET', '/appliance/api/imports/2/results')).json;
  expect(first).not.toHaveProperty('notRecorded');
});

test('the answer of a receiver to an attempt', async () => {
  const demo = await server.as('demo');
  makeOlder(
    `INSERT INTO subscription (documento, evento, endpoint, registered_at) VALUES ('00000000191', 'e', 'https://a/', 0)`,
  );
  makeOlder(
    `INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at) VALUES ('e', 'CNPJ', '12345678000195', '{}', 0)`,
  );
  makeOlder(`INSERT INTO delivery (event_id, subscription_id, state) VALUES (1, 1, 'failed')`);
  for (const [at, status] of [
    [START - 1, '500'],
    [START - 1, 'NULL'],
    [START, '500'],
  ] as const)
    makeOlder(
      `INSERT INTO delivery_attempt (delivery_id, at, outcome, status, ms, description) VALUES (1, ?, 'status', ${status}, 1, '')`,
      at,
    );
  const { attempts } = (await demo.call('GET', '/appliance/api/deliveries/1')).json;
  expect(attempts.map(({ notRecorded }: { notRecorded?: string[] }) => notRecorded)).toEqual([
    ['answer'],
    undefined,
    undefined,
  ]);
});
