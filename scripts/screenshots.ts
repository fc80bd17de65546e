/**
 * Takes the screenshots of the guide again (src/docs/images): each page of a development instance with
 * demonstration data, in Debian's Chromium. Run it after the look of a page changed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser.ts';
import { startProcess } from './starter.ts';

const ROOT = join(import.meta.dir, '..');
const VIEWPORT = { width: 1280, height: 800 };
/** Small, because the executable contains the images. */
const SCALE = 0.6;

const READY = /pronto em (https?:\/\/\S+)/;

/** File name of the screenshot, user, and page. */
const PICTURES: readonly (readonly [name: string, user: 'demo' | 'admin', path: string])[] = [
  ['painel', 'demo', '/?cpfCnpjRaiz=12345678'],
  ['produtos', 'demo', '/produtos'],
  ['produto', 'demo', '/produtos/12345678/5'],
  ['produto-novo', 'demo', '/produtos/novo'],
  ['operadores', 'demo', '/operadores'],
  ['operador', 'demo', '/operadores/12345678/OPERADOR?de=2&para=3'],
  ['vinculos', 'demo', '/vinculos'],
  ['vinculos-novo', 'demo', '/vinculos?cpfCnpjRaiz=12345678&codigoProduto=1&novo=1'],
  ['importar', 'demo', '/importar'],
  ['atributos', 'demo', '/atributos?ncm=22042100'],
  ['notificacoes', 'demo', '/notificacoes'],
  ['administracao', 'admin', '/administracao'],
  ['requisicoes', 'admin', '/requisicoes'],
  ['referencia', 'demo', '/docs'],
];

const folder = mkdtempSync(join(tmpdir(), 'catp-screenshots-'));
const catp = startProcess(
  [join(ROOT, 'dist', 'catp'), 'dev', '--port', '0', '--data', join(folder, 'dados')],
  {
    ready: READY,
    env: process.env,
  },
);
const browser = await startBrowser();
try {
  const url = await catp.ready;
  const codigo = await addVersions(url);
  const pages = { demo: await enter(url, 'demo'), admin: await enter(url, 'admin') };
  for (const [name, user, path] of PICTURES)
    await picture(pages[user], url + path.replace('OPERADOR', codigo), name);
} finally {
  await browser.close();
  await catp.stop();
  rmSync(folder, { recursive: true });
}

/** Creates an operator with two versions to compare, which the demonstration data lack. Returns its code. */
async function addVersions(url: string): Promise<string> {
  const key = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
  const { headers } = await fetch(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: key,
  });
  const tokens = {
    authorization: headers.get('set-token') ?? '',
    'x-csrf-token': headers.get('x-csrf-token') ?? '',
  };
  const send = async (method: string, path: string, body: object): Promise<string> => {
    const answer = await fetch(`${url}/catp/api/ext/operador-estrangeiro/12345678/${path}`, {
      method,
      headers: tokens,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return ((await answer.json()) as { readonly codigo: string }).codigo;
  };
  const rheinland = {
    nome: 'Rheinland Maschinen GmbH',
    logradouro: 'Hafenstraße 12',
    nomeCidade: 'Köln',
    codigoSubdivisaoPais: 'DE-NW',
    tin: 'DE000000071',
    codigoInterno: 'F-0071',
  };
  const codigo = await send('POST', 'DE', rheinland);
  await send('POST', `DE/${codigo}/2026-03-02`, { ...rheinland, nome: 'Rheinland GmbH' });
  await send('PUT', `DE/${codigo}`, { ...rheinland, cep: '50667', email: 'export@rheinland.example' });
  return codigo;
}

async function enter(url: string, user: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: SCALE, locale: 'pt-BR' });
  const page = await context.newPage();
  await page.goto(`${url}/entrar`);
  if (user === 'demo') await page.screenshot({ path: fileOf('entrar') });
  await page.getByLabel('Client-Id').fill(user);
  await page.getByLabel('Client-Secret').fill(user);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.getByRole('button', { name: 'Sair' }).waitFor();
  return page;
}

async function picture(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A live page never stops polling: wait until no part is shown as loading.
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  await page.screenshot({ path: fileOf(name) });
}

function fileOf(name: string): string {
  return join(ROOT, 'src', 'docs', 'images', `${name}.png`);
}
