/**
 * Clients that stock generators create from the document, against the executable; the page `clientes` shows
 * these commands.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import type { RunningCatp } from '../support/executable.ts';
import { fences } from '../support/documents.ts';
import { ROOT } from '../support/sources.ts';
import { outputOf } from './outcome.ts';
import { type Sandbox, openSandbox } from './support.ts';

const EXAMPLES = join(ROOT, 'scripts/examples');
const PARTS = ['typescript/cliente.ts', 'typescript/produtos.ts', 'python/lista_produtos.py'];

/** The folder in which `scripts/test --all` installs the generators. */
const PACKAGES = join(ROOT, '.tools/clients/node_modules');
const GENERATORS = join(ROOT, '.tools/generators/bin');

/** Prints a warning when the program is not installed. */
function reportMissing(program: string, isInstalled: boolean): boolean {
  if (!isInstalled) console.warn(`ATENÇÃO: sem ${program}; o cliente gerado por ele NÃO foi posto à prova.`);
  return isInstalled;
}
const canCompile = reportMissing('openapi-typescript', existsSync(PACKAGES) && Bun.which('node') !== null);
const hasPython = reportMissing('openapi-python-client', existsSync(GENERATORS));
const hasJava = reportMissing(
  'openapi-generator (com Java)',
  existsSync(GENERATORS) && Bun.which('java') !== null,
);

const GO = join(ROOT, '.tools/go');
const hasGo = reportMissing(
  'oapi-codegen (com Go)',
  existsSync(join(GO, 'installed.sum')) && Bun.which('go') !== null,
);

let sandbox: Sandbox;
let catp: RunningCatp;
beforeAll(async () => {
  sandbox = await openSandbox();
  outputOf(sandbox.run(['openapi', '--dev', '--to', 'catp.json']));
  catp = await sandbox.start('dev', '--port', '0', '--data', 'dev', '--clock', '2026-11-22T12:00:00Z');
});
afterAll(() => sandbox.close());

async function run(...words: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: sandbox.folder,
    CATALOGO_URL: catp.url,
    GOMODCACHE: join(GO, 'mod'),
    GOCACHE: join(GO, 'cache'),
    GOPROXY: 'off',
  };
  const { code, out, err } = await toEnd(words, { cwd: sandbox.folder, env });
  expect([words[0], code, code === 0 ? '' : out + err]).toEqual([words[0], 0, '']);
  return out + err;
}

test('the page shows the commands unchanged', async () => {
  const printedExamples = (await fences()).map(({ code }) => code.trim());
  for (const name of PARTS)
    expect(printedExamples).toContain(readFileSync(join(EXAMPLES, name), 'utf8').trim());
});

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'esnext',
    module: 'preserve',
    moduleResolution: 'bundler',
    skipLibCheck: true,
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['node'],
  },
  files: ['produtos.ts'],
};

test.if(canCompile)(
  'TypeScript: signs in, includes, is refused, lists, sends a batch, subscribes',
  async () => {
    cpSync(join(EXAMPLES, 'typescript'), sandbox.folder, { recursive: true });
    symlinkSync(PACKAGES, join(sandbox.folder, 'node_modules'));
    writeFileSync(join(sandbox.folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await run('node', join(PACKAGES, '.bin/openapi-typescript'), 'catp.json', '-o', 'catp.d.ts');
    await run('node', join(PACKAGES, '.bin/tsc'), '-p', '.');
    expect(await run(process.execPath, 'run', 'produtos.ts')).toBe(
      [
        'incluído: código 9, versão 1',
        'recusado: 400 PUCX-ER0010:',
        '/ncm ncm: recebido "3926"; aceita 8 dígitos.',
        'lista: 9',
        'assinatura: 1 de catp-prod-alterado',
        '',
      ].join('\n'),
    );
  },
);

test.if(canCompile)(
  'TypeScript: concurrent requests share one session; after its end the next request starts another',
  async () => {
    const client = join(sandbox.folder, 'many.ts');
    writeFileSync(
      client,
      `import { clienteDoCatalogo } from './cliente';
       let signedIn = 0;
       const originalFetch = globalThis.fetch;
       globalThis.fetch = ((request: Request) => {
         if (request.url.includes('autenticar')) signedIn += 1;
         return originalFetch(request);
       }) as typeof fetch;
       const catalogo = clienteDoCatalogo(process.env['CATALOGO_URL'] ?? '', { clientId: 'demo', clientSecret: 'demo' });
       const list = async () =>
         (await catalogo.GET('/catp/api/ext/produto', { params: { query: { cpfCnpjRaiz: '12345678' } } })).response.status;
       const first = await Promise.all([list(), list(), list()]);
       const admin = clienteDoCatalogo(process.env['CATALOGO_URL'] ?? '', { clientId: 'admin', clientSecret: 'admin' });
       const moved = await admin.POST('/appliance/api/clock', { body: { advance: 'PT61M' } });
       console.log(JSON.stringify([first, moved.response.status, await list(), await list(), signedIn]));`,
    );
    // Three sign-ins: demo, admin, and demo again.
    expect(JSON.parse(await run(process.execPath, 'run', client))).toEqual([
      [200, 200, 200],
      200,
      401,
      200,
      3,
    ]);
  },
);

test.if(hasPython)('Python: the generated client includes a product and lists', async () => {
  await run(
    join(GENERATORS, 'openapi-python-client'),
    ...['generate', '--path', 'catp.json', '--meta', 'none', '--output-path', 'cliente_catp'],
  );
  cpSync(join(EXAMPLES, 'python/lista_produtos.py'), join(sandbox.folder, 'lista_produtos.py'));
  const [included, ...items] = (await run(join(GENERATORS, 'python'), 'lista_produtos.py'))
    .trim()
    .split('\n');
  expect(included).toMatch(/^incluído: código \d+, versão 1$/);
  expect(items.at(-1)).toMatch(/^\d+\/1 ATIVADO Tampa$/);
});

test.if(hasJava)('openapi-generator reports no warning about the document', async () => {
  expect(await run(join(GENERATORS, 'openapi-generator-cli'), 'validate', '-i', 'catp.json')).toContain(
    'No validation issues detected.',
  );
});

test.if(hasGo)('Go: the client of the whole document compiles', async () => {
  for (const name of ['go.mod', 'go.sum'])
    cpSync(join(ROOT, 'test/clients', name), join(sandbox.folder, name));
  const generatorFlags = ['-generate', 'types,client', '-package', 'catp', '-o', 'catp.go', 'catp.json'];
  expect(await run(join(GO, 'bin/oapi-codegen'), ...generatorFlags)).toBe('');
  expect(readFileSync(join(sandbox.folder, 'catp.go'), 'utf8')).toContain('func (c *Client) IncludeProduct(');
  await run('go', 'build', '.');
});
