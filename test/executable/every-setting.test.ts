/**
 * Each setting of the executable has its documented effect. One server receives most of them in its
 * catp.toml.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { environmentName } from '../../src/settings/config.ts';
import type { Receiver } from '../../src/receiver/receiver.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { eventually } from '../support/eventually.ts';
import type { RunningCatp } from '../support/executable.ts';
import { openReceiver } from '../support/receiver.ts';
import { ROOT } from '../support/sources.ts';
import { certificateFiles, trusting } from '../support/tls.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto';
const OPERATORS = '/catp/api/ext/operador-estrangeiro';
const LINKS = '/catp/api/ext/fabricante';
const HOOKS = '/portal/api/ext/webhook';
const COMPANY = '12345678';
const PERSON = '00000000191';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '39269090' };
const OPERATOR = { nome: 'Acme', logradouro: 'Rua 1', nomeCidade: 'Bonn' };
const CALLS_AN_HOUR = 25;
const BODY_MAX = 2048;
/** Size limit that the attribute table of the demo does not exceed. */
const FILE_MAX = 32_768;

type Tokens = Record<string, string>;

/** Creates a key by the command line. */
function keyOf(alone: Sandbox): readonly [id: string, secret: string] {
  const { stdout } = alone.run(['key', 'add', PERSON, '--data', 'dados']);
  const [, id = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(stdout) ?? [];
  return [id, secret];
}

describe('a server with the profile portal and the opposite of each of its presets', () => {
  let sandbox: Sandbox;
  let catp: RunningCatp;
  let receiver: Receiver;
  let tokens: Tokens;
  let key: readonly [string, string];

  beforeAll(async () => {
    sandbox = await openSandbox();
    receiver = await openReceiver({ script: '500,200' });
    const { cert, key: keyFile, ca } = await certificateFiles();
    mkdirSync(join(sandbox.folder, 'dados'));
    writeFileSync(join(sandbox.folder, 'receptor.pem'), receiver.ca);
    const file = `
      ambiente = "producao"
      perfil = "portal"
      host = "localhost"
      porta = 0
      limiteHorario = ${CALLS_AN_HOUR}
      operacoesDescontinuadas = false
      [tls]
      porta = 0
      certificado = "${cert}"
      chave = "${keyFile}"
      clientes = "${ca}"
      [limite]
      denominacao = 8
      nome = 4
      [cnpj]
      alfanumerico = false
      digitos = false
      [produto]
      modalidadeAmbos = true
      recusarIdentico = false
      [autenticacao]
      intervalo = "0s"
      [senha]
      permitida = false
      [assinatura]
      recusarDesconhecido = false
      [corpo]
      maximo = ${BODY_MAX}
      [importacao]
      maximo = ${FILE_MAX}
      [cors]
      origens = "https://erp.exemplo"
      [atributos]
      arquivo = "${join(ROOT, 'src/demo/attribute-table-1.json')}"
      [entrega]
      repeticoes = "100ms"
      mapa = "erp.exemplo:443=127.0.0.1:${receiver.port}"
      ca = "../receptor.pem"
      redes = "nenhuma"
      standardWebhooks = true
      [log]
      nivel = "error"
    `;
    writeFileSync(join(sandbox.folder, 'dados', 'catp.toml'), file);
    catp = await sandbox.start('serve', '--data', 'dados');
    for (const words of [
      ['company', 'add', COMPANY, '--nome', 'Exemplo', '--cnpj', '12345678000195'],
      ['user', 'add', PERSON, '--nome', 'Maria'],
      ['representation', 'add', PERSON, COMPANY],
    ])
      expect(sandbox.run([...words, '--data', 'dados'])).toMatchObject({ code: 0 });
    key = keyOf(sandbox);
    tokens = (await tokensOf(catp.url, ...key)) as Tokens;
  });
  afterAll(async () => {
    await receiver.close();
    await sandbox.close();
  });

  async function call(method: string, path: string, body?: unknown, headers: Tokens = {}) {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const response = await trusting(`${catp.url}${path}`, {
      method,
      headers: { ...tokens, ...headers },
      ...(text !== undefined && { body: text }),
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, text: answer };
  }

  const include = (changes: object) => call('POST', `${PRODUCTS}/${COMPANY}`, { ...PRODUCT, ...changes });

  test('ambiente, perfil, atributos.arquivo', async () => {
    expect(JSON.parse((await call('GET', '/readyz')).text)).toMatchObject({
      ambiente: 'producao',
      perfil: 'portal',
      attributeTable: { versao: '1' },
    });
  });

  test('host, porta', () => {
    const { hostname, port } = new URL(catp.url);
    expect([hostname, port === '8080']).toEqual(['localhost', false]);
  });

  test('tls.porta, tls.certificado, tls.chave, tls.clientes', async () => {
    const [, port = ''] = /TLS em https:\/\/localhost:(\d+)/.exec(catp.stdout) ?? [];
    expect((await trusting(`https://localhost:${port}/healthz`)).status).toBe(200);
  });

  test('limite.denominacao, produto.modalidadeAmbos, produto.recusarIdentico', async () => {
    expect((await include({ denominacao: 'x'.repeat(9) })).status).toBe(400);
    for (const _again of [1, 2]) expect(await include({})).toMatchObject({ status: 200 });
  });

  test('limite.nome', async () => {
    const path = `${OPERATORS}/${COMPANY}/DE`;
    expect((await call('POST', path, { ...OPERATOR, nome: 'Acmes' })).status).toBe(400);
    expect(await call('POST', path, OPERATOR)).toMatchObject({ status: 200 });
  });

  test('cnpj.alfanumerico, cnpj.digitos', async () => {
    expect((await call('GET', `${PRODUCTS}?cpfCnpjRaiz=12ABC345`)).status).toBe(400);
    const codigoProduto = (JSON.parse((await include({ denominacao: 'Porca' })).text) as { codigo: number })
      .codigo;
    const link = { codigoProduto, conhecido: true, codigoPais: 'BR', cpfCnpjFabricante: '12345678901' };
    expect(await call('POST', `${LINKS}/${COMPANY}`, link)).toMatchObject({ status: 200 });
  });

  test('autenticacao.intervalo', async () => {
    expect(await tokensOf(catp.url, ...key)).toBeObject();
  });

  test('senha.permitida', async () => {
    const invitation = '/appliance/api/invitations/segredo';
    expect(await call('POST', invitation, { senha: 'quatro cavalos' })).toMatchObject({ status: 422 });
    expect((await call('POST', invitation, { senha: 'quatro cavalos' })).text).toContain('CATP-ER1214');
  });

  test('operacoesDescontinuadas', async () => {
    expect((await call('POST', PRODUCTS, [])).status).toBe(404);
  });

  test('corpo.maximo, importacao.maximo', async () => {
    const product = JSON.stringify({ ...PRODUCT, descricao: '' });
    const padded = (bytes: number): string => product + ' '.repeat(bytes - product.length);
    expect((await call('POST', `${PRODUCTS}/${COMPANY}`, padded(BODY_MAX))).status).toBe(200);
    expect((await call('POST', `${PRODUCTS}/${COMPANY}`, padded(BODY_MAX + 1))).status).toBe(413);
    const upload = async (bytes: number): Promise<number> => {
      const form = new FormData();
      form.set('tipo', 'produto');
      form.set('file', new Blob([`[]${' '.repeat(bytes - 2)}`]), 'produtos.json');
      const request = { method: 'POST', headers: tokens, body: form };
      return (await trusting(`${catp.url}/appliance/api/imports`, request)).status;
    };
    expect([await upload(FILE_MAX), await upload(FILE_MAX + 1)]).toEqual([202, 413]);
  });

  test('cors.origens', async () => {
    const allowed = async (origin: string): Promise<string | null> =>
      (await call('GET', HOOKS, undefined, { origin })).headers.get('access-control-allow-origin');
    expect(await allowed('https://erp.exemplo')).toBe('https://erp.exemplo');
    expect(await allowed('https://outro.exemplo')).toBeNull();
  });

  test('assinatura.recusarDesconhecido, and all settings of entrega', async () => {
    const subscribe = (evento: string, host: string) =>
      call('POST', HOOKS, { evento, endpoint: `https://${host}/notificacoes` });
    expect(await subscribe('teste-um', 'erp.exemplo')).toMatchObject({ status: 200 });
    expect(await subscribe('teste-dois', '10.0.0.1')).toMatchObject({ status: 200 });
    for (const evento of ['teste-um', 'teste-dois'])
      expect(
        sandbox.run([
          'event',
          'publish',
          evento,
          '--para',
          `CPF:${PERSON}`,
          '--conteudo',
          '{"a":1}',
          '--data',
          'dados',
        ]),
      ).toMatchObject({ code: 0 });
    // The receiver refuses with 500 and accepts the retry.
    const [first, second] = [await receiver.next(), await receiver.next()];
    expect([first.body, second.body]).toEqual(['{"a":1}', '{"a":1}']);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(first.headers['webhook-id']).toBeString();
    const failures = async (): Promise<string> => (await call('GET', `${HOOKS}/falhas`)).text;
    await eventually(failures).toContain('10.0.0.1');
  });

  test('limiteHorario', async () => {
    const path = '/cadatributos/api/ext/atributo-ncm/historico-versoes';
    const statuses: number[] = [];
    for (let calls = 0; calls <= CALLS_AN_HOUR; calls += 1) statuses.push((await call('GET', path)).status);
    expect([statuses.filter((status) => status < 300).length, statuses.at(-1)]).toEqual([CALLS_AN_HOUR, 422]);
  });

  test('log.nivel', () => {
    expect(catp.stderr).toBe('');
  });
});

test('servidor.listas, servidor.listasEspera, servidor.listasParada: one list at a time, and a stalled one is ended', async () => {
  const sandbox = await openSandbox();
  const catp = await sandbox.start(
    ...['dev', '--port', '0', '--empty', '--data', 'dados', '--set', 'servidor.listas=1'],
    ...['--set', 'servidor.listasEspera=100ms', '--set', 'servidor.listasParada=1s'],
  );
  // The list is larger than the buffers of the sockets between server and reader.
  const items = Array.from({ length: 6000 }, (_, index) => ({
    seq: index + 1,
    cpfCnpjRaiz: COMPANY,
    denominacao: 'x'.repeat(3700),
    descricao: 'y'.repeat(3700),
    modalidade: 'IMPORTACAO',
    ncm: '39269090',
  }));
  writeFileSync(join(sandbox.folder, 'muitos.json'), JSON.stringify(items));
  expect(sandbox.run(['import', 'produto', 'muitos.json', '--data', 'dados']).code).toBe(0);
  const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Tokens;
  const path = `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}`;
  const lines = Object.entries({ host: 'x', ...tokens }).map(([name, value]) => `${name}: ${value}\r\n`);
  const reader = connect({ port: Number(new URL(catp.url).port), host: '127.0.0.1' });
  const firstBytes = new Promise((resolve) => reader.once('data', resolve));
  const closed = new Promise((resolve) => reader.once('close', resolve));
  reader.on('error', () => reader.destroy());
  reader.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await firstBytes;
  reader.pause();
  const list = (): Promise<Response> => trusting(catp.url + path, { headers: tokens });
  const busy = await list();
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  // A list is accepted again once the server has cut off the stalled reader.
  const next = async (): Promise<readonly [number, number]> => {
    const answer = await list();
    return [answer.status, ((await answer.json()) as unknown[]).length];
  };
  await eventually(next).toEqual([200, items.length]);
  reader.resume();
  await closed;
  await sandbox.close();
});

test('corpo.desconhecidos: an unknown member is ignored and logged', async () => {
  const sandbox = await openSandbox();
  const catp = await sandbox.start(
    'dev',
    '--port',
    '0',
    '--empty',
    '--set',
    'corpo.desconhecidos=anotar',
    '--set',
    'log.arquivo=catp.log',
  );
  const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Tokens;
  const answer = await trusting(`${catp.url}${PRODUCTS}/${COMPANY}`, {
    method: 'POST',
    headers: tokens,
    body: JSON.stringify({ ...PRODUCT, estoque: 7 }),
  });
  expect(answer.status).toBe(200);
  expect(await catp.stop()).toBe(0);
  expect(readFileSync(join(sandbox.folder, 'catp.log'), 'utf8')).toContain('/estoque');
  await sandbox.close();
});

test('importacao.dias, importacao.falhas and importacao.esperando limit the age, the refused items and the bytes of imports', async () => {
  const sandbox = await openSandbox();
  const catp = await sandbox.start(
    ...['dev', '--port', '0', '--empty', '--clock', '2026-01-15T12:00:00Z', '--set', 'importacao.dias=5'],
    ...['--set', 'importacao.falhas=1', '--set', 'importacao.esperando=1024'],
  );
  const as = async (key: string): Promise<Tokens> => (await tokensOf(catp.url, key, key)) as Tokens;
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new Blob(['[1, 2, 3]']), 'produtos.json');
  const path = `${catp.url}/appliance/api/imports`;
  const response = await trusting(path, { method: 'POST', headers: await as('demo'), body: form });
  const { id } = (await response.json()) as { id: number };
  const progress = async () => {
    const answer = await trusting(`${path}/${id}`, { headers: await as('demo') });
    return {
      status: answer.status,
      ...((await answer.json()) as { state?: string; failedNotKept?: number }),
    };
  };
  await eventually(progress).toMatchObject({ state: 'done', failed: 3, failedNotKept: 2 });
  form.set('file', new Blob([`[${' '.repeat(1024)}]`]), 'produtos.json');
  const refusal = await trusting(path, { method: 'POST', headers: await as('demo'), body: form });
  expect([refusal.status, await refusal.text()]).toEqual([422, expect.stringContaining('1 KiB')]);
  const after = async (advance: string): Promise<number> => {
    const clockAnswer = await trusting(`${catp.url}/appliance/api/clock`, {
      method: 'POST',
      headers: await as('admin'),
      body: JSON.stringify({ advance }),
    });
    expect(clockAnswer.status).toBe(200);
    return (await trusting(`${path}/${id}`, { headers: await as('demo') })).status;
  };
  expect([await after('P4D'), await after('P2D')]).toEqual([200, 404]);
  await sandbox.close();
});

test('prazos.avisos: a company is warned n days before a future table requires more; the clock moves to that day at once', async () => {
  const sandbox = await openSandbox();
  const clock = '2026-01-15T12:00:00Z';
  const catp = await sandbox.start('dev', '--port', '0', '--clock', clock, '--set', 'prazos.avisos=5');
  const asAdmin = async (method: string, path: string, body?: string) => {
    const headers = (await tokensOf(catp.url, 'admin', 'admin')) as Tokens;
    const answer = await trusting(`${catp.url}/appliance/api/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { id: number } & { conteudo: object }[];
  };
  const file = readFileSync(join(ROOT, 'src/demo/attribute-table-2.json'), 'utf8');
  const { id } = await asAdmin('POST', 'attribute-tables', file);
  await asAdmin('POST', `attribute-tables/${id}/activate`, '{"on": "2026-02-01"}');
  const warningsAt = async (set: string) => {
    await asAdmin('POST', 'clock', JSON.stringify({ set }));
    return (await asAdmin('GET', 'events?evento=catp-prazo')).map(({ conteudo }) => conteudo);
  };
  expect(await warningsAt('2026-01-27T08:59:00Z')).toEqual([]);
  const warnings = await warningsAt('2026-01-27T09:01:00Z');
  expect(warnings.length).toBeGreaterThan(0);
  for (const warning of warnings) expect(warning).toMatchObject({ data: '2026-02-01', tipo: 'CERTO' });
  await sandbox.close();
});

test('entrega.simultaneas and entrega.porReceptor are read like every other setting: an invalid value is reported by name', async () => {
  const sandbox = await openSandbox();
  const valid = await sandbox.start(
    ...['dev', '--port', '0', '--empty', '--set', 'entrega.simultaneas=1', '--set', 'entrega.porReceptor=1'],
  );
  expect(await valid.stop()).toBe(0);
  const environment = Object.fromEntries(
    Object.entries(SETTINGS)
      .filter(([, { parse }]) => refuses(parse))
      .map(([name]) => [environmentName(name), INVALID]),
  );
  const { code, stderr } = sandbox.run(['serve', '--port', '0'], environment);
  expect(code).toBe(2);
  const names = Object.keys(SETTINGS).filter(
    (name) => !['host', 'porta'].includes(name) && environmentName(name) in environment,
  );
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !stderr.includes(`${name}: recebido '${INVALID}'`))).toEqual([]);
  await sandbox.close();
});

const INVALID = 'não é valor';

function refuses(parse: (text: string) => unknown): boolean {
  try {
    parse(INVALID);
    return false;
  } catch {
    return true;
  }
}
