/** The pending uploads of a user, and of a company, have a total limit (contract section 16, Limits). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { form as comparisonForm } from '../../remote/support.ts';
import { send } from '../sheet/support.ts';
import { type Client, type Reply, type TestApp, openApp } from '../../support/app.ts';

const IMPORTS = '/appliance/api/imports';
const LIMIT = 4096;

let server: TestApp;
let demo: Client;
let colleague: Client;

beforeEach(async () => {
  server = await openApp({ settings: { 'importacao.esperando': String(LIMIT) } });
  [demo, colleague] = [await server.as('demo'), await server.as('demo2')];
  await server.app.core.imports.runner.stop(); // every upload stays pending
});

afterEach(() => server.close());

const files = (): number => readdirSync(join(server.folder, 'imports')).length;

/** Builds a JSON file of `bytes` bytes. */
const jsonOf = (bytes: number): string => `[${' '.repeat(bytes - 2)}]`;

function sendJson(client: Client, content: string): Promise<Reply> {
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('simular', 'true');
  form.set('file', new File([content], 'produtos.json'));
  return client.call('POST', IMPORTS, form);
}

const refusal = ({ status, json }: Reply) => [status, json.detail?.[0]?.code, json.detail?.[0]?.message];

const REFUSED = (owner: string, count: string, limit: string) => [
  422,
  'CATP-ER1044',
  expect.stringMatching(new RegExp(`^${owner} já tem ${count}.*são aceitos até ${limit} ao todo\\. Espere`)),
];

describe('the uploads of a user', () => {
  test('have at most importacao.esperando bytes together; a refused one leaves no file', async () => {
    expect((await sendJson(demo, jsonOf(LIMIT - 100))).status).toBe(202);
    expect(refusal(await sendJson(demo, jsonOf(101)))).toEqual(
      REFUSED('Este usuário', '1 arquivo enviado', '100, com 4 KiB'),
    );
    expect(files()).toBe(1);
    expect((await sendJson(demo, jsonOf(100))).status).toBe(202);
    expect(refusal(await sendJson(demo, '[]'))[0]).toBe(422);
    expect((await sendJson(colleague, jsonOf(LIMIT))).status).toBe(202);
  });

  test('get room again when one is cancelled or done', async () => {
    const { id } = (await sendJson(demo, jsonOf(LIMIT))).json;
    expect((await sendJson(demo, '[]')).status).toBe(422);
    expect((await demo.call('DELETE', `${IMPORTS}/${id}`)).status).toBe(204);
    expect((await sendJson(demo, jsonOf(LIMIT))).status).toBe(202);
    await server.app.core.imports.runner.resume();
    await server.app.core.imports.runner.idle();
    expect((await sendJson(demo, jsonOf(LIMIT))).status).toBe(202);
  });

  test('are at most 100', async () => {
    const statuses = [];
    for (let n = 0; n < 100; n += 1) statuses.push((await sendJson(demo, '[]')).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    expect(refusal(await sendJson(demo, '[]'))).toEqual(
      REFUSED('Este usuário', '100 arquivos enviados', '100, com 4 KiB'),
    );
  });

  test('include concurrent ones, with sheets and comparisons', async () => {
    const admin = await server.as('admin');
    await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: ['12345678'] });
    const half = 'x'.repeat(LIMIT / 2);
    const answers = await Promise.all([1, 2, 3].map(() => sendJson(demo, jsonOf(LIMIT / 2))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 422]);
    expect(refusal(await send(demo, `NCM;Nome\n1;${half}`))[1]).toBe('CATP-ER1044');
    const comparison = comparisonForm({ produtos: [], operadores: [], vinculos: [] });
    const started = await demo.call('POST', '/appliance/api/remotes/portal/comparisons', comparison);
    expect(refusal(started)[1]).toBe('CATP-ER1044');
    expect(files()).toBe(2);
  });
});

describe('the uploads of a company', () => {
  test('have at most twice as much, of any sender', async () => {
    const third = { documento: '00000000353', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' } as const;
    const { session, db } = server.app.core;
    await session.accounts.putRepresentation(third);
    await session.accounts.removeRepresentation({ ...third, cpfCnpjRaiz: '11222333' });
    const stranger = await server.as('estranho');
    for (const client of [demo, colleague]) expect((await sendJson(client, jsonOf(LIMIT))).status).toBe(202);
    expect((await sendJson(stranger, jsonOf(2))).status).toBe(202); // their companies are unknown
    db.exec("UPDATE import_job SET company = '12345678'");
    expect(refusal(await sendJson(stranger, jsonOf(2)))).toEqual(
      REFUSED('A empresa 12345678', '3 arquivos enviados', '200, com 8 KiB'),
    );
    await session.accounts.putRepresentation({ ...third, cpfCnpjRaiz: '87654321' });
    expect((await sendJson(stranger, jsonOf(2))).status).toBe(202);
  });
});
