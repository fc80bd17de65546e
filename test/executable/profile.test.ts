/**
 * The profile (contract section 1): its configuration, its display, and the behaviour of `portal` outside of
 * records.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const NOTE = 'o serviço público recusa parte do que este perfil aceita';
const PAGE = '/ajuda/primeiros-passos#especificacao-ou-portal';

describe('the profile is named, with the difference from the public service, by', () => {
  test('the banner of dev and its log in JSON', async () => {
    const defaultServer = await sandbox.start('dev', '--empty', '--port', '0', '--data', 'a');
    await defaultServer.stop();
    expect(await defaultServer.allStderr()).toMatch(
      new RegExp(`^ {2}Perfil +especificacao: ${NOTE} .*; leia http\\S+${PAGE}$`, 'm'),
    );
    const portal = await sandbox.start('dev', '--empty', '--port', '0', '--data', 'b', '--perfil', 'portal');
    await portal.stop();
    expect(await portal.allStderr()).toMatch(/^ {2}Perfil +portal$/m);
    const json = await sandbox.start('dev', '--empty', '--port', '0', '--data', 'b', '--log', 'json');
    await json.stop();
    expect(await json.allStderr()).toContain(`perfil especificacao: ${NOTE}`);
  });

  test('init and the log of a start; catp.toml has the profile of init', async () => {
    const specified = sandbox.run(['init', '--data', 'a', '--perfil', 'especificacao']);
    expect(specified.stderr).toContain(`o perfil especificacao: ${NOTE}`);
    expect(readFileSync(join(sandbox.folder, 'a/catp.toml'), 'utf8')).toMatch(/^perfil = "especificacao"$/m);
    const portal = sandbox.run(['init', '--data', 'b']);
    expect([portal.code, portal.stderr.includes(NOTE)]).toEqual([0, false]);
    expect(portal.stderr).toContain('o perfil portal.');
    expect(readFileSync(join(sandbox.folder, 'b/catp.toml'), 'utf8')).toMatch(/^perfil = "portal"$/m);
    const portalServer = await sandbox.start('serve', '--port', '0', '--data', 'b');
    await portalServer.stop();
    expect(await portalServer.allStderr()).toContain('Ambiente validacao, perfil portal.');
    const second = await sandbox.start('serve', '--port', '0', '--data', 'a');
    await second.stop();
    expect(await second.allStderr()).toContain(`perfil especificacao: ${NOTE}`);
    outputOf(sandbox.run(['init', '--data', 'd', '--set', 'perfil=especificacao']));
    expect(readFileSync(join(sandbox.folder, 'd/catp.toml'), 'utf8')).toMatch(/^perfil = "especificacao"$/m);
    expect(refusalOf(sandbox, ['init', '--data', 'c', '--perfil', 'outro'], 2)).toContain("recebido 'outro'");
  });
});

test('an alphanumeric root is refused with the name of the setting that accepts it, by the API and by the command', async () => {
  const { url } = await sandbox.start('dev', '--empty', '--port', '0', '--data', 'a');
  const tokens = await tokensOf(url, 'demo', 'demo');
  const refusal = await ask(url, '/catp/api/ext/produto?cpfCnpjRaiz=AB345678', tokens);
  expect([refusal.status, await refusal.text()]).toEqual([
    400,
    expect.stringContaining('--set perfil=portal'),
  ]);
  const addCompany = ['company', 'add', 'AB345678', '--nome', 'X', '--data', 'a'];
  expect(refusalOf(sandbox, addCompany, 2)).toContain('--set perfil=portal');
  expect(outputOf(sandbox.run([...addCompany, '--set', 'perfil=portal']))).toContain('AB345678');
});

const DOWNLOAD = '/cadatributos/api/atributo-ncm/download/json';

async function download(url: string, query = '', accept?: string): Promise<readonly [number, string | null]> {
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const reply = await fetch(`${url}${DOWNLOAD}${query}`, { redirect: 'manual', headers });
  return [reply.status, reply.headers.get('location') ?? reply.headers.get('content-type')];
}

test('portal: batches are off, and the public download requires a profile and returns a zip; each has its setting', async () => {
  const portal = await sandbox.start('dev', '--port', '0', '--data', 'a', '--perfil', 'portal');
  const tokens = await tokensOf(portal.url, 'demo', 'demo');
  if (typeof tokens === 'number') throw new Error('not signed in');
  const batch = await fetch(`${portal.url}/catp/api/ext/produto`, {
    method: 'POST',
    headers: tokens,
    body: '[]',
  });
  expect(batch.status).toBe(404);
  expect(await download(portal.url)).toEqual([307, `${DOWNLOAD}?perfil=PUBLICO`]);
  expect(await download(portal.url, '?x=1&perfil=')).toEqual([307, `${DOWNLOAD}?x=1&perfil=PUBLICO`]);
  const zip = [200, 'application/zip'] as const;
  for (const accept of [
    undefined,
    '*/*',
    'application/*;q=0.1',
    'text/html, Application/ZIP',
    'application/zip;q=0.001',
  ])
    expect(await download(portal.url, '?perfil=PUBLICO', accept)).toEqual(zip);
  for (const accept of ['application/json', 'text/*, application/zip;q=0', '*/*; q=0.000'])
    expect((await download(portal.url, '?perfil=PUBLICO', accept))[0]).toBe(406);
  const overrides = ['--set', 'atributos.exigirPerfil=false', '--set', 'operacoesDescontinuadas=true'];
  const alike = await sandbox.start('dev', '--port', '0', '--data', 'b', '--perfil', 'portal', ...overrides);
  expect(await download(alike.url, '', 'application/json')).toEqual(zip);
  const defaultServer = await sandbox.start('dev', '--port', '0', '--data', 'c');
  expect(await download(defaultServer.url, '', 'application/json')).toEqual(zip);
});
