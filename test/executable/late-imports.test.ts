/** Modules that are loaded on first use are in the executable, for every path to them. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { SCHEMES, trusting } from '../support/tls.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

describe.each(SCHEMES)('over %s', (scheme) => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await openSandbox(scheme);
  });
  afterEach(() => sandbox.close());

  const IS_ZIP = [0x50, 0x4b];

  test('load for demo data, sign-in, exports, zips over HTTP and on the command line, and tables in a zip', async () => {
    const { url } = await sandbox.start('dev', '--port', '0', '--data', 'dados');
    const tokens = await tokensOf(url, 'demo', 'demo');
    const exportAnswer = await ask(url, '/catp/api/ext/produto/exportar/12345678/true', tokens);
    const zip = await exportAnswer.bytes();
    expect([...zip.slice(0, 2)]).toEqual(IS_ZIP);
    writeFileSync(join(sandbox.folder, 'produtos.zip'), zip);

    // The server reads a zip in a form.
    const form = new FormData();
    for (const [name, text] of Object.entries({ tipo: 'produto', modo: 'espelho', simular: 'true' }))
      form.set(name, text);
    form.set('file', new Blob([zip]), 'produtos.zip');
    const headers = { ...(tokens as Record<string, string>) };
    const queued = await trusting(`${url}/appliance/api/imports`, { method: 'POST', headers, body: form });
    expect(queued.status).toBe(202);
    const { id } = (await queued.json()) as { id: number };
    const progress = async (): Promise<{ state: string; processed: number; failed: number }> =>
      (await ask(url, `/appliance/api/imports/${id}`, tokens)).json();
    const job = await eventually(progress).toMatchObject({ state: 'done', failed: 0 });
    expect(job.processed).toBeGreaterThan(0);

    // A command imports the same zip next to the server, and a command writes a zip.
    const importResult = sandbox.run([
      'import',
      'produto',
      'produtos.zip',
      '--modo',
      'espelho',
      '--data',
      'dados',
    ]);
    expect([importResult.code, importResult.stderr]).toEqual([0, expect.stringContaining(' 0 com erro')]);
    const written = sandbox.run(['export', 'produto', '--data', 'dados', '--empresa', '12345678']);
    expect([written.code, written.stderr]).toEqual([0, '']);

    // The server puts the table in force into a zip, and a Worker of the command reads it.
    const table = await ask(url, '/cadatributos/api/atributo-ncm/download/json', tokens);
    const tableZip = await table.bytes();
    expect([...tableZip.slice(0, 2)]).toEqual(IS_ZIP);
    writeFileSync(join(sandbox.folder, 'tabela.zip'), tableZip);
    const loaded = sandbox.run(['attributes', 'load', 'tabela.zip', '--data', 'dados']);
    expect(`${loaded.stdout}${loaded.stderr}`).toMatch(/Tabela .* carregada|já está carregada/);
  });

  test('load for the receiver and for a configuration file', () => {
    writeFileSync(join(sandbox.folder, 'catp.toml'), 'ambiente = "nenhum"\n');
    const refusal = sandbox.run(['dev', '--config', 'catp.toml', '--port', '0']);
    expect([refusal.code, refusal.stderr]).toEqual([2, expect.stringContaining('ambiente')]);
    const { code, stdout } = sandbox.run(['receiver', 'init']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('ca.pem')]);
  });
});
