/** The initial content of `catp dev`, with and without the demonstration. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningCatp } from '../support/executable.ts';
import { trusting } from '../support/tls.ts';
import { outputOf } from './outcome.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const start = (...flags: readonly string[]): Promise<RunningCatp> =>
  sandbox.start('dev', '--port', '0', '--data', 'dev', ...flags);

type Tokens = Awaited<ReturnType<typeof tokensOf>>;
type Link = { codigoProduto: number; codigoPais: string; codigoOperadorEstrangeiro: string | null };

async function linksOf({ url }: RunningCatp, cpfCnpjRaiz: string, tokens: Tokens): Promise<Link[]> {
  const reply = await ask(url, `/appliance/api/manufacturer-links?cpfCnpjRaiz=${cpfCnpjRaiz}`, tokens);
  return ((await reply.json()) as { items: Link[] }).items;
}

async function operatorsOf({ url }: RunningCatp, cpfCnpjRaiz: string, tokens: Tokens): Promise<string[]> {
  const path = `/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=${cpfCnpjRaiz}`;
  const reply = await ask(url, path, tokens);
  if (reply.status === 204) return [];
  return ((await reply.json()) as { codigo: string; codigoPais: string }[]).map(
    ({ codigo, codigoPais }) => `${codigo} ${codigoPais}`,
  );
}

const GEARBOX = { denominacao: 'Válvula', descricao: 'De aço', modalidade: 'IMPORTACAO', ncm: '84818095' };

async function include({ url }: RunningCatp): Promise<{ status: number; text: string }> {
  const tokens = await tokensOf(url, 'demo', 'demo');
  if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
  const reply = await trusting(`${url}/catp/api/ext/produto/12345678`, {
    method: 'POST',
    headers: { ...tokens, 'content-type': 'application/json' },
    body: JSON.stringify(GEARBOX),
  });
  return { status: reply.status, text: await reply.text() };
}

test.each([[[]], [['--perfil', 'portal']]])(
  'has foreign operators and links in each company, also with %p',
  async (flags) => {
    const catp = await start(...flags);
    // One sign-in only: the portal refuses a second one within a minute.
    const tokens = await tokensOf(catp.url, 'demo', 'demo');
    expect(await operatorsOf(catp, '12345678', tokens)).toEqual(['OPE_1 DE', 'OPE_2 CL', 'OPE_3 CN']);
    expect(await operatorsOf(catp, '87654321', tokens)).toEqual(['OPE_1 FR', 'OPE_2 IT']);
    const links = await linksOf(catp, '12345678', tokens);
    expect(links.map(({ codigoPais }) => codigoPais).toSorted()).toEqual([
      'BR',
      'CL',
      'CL',
      'CN',
      'CN',
      'DE',
    ]);
    expect(await linksOf(catp, '87654321', tokens)).toHaveLength(3);
  },
);

const NOTE = 'Esta tabela é inventada, para demonstração, e só tem algumas NCMs: carregue a oficial com catp';

test('an NCM that the invented table lacks is refused with a next step, also after a reset; with a custom table without it', async () => {
  const catp = await start();
  expect(await include(catp)).toEqual({ status: 422, text: expect.stringContaining(NOTE) });
  const admin = await tokensOf(catp.url, 'admin', 'admin');
  if (typeof admin === 'number') throw new Error('not signed in');
  await trusting(`${catp.url}/appliance/api/reset`, { method: 'POST', headers: admin });
  expect((await include(catp)).text).toContain('catp dev --empty');
  const table = { versao: 'minha', listaNcm: [], detalhesAtributos: [] };
  writeFileSync(join(sandbox.folder, 'minha.json'), JSON.stringify(table));
  outputOf(sandbox.run(['attributes', 'load', 'minha.json', '--data', 'dev']));
  outputOf(sandbox.run(['attributes', 'activate', 'minha', '--data', 'dev']));
  const { status, text } = await include(catp);
  expect([status, text.includes('não está na tabela'), text.includes('inventada')]).toEqual([
    422,
    true,
    false,
  ]);
});

test.each([[[]], [['--empty']]])(
  'atributos.arquivo is the table in force from the first start on, and after a reset, with %p',
  async (flags) => {
    const table = { versao: 'minha', listaNcm: [], detalhesAtributos: [] };
    writeFileSync(join(sandbox.folder, 'minha.json'), JSON.stringify(table));
    const catp = await start('--set', 'atributos.arquivo=minha.json', ...flags);
    const admin = await tokensOf(catp.url, 'admin', 'admin');
    if (typeof admin === 'number') throw new Error('not signed in');
    const inForce = async (): Promise<object[]> => {
      const reply = await trusting(`${catp.url}/appliance/api/attribute-tables`, { headers: admin });
      return ((await reply.json()) as { versao: string; inForce: boolean }[]).map(({ versao, inForce }) => ({
        [versao]: inForce,
      }));
    };
    expect(await inForce()).toEqual([{ minha: true }]);
    const reset = await trusting(`${catp.url}/appliance/api/reset`, { method: 'POST', headers: admin });
    expect([reset.status, await inForce()]).toEqual([204, [{ minha: true }]]);
  },
);

test('--empty has users and companies, no catalogue and no table: any NCM is accepted', async () => {
  const catp = await start('--empty');
  const tokens = await tokensOf(catp.url, 'demo', 'demo');
  const records = [await operatorsOf(catp, '12345678', tokens), await linksOf(catp, '12345678', tokens)];
  expect(records).toEqual([[], []]);
  const tables = await ask(
    catp.url,
    '/appliance/api/attribute-tables',
    await tokensOf(catp.url, 'admin', 'admin'),
  );
  expect(await tables.json()).toEqual([]);
  expect((await include(catp)).status).toBe(200);
});
