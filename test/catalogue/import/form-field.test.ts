/** The fields of an upload next to its file have a limit, and are never truncated (contract section 16). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../../support/app.ts';

const MAX_FIELD_BYTES = 2 * 1024 * 1024;

let server: TestApp;
beforeAll(async () => {
  server = await openApp({ over: 'http' });
});
afterAll(() => server.close());

test('a field over its limit is refused by its name', async () => {
  const demo = await server.as('demo');
  const messageOf = async (bytes: number): Promise<string> => {
    const form = new FormData();
    form.append('file', new Blob(['[]']), 'a.json');
    form.append('tipo', 'produto');
    form.append('modo', 'x'.repeat(bytes));
    const body = new Response(form);
    const type = body.headers.get('content-type') ?? '';
    const reply = await demo.call('POST', '/appliance/api/imports', await body.text(), {
      'content-type': type,
    });
    return reply.json.message;
  };
  expect(await messageOf(MAX_FIELD_BYTES)).toContain('modo: recebido "xxx');
  expect(await messageOf(MAX_FIELD_BYTES + 1)).toBe('modo: tem mais de 2 MiB; envie menos.');
});
