/**
 * Many companies on several instances, one sign-in, one address (contract section 2;
 * `/ajuda/alem-de-uma-maquina`).
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningNginx, nginxPath, startBalancer } from '../support/nginx.ts';
import type { RunningCatp } from '../support/executable.ts';
import { certificateFiles, trusting } from '../support/tls.ts';
import { refusalOf, outputOf } from './outcome.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

if (nginxPath === undefined)
  console.warn(
    'SKIPPED: no nginx on this machine (scripts/test --all brings it); no instances are tried behind it',
  );

const PERSON = '00000000191';
const NORTH = '12345678';
const SOUTH = '87654321';
const HEX = 'a1'.repeat(32);
type Tokens = Record<string, string>;

let sandbox: Sandbox;
let north: RunningCatp;
let south: RunningCatp;
let key: readonly [string, string];

const run = (line: string): string => outputOf(sandbox.run(line.split(' ')));
const place = (...names: string[]): string => join(sandbox.folder, ...names);

beforeAll(async () => {
  sandbox = await openSandbox();
  writeFileSync(place('tokens.key'), `${HEX}\n`);
  for (const [data, company] of [
    ['norte', NORTH],
    ['sul', SOUTH],
  ] as const) {
    const perfil = '--perfil especificacao';
    run(`init --data ${data} ${perfil} --token-key tokens.key --empresa ${company} --nome ${data}`);
    run(`user add ${PERSON} --nome Maria --data ${data}`);
    run(`representation add ${PERSON} ${company} --data ${data}`);
  }
  key = keyIn(run(`key add ${PERSON} --data norte`));
  north = await sandbox.start('serve', '--port', '0', '--data', 'norte', '--retry', 'none');
  south = await sandbox.start('serve', '--port', '0', '--data', 'sul', '--retry', 'none');
});
afterAll(() => sandbox.close());

const keyIn = (text: string): readonly [string, string] => {
  const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(text) ?? [];
  return [id, secret];
};

const signIn = async (url: string, [id, secret] = key): Promise<Tokens> => {
  const tokens = await tokensOf(url, id, secret);
  if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
  return tokens;
};

const renewTokens = (tokens: Tokens, answer: Response): Tokens => ({
  ...tokens,
  'x-csrf-token': answer.headers.get('x-csrf-token') ?? '',
});

const session = (url: string, headers: Tokens): Promise<Response> =>
  trusting(`${url}/appliance/api/session`, { headers });

describe('a session of one instance', () => {
  test('is valid on another that shares the key of tokens, with the rights of the user on that instance, also after renewal', async () => {
    const tokens = await signIn(north.url);
    const southSession = await session(south.url, tokens);
    expect(await southSession.json()).toMatchObject({
      documento: PERSON,
      companies: [{ cpfCnpjRaiz: SOUTH }],
    });
    const back = await session(north.url, renewTokens(tokens, southSession));
    expect(await back.json()).toMatchObject({ companies: [{ cpfCnpjRaiz: NORTH }] });
    // Only one instance stores the key.
    expect(await tokensOf(south.url, ...key)).toBe(422);
  });

  test('is invalid without that key, in another environment, or for an unknown user', async () => {
    const tokens = await signIn(north.url);
    const statusOn = async (data: string, ...flags: readonly string[]): Promise<number> => {
      const catp = await sandbox.start('serve', '--port', '0', '--data', data, ...flags);
      const { status } = await session(catp.url, tokens);
      expect(await catp.stop()).toBe(0);
      return status;
    };
    sandbox.init('alheia');
    run(`user add ${PERSON} --nome Maria --data alheia`);
    expect(await statusOn('alheia')).toBe(401);
    run('init --data vazia --token-key tokens.key');
    expect(await statusOn('vazia')).toBe(401);
    run(`user add ${PERSON} --nome Maria --data vazia`);
    expect(await statusOn('vazia', '--ambiente', 'producao')).toBe(401);
    expect(await statusOn('vazia')).toBe(200);
  });

  test('ends at once when its key is revoked, and on other instances when the user is removed', async () => {
    const second = keyIn(run(`key add ${PERSON} --data norte`));
    const tokens = await signIn(north.url, second);
    run(`key revoke ${second[0]} --data norte`);
    expect((await session(north.url, tokens)).status).toBe(401);
    expect((await session(south.url, tokens)).status).toBe(200);
    run(`user remove ${PERSON} --data sul`);
    expect((await session(south.url, tokens)).status).toBe(401);
    run(`user add ${PERSON} --nome Maria --data sul`);
    run(`representation add ${PERSON} ${SOUTH} --data sul`);
  });
});

test('an administrator of one instance has no administrator rights on another', async () => {
  const [admin, data] = ['11144477735', 'norte'];
  for (const folder of [data, 'sul']) run(`user add ${admin} --nome Ana --administrador --data ${folder}`);
  const tokens = await signIn(north.url, keyIn(run(`key add ${admin} --data ${data}`)));
  const users = (url: string) => trusting(`${url}/appliance/api/users`, { headers: tokens });
  expect([(await users(north.url)).status, (await users(south.url)).status]).toEqual([200, 401]);
});

describe('catp init --token-key', () => {
  test('takes only the key of tokens from another instance, and never prints it', () => {
    run('init --data terceira --token-key norte/catp.key');
    const keys = (data: string): Buffer =>
      Buffer.from(readFileSync(place(data, 'catp.key'), 'utf8').trim(), 'base64url');
    expect(keys('terceira').subarray(0, 32)).toEqual(keys('norte').subarray(0, 32));
    expect(keys('terceira').subarray(32)).not.toEqual(keys('norte').subarray(32));
    const message = refusalOf(sandbox, ['init', '--data', 'quarta', '--token-key', HEX], 2);
    expect(message).toContain('parece a própria chave');
    expect(message).not.toContain(HEX);
    writeFileSync(place('curta.key'), 'a1a1\n');
    expect(refusalOf(sandbox, ['init', '--data', 'quarta', '--token-key', 'curta.key'], 2)).toContain(
      'não tem uma chave de tokens',
    );
    expect(refusalOf(sandbox, ['init', '--data', 'quarta', '--token-key', 'falta'], 2)).toContain(
      'não existe',
    );
    expect(refusalOf(sandbox, ['init', '--data', 'norte', '--token-key', 'tokens.key'])).toContain(
      'já tem uma instância',
    );
  });

  test('with --new-keys gives an existing instance the common key; sealed values are kept', () => {
    sandbox.init('antiga');
    const before = readFileSync(place('antiga', 'catp.key'), 'utf8');
    run('init --new-keys --token-key tokens.key --data antiga');
    const after = readFileSync(place('antiga', 'catp.key'), 'utf8');
    const bytes = (text: string): Buffer => Buffer.from(text.trim(), 'base64url');
    expect(bytes(after).subarray(0, 32).toString('hex')).toBe(HEX);
    expect(bytes(after).subarray(32)).toEqual(bytes(before).subarray(32));
  });
});

test('catp company list --nginx prints the instance of each company; a name is a comment', () => {
  run('init --data mapa --set porta=8081');
  outputOf(sandbox.run(['company', 'add', NORTH, '--nome', 'A; } # x', '--data', 'mapa']));
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => /^[^#]/.test(line));
  expect(lines(run('company list --nginx --data mapa'))).toEqual([`${NORTH} 127.0.0.1:8081; # A; } # x`]);
  expect(lines(run('company list --nginx 10.0.0.5:80 --data mapa'))[0]).toStartWith(`${NORTH} 10.0.0.5:80;`);
  expect(refusalOf(sandbox, ['company', 'list', '--data', 'mapa', '--nginx', 'a;b'], 2)).toContain('--nginx');
  expect(refusalOf(sandbox, ['company', 'list', '--data', 'mapa', '--set', 'porta=0', '--nginx'])).toContain(
    'Indique o destino',
  );
  expect(sandbox.run(['company', 'list', '--json', '--nginx', '--data', 'mapa']).code).toBe(2);
});

describe.skipIf(nginxPath === undefined)('behind one nginx', () => {
  let nginx: RunningNginx;
  let tokens: Tokens;
  beforeAll(async () => {
    const [maps, folder] = [place('mapas'), place('nginx')];
    for (const path of [maps, folder]) mkdirSync(path);
    for (const [data, { url }] of [
      ['norte', north],
      ['sul', south],
    ] as const)
      writeFileSync(
        join(maps, `${data}.map`),
        run(`company list --data ${data} --nginx ${new URL(url).host}`),
      );
    const { cert, key: privateKey } = await certificateFiles();
    nginx = await startBalancer({
      folder,
      cert,
      key: privateKey,
      maps,
      port: Number(new URL(north.url).port),
    });
    tokens = await signIn(nginx.url);
  });
  afterAll(() => nginx?.stop());

  /** Sends a request in the one session, which any instance may renew. */
  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await trusting(`${nginx.url}${path}`, {
      method,
      headers: { ...tokens, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    tokens = renewTokens(tokens, answer);
    return answer;
  }
  const okOf = async (...request: Parameters<typeof call>): Promise<never> => {
    const answer = await call(...request);
    const text = await answer.text();
    expect([...request, answer.status, text]).toEqual([...request, 200, text]);
    return JSON.parse(text) as never;
  };

  const product = (denominacao: string) => ({ denominacao, modalidade: 'IMPORTACAO', ncm: '39269090' });
  const item = (cpfCnpjRaiz: string, seq: number) => ({ ...product('Lote'), cpfCnpjRaiz, seq });

  test.each([
    [NORTH, 'norte'],
    [SOUTH, 'sul'],
  ])(
    'the catalogue of %s is on its own instance: include, change, look up, list, batch, export',
    async (raiz, data) => {
      const PRODUCTS = '/catp/api/ext/produto';
      const { codigo }: { codigo: number } = await okOf('POST', `${PRODUCTS}/${raiz}`, product('Um'));
      await okOf('PUT', `/${PRODUCTS}/${raiz}/${codigo}`, product('Dois'));
      expect(await okOf('GET', `${PRODUCTS}/${raiz}/${codigo}/1`)).toMatchObject({ denominacao: 'Um' });
      expect(await okOf('POST', PRODUCTS, [item(raiz, 1), item(raiz, 2)])).toMatchObject([
        { seq: 1, sucesso: true },
        { seq: 2, sucesso: true },
      ]);
      const products: { cpfCnpjRaiz: string }[] = await okOf('GET', `${PRODUCTS}?cpfCnpjRaiz=${raiz}`);
      expect(products.map(({ cpfCnpjRaiz }) => cpfCnpjRaiz)).toEqual([raiz, raiz, raiz]);
      await okOf('PUT', `${PRODUCTS}/desativar/${raiz}/${codigo}`);
      const zip = await call('GET', `${PRODUCTS}/exportar/${raiz}/true`);
      expect(zip.headers.get('content-disposition')).toContain(`CATALOGO_PRODUTOS_${raiz}_`);
      const operator = { nome: 'Fornecedor', logradouro: 'Rua 1', nomeCidade: 'Berlin' };
      const created: { codigo: string } = await okOf(
        ...(['POST', `/catp/api/ext/operador-estrangeiro/${raiz}/DE`, operator] as const),
      );
      expect(created.codigo).toBe('OPE_1');
      const link = {
        codigoProduto: 2,
        conhecido: true,
        codigoPais: 'DE',
        codigoOperadorEstrangeiro: 'OPE_1',
      };
      expect(await okOf('POST', `/catp/api/ext/fabricante/${raiz}`, link)).toMatchObject({
        cpfCnpjRaiz: raiz,
      });
      // The product is in the folder of its instance.
      outputOf(sandbox.run(['export', 'produto', '--empresa', raiz, '--to', `${data}.zip`, '--data', data]));
    },
  );

  test('a batch goes to the instance of its first company; items of other instances are refused one by one', async () => {
    const results = await okOf('POST', '/catp/api/ext/produto', [item(SOUTH, 1), item(NORTH, 2)]);
    expect(results).toMatchObject([
      { seq: 1, sucesso: true },
      { seq: 2, sucesso: false, erros: [expect.stringContaining('não é representante legal')] },
    ]);
  });

  test('a body of many megabytes with the company at its end is routed correctly', async () => {
    const body = { ...product('Grande'), descricao: 'x'.repeat(3700), outro: 'y'.repeat(2 * 1024 * 1024) };
    const answer = await call('POST', '/catp/api/ext/produto', [{ ...body, seq: 1, cpfCnpjRaiz: SOUTH }]);
    // The instance of the company refuses the unknown member as an error of the item.
    expect(await answer.json()).toMatchObject([
      { seq: 1, sucesso: false, erros: [expect.stringContaining('outro')] },
    ]);
  });

  test('a subscription belongs to its instance, chosen by cpfCnpjRaiz in the address', async () => {
    const HOOKS = '/portal/api/ext/webhook';
    const hook = (name: string) => ({
      evento: 'catp-prod-alterado',
      endpoint: `https://${name}.exemplo/aviso`,
    });
    await okOf('POST', `${HOOKS}?cpfCnpjRaiz=${SOUTH}`, hook('sul'));
    await okOf('POST', HOOKS, hook('norte'));
    const endpoints = async (url: string): Promise<readonly string[]> => {
      const answer = await trusting(`${url}${HOOKS}`, { headers: tokens });
      return ((await answer.json()) as { endpoint: string }[]).map(({ endpoint }) => endpoint);
    };
    expect(await endpoints(north.url)).toEqual(['https://norte.exemplo/aviso']);
    expect(await endpoints(south.url)).toEqual(['https://sul.exemplo/aviso']);
    expect(await okOf('GET', `${HOOKS}?cpfCnpjRaiz=${SOUTH}`)).toMatchObject([hook('sul')]);
  });

  test('an unknown company is refused by the default instance as by any other', async () => {
    const answer = await call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=99999999');
    expect(answer.status).toBe(403);
  });
});
