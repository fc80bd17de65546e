/**
 * Neighbours from files in the executable: the output of `catp stubs`, the answers of `catp dev --stubs`, and
 * the tour.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import operators from '../../src/demo/operators.json' with { type: 'json' };
import products from '../../src/demo/products.json' with { type: 'json' };
import { NEIGHBOURS } from '../../src/demo/neighbours/samples.ts';
import { EVENT_TYPES } from '../../src/notification/event/types.ts';
import { type Sandbox, ask, openSandbox, tokensOf } from './support.ts';
import { Terminal, blockAfter, startProgram } from './terminal.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const inFolder = (path: string): string => join(sandbox.folder, path);

describe('catp stubs', () => {
  test('writes the samples, and nothing on a second run', () => {
    const first = sandbox.run(['stubs', '--to', 'novos/vizinhos']);
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toEndWith('catp dev --stubs novos/vizinhos\n');
    const paths = NEIGHBOURS.map(([path]) => path);
    for (const [path, content] of NEIGHBOURS)
      expect(JSON.parse(readFileSync(inFolder(`novos/vizinhos/${path}`), 'utf8'))).toEqual(content);
    const [kept = '', missing = ''] = paths;
    writeFileSync(inFolder(`novos/vizinhos/${kept}`), 'mine');
    rmSync(inFolder(`novos/vizinhos/${missing}`));
    const second = sandbox.run(['stubs', '--to', 'novos/vizinhos']);
    expect(second.code).toBe(0);
    expect(second.stdout).toContain(`já existia e ficou como estava: ${kept}\ngravado: ${missing}\n`);
    expect(readFileSync(inFolder(`novos/vizinhos/${kept}`), 'utf8')).toBe('mine');
  });

  test('follows no dangling link, and is refused when a file exists', () => {
    const [path = ''] = NEIGHBOURS[3] ?? [];
    mkdirSync(dirname(inFolder(`com-link/${path}`)), { recursive: true });
    symlinkSync(inFolder('nada'), inFolder(`com-link/${path}`));
    expect(sandbox.run(['stubs', '--to', 'com-link']).stdout).toContain(`ficou como estava: ${path}`);
    expect(sandbox.run(['stubs', '--to', 'com-link']).code).toBe(0);
    writeFileSync(inFolder('arquivo'), '');
    const refusal = sandbox.run(['stubs', '--to', 'arquivo']);
    expect([refusal.code, refusal.stdout]).toEqual([1, '']);
    expect(refusal.stderr).toContain('--to: não é possível gravar em arquivo (');
    expect(sandbox.run(['stubs']).code).toBe(2);
  });

  test('names the Duimp of the event, with items that are products of the demo catalogue', () => {
    const sample = EVENT_TYPES.find(({ evento }) => evento === 'dimp-registro-import')?.sample as {
      identificacao: { numero: string; versao: string };
      linkConsulta: { url: string };
    };
    const at = (path: string) => NEIGHBOURS.find(([pattern]) => `/${pattern}` === path)?.[1];
    expect(at(`${sample.linkConsulta.url}.json`)).toMatchObject({ identificacao: sample.identificacao });
    const { numero, versao } = sample.identificacao;
    expect(at(`/duimp-api/api/ext/duimp/${numero}/versoes.json`)).toEqual([
      { versao, situacao: 'REGISTRADA' },
    ]);
    const items = at(`${sample.linkConsulta.url}/itens.json`) as {
      identificacao: object;
      produto: { codigo: number; niResponsavel: string; ncm: string };
      exportador: unknown;
      fabricante: { codigo: string };
    }[];
    expect(items).toHaveLength(2);
    for (const { identificacao, produto, exportador, fabricante } of items) {
      expect(identificacao).toMatchObject(sample.identificacao);
      const product = products.find(({ seq }) => seq === produto.codigo);
      expect([product?.cpfCnpjRaiz, product?.ncm]).toEqual([produto.niResponsavel, produto.ncm]);
      expect(product?.modalidade).not.toBe('EXPORTACAO');
      // Operators are numbered in the order of their file.
      const maker = operators[Number(fabricante.codigo.slice('OPE_'.length)) - 1];
      for (const party of [exportador, fabricante])
        expect(party as object).toEqual({
          codigo: fabricante.codigo,
          versao: '1',
          niOperador: produto.niResponsavel,
          pais: { codigo: maker?.codigoPais ?? '' },
        });
    }
  });
});

/** Requests a path without the normalisation of a client. Returns the status. */
function rawStatus(url: string, path: string, tokens: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(url);
  const headers = Object.entries(tokens).map(([name, value]) => `${name}: ${value}\r\n`);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname, () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n${headers.join('')}\r\n`),
  );
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString()));
  socket.on('error', reject);
  socket.on('close', () => resolve(text.split(' ')[1] ?? ''));
  return promise;
}

describe('catp dev --stubs', () => {
  test('answers from files after a check of the tokens, under faults, and never from outside its folder', async () => {
    mkdirSync(inFolder('vizinhos/modulo/_'), { recursive: true });
    mkdirSync(inFolder('vizinhos/public/tabx'), { recursive: true });
    mkdirSync(inFolder('vizinhos/catp/api'), { recursive: true });
    writeFileSync(inFolder('fora.json'), '"out"');
    writeFileSync(inFolder('vizinhos/modulo/x.json'), '"in"');
    writeFileSync(inFolder('vizinhos/modulo/_/_.json'), '"any"');
    writeFileSync(inFolder('vizinhos/public/tabx/y.json'), '"open"');
    symlinkSync(inFolder('fora.json'), inFolder('vizinhos/modulo/link.json'));
    const dev = await sandbox.start('dev', '--port', '0', '--empty', '--stubs', 'vizinhos');
    const tokens = await tokensOf(dev.url, 'demo', 'demo');
    if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
    const answer = await ask(dev.url, '/modulo/x', tokens);
    expect([answer.status, await answer.text()]).toEqual([200, '"in"']);
    expect(answer.headers.get('x-csrf-token')).toBeString();
    expect((await ask(dev.url, '/modulo/x', {})).status).toBe(401);
    expect(await (await ask(dev.url, '/tabx/y', {})).text()).toBe('"open"');
    expect(await rawStatus(dev.url, '/modulo/a/b', tokens)).toBe('200');
    for (const away of [
      '/modulo/../../fora',
      '/../fora',
      '/modulo/%2e%2e/x',
      '/modulo/a/%2E%2e',
      '/modulo/a/..%2f',
      '/modulo/a/..%5cx',
      '/modulo/link',
    ])
      expect([away, await rawStatus(dev.url, away, tokens)]).toEqual([away, '404']);
    const faultHeaders = { ...tokens, 'x-simular-falha': 'truncate=2' };
    expect(
      await ask(dev.url, '/modulo/x', faultHeaders)
        .then((answer) => answer.text())
        .catch(() => 'cut'),
    ).toBe('cut');
    expect((await ask(dev.url, '/modulo/x', { ...tokens, 'x-simular-falha': 'status=500' })).status).toBe(
      500,
    );
    expect(await dev.stop()).toBe(0);
    const screen = await dev.allStderr();
    expect(screen).toContain('Outros módulos respondem pelos arquivos de vizinhos.');
    expect(screen).toContain('Em vizinhos, catp não responde: são caminhos do próprio catp.');
    expect(screen).toContain('GET /modulo/x → 200');
  });

  test('is refused when the folder does not exist', () => {
    writeFileSync(inFolder('um-arquivo'), '');
    for (const [folder = '', reason = ''] of [
      ['nenhuma', 'não existe, ENOENT'],
      ['um-arquivo', 'ENOTDIR'],
    ]) {
      const { code, stderr } = sandbox.run(['dev', '--port', '0', '--stubs', folder]);
      expect([folder, code]).toEqual([folder, 2]);
      expect(stderr).toContain(`--stubs: a pasta ${folder} não pode ser lida (`);
      expect(stderr).toContain(reason);
    }
  });
});

test('the page leads from the event to the Duimp and its products', async () => {
  mkdirSync(inFolder('passeio/dist'), { recursive: true });
  symlinkSync(sandbox.executable, inFolder('passeio/dist/catp'));
  const terminal = new Terminal(inFolder('passeio'));
  try {
    await terminal.paste(await blockAfter('neighbours-write'));
    const line = `${(await blockAfter('neighbours-start')).trim()} --port 0`;
    const dev = await startProgram(
      line,
      inFolder('passeio'),
      /^catp: pronto em (http:\/\/127\.0\.0\.1:\d+)$/m,
    );
    const tour = (await blockAfter('neighbours')).replace('http://127.0.0.1:8080', dev.ready);
    const { output } = await terminal.paste(tour);
    for (const sign of [
      '"evento":"dimp-registro-import"',
      '"situacao": "REGISTRADA"',
      '"situacaoDuimp": "REGISTRADA"',
      '"numeroItem": 2',
      'Café em cápsulas de plástico, caixa com 10',
      'Vinho tinto da Demonstração, 750 mL',
    ])
      expect(output).toContain(sign);
    const faults = await terminal.paste(await blockAfter('neighbours-faults'));
    expect(faults.output).toContain('503\n503\n200\n');
    expect(await dev.interrupt()).toBe(0);
  } finally {
    await terminal.close();
  }
});
