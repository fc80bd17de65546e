/**
 * Clients that openapi-generator creates from the document in four more languages call the executable and read its
 * answers strictly (contract section 12). Kotlin and Rust are compiled; Ruby and PHP load every class.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { toEnd } from '../../scripts/proof/to-end.ts';
import type { RunningCatp } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';
import { outputOf } from './outcome.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

/** Timeout of a compiler on a busy machine. */
setDefaultTimeout(600_000);

const TOOLS = join(ROOT, '.tools');
const PROGRAMS = join(ROOT, 'test/clients');
const GENERATOR = join(TOOLS, 'generators/bin/openapi-generator-cli');
const hasGenerator = existsSync(GENERATOR) && Bun.which('java') !== null;

interface Language {
  readonly options: readonly string[];
  readonly isInstalled: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Compiles the generated client with the program that calls it. Without it the program only loads the
   * client.
   */
  readonly build?: (client: string) => Promise<unknown>;
  readonly command: (client: string) => readonly string[];
}

const KOTLIN = join(TOOLS, 'kotlin');
const PHP = join(TOOLS, 'php');
const RUBY = join(TOOLS, 'ruby');
/** Programs of the system, or those that `scripts/test --all` unpacked. */
const SYSTEM_PHP = Bun.which('php');
const SYSTEM_RUBY = Bun.which('ruby');
const DEBIAN_LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const RUBY_FOLDERS = ['usr/lib/ruby/vendor_ruby', 'usr/lib/ruby/3.1.0', `${DEBIAN_LIBRARIES}/ruby/3.1.0`];
const UNPACKED_RUBY = {
  LD_LIBRARY_PATH: join(RUBY, DEBIAN_LIBRARIES),
  RUBYLIB: RUBY_FOLDERS.map((folder) => join(RUBY, folder)).join(':'),
  GEM_PATH: join(RUBY, 'usr/share/rubygems-integration/all'),
};
/** Returns the class path. The Kotlin compiler does not expand `*` in it. */
const jars = (): string => {
  const names = readdirSync(KOTLIN).filter((name) => name.endsWith('.jar'));
  return names.map((name) => join(KOTLIN, name)).join(':');
};
const RUST = join(TOOLS, 'rust');
const RUST_ENV = {
  CARGO_HOME: RUST,
  CARGO_TARGET_DIR: join(RUST, 'target'),
  CARGO_NET_OFFLINE: 'true',
  RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
};
const KOTLIN_OPTIONS = ['-no-stdlib', '-no-reflect', '-nowarn', '-jvm-target', '17'];

const LANGUAGES: Readonly<Record<string, Language>> = {
  ruby: {
    options: ['--library', 'faraday'],
    isInstalled: SYSTEM_RUBY !== null || existsSync(join(RUBY, 'usr/bin/ruby3.1')),
    ...(SYSTEM_RUBY === null && { env: UNPACKED_RUBY }),
    command: (client) => {
      const ruby = SYSTEM_RUBY ?? join(RUBY, 'usr/bin/ruby3.1');
      return [ruby, '-W0', '-I', join(client, 'lib'), join(PROGRAMS, 'ruby/main.rb')];
    },
  },
  php: {
    options: [],
    isInstalled: SYSTEM_PHP !== null || existsSync(join(PHP, 'usr/bin/php8.2')),
    ...(SYSTEM_PHP === null && { env: { LD_LIBRARY_PATH: join(PHP, DEBIAN_LIBRARIES) } }),
    command: () => [...(SYSTEM_PHP === null ? unpackedPhp() : [SYSTEM_PHP]), join(PROGRAMS, 'php/main.php')],
  },
  kotlin: {
    options: ['--additional-properties=serializationLibrary=jackson'],
    isInstalled: existsSync(join(KOTLIN, 'installed.xml')),
    build: (client) => {
      const compiler = ['java', '-Xmx2g', '-cp', `${KOTLIN}/*`, 'org.jetbrains.kotlin.cli.jvm.K2JVMCompiler'];
      const sources = [join(client, 'src/main/kotlin'), join(PROGRAMS, 'kotlin/Main.kt')];
      return run([...compiler, ...KOTLIN_OPTIONS, '-cp', jars(), '-d', join(client, 'classes'), ...sources]);
    },
    command: (client) => ['java', '-cp', `${join(client, 'classes')}:${KOTLIN}/*`, 'MainKt'],
  },
  rust: {
    options: ['--additional-properties=supportAsync=false,packageName=catp_client'],
    isInstalled: existsSync(join(RUST, 'fetched.lock')) && Bun.which('cargo') !== null,
    build: (client) => {
      for (const name of ['Cargo.toml', 'Cargo.lock'])
        copyFileSync(join(PROGRAMS, 'rust', name), join(client, name));
      mkdirSync(join(client, 'src/bin'));
      copyFileSync(join(PROGRAMS, 'rust/main.rs'), join(client, 'src/bin/main.rs'));
      const manifest = join(client, 'Cargo.toml');
      return run(['cargo', 'build', '--quiet', '--locked', '--manifest-path', manifest], RUST_ENV);
    },
    command: () => [join(RUST_ENV.CARGO_TARGET_DIR, 'debug/main')],
  },
};

function unpackedPhp(): readonly string[] {
  const [abi = ''] = readdirSync(join(PHP, 'usr/lib/php')).filter((name) => /^\d{8}$/.test(name));
  const settings = ['-d', `extension_dir=${join(PHP, 'usr/lib/php', abi)}`];
  for (const extension of ['curl', 'mbstring', 'ctype']) settings.push('-d', `extension=${extension}`);
  settings.push('-d', `include_path=${join(PHP, 'usr/share/php')}`);
  return [join(PHP, 'usr/bin/php8.2'), '-n', ...settings];
}

for (const [name, { isInstalled }] of Object.entries(LANGUAGES))
  if (!isInstalled || !hasGenerator)
    console.warn(
      `ATENÇÃO: sem ${isInstalled ? 'openapi-generator (com Java)' : name}; nenhum cliente em ${name} foi posto à prova.`,
    );

interface Exchange {
  readonly request: string;
  readonly body: unknown;
}

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
  outputOf(sandbox.run(['openapi', '--dev', '--to', 'all.json']));
  const all = JSON.parse(readFileSync(join(sandbox.folder, 'all.json'), 'utf8')) as Document;
  writeFileSync(join(sandbox.folder, 'catp.json'), JSON.stringify(publicPart(all)));
});
afterAll(() => sandbox.close());

async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, err } = await toEnd(words, {
    cwd: sandbox.folder,
    env: {
      PATH: process.env['PATH'],
      HOME: sandbox.folder,
      LC_ALL: 'C.UTF-8',
      // A short run gains nothing from the second compiler of the virtual machine.
      JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1',
      ...env,
    },
  });
  expect([words[0], code, code === 0 ? '' : out + err]).toEqual([words[0], 0, '']);
  return out;
}

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: Readonly<Record<string, unknown>> & {
    readonly schemas: Readonly<Record<string, unknown>>;
  };
}

/**
 * Returns the operations of the public interface with their forms, which compile in a quarter of the time.
 */
function publicPart(document: Document): Document {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => /^\/(?:catp|portal|cadatributos)\//.test(path)),
  );
  const names = new Set<string>();
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      follow(document.components.schemas[name]);
    }
  };
  follow(paths);
  const schemas = Object.fromEntries(
    Object.entries(document.components.schemas).filter(([name]) => names.has(name)),
  );
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** Forwards to the server and keeps each answer. The second answer of one version lacks its `versao`. */
function recorder({ url }: RunningCatp) {
  const exchanges: Exchange[] = [];
  const versions = new Set<string>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = await request.bytes();
      const headers = new Headers(request.headers);
      headers.delete('accept-encoding');
      const reply = await fetch(`${url}${pathname}${search}`, {
        method: request.method,
        headers,
        ...(body.length > 0 && { body }),
      });
      const bytes = await reply.bytes();
      const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true;
      const answer = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : { bytes: bytes.length };
      if (/^\/catp\/api\/ext\/produto\/\d+\/\d+\/1$/.test(pathname)) {
        if (versions.has(pathname)) {
          delete answer.versao;
          exchanges.push({ request: 'incomplete', body: { refused: true } });
          return Response.json(answer);
        }
        versions.add(pathname);
      }
      exchanges.push({ request: `${request.method} ${pathname}`, body: answer });
      return new Response(bytes, { status: reply.status, headers: reply.headers });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, exchanges, stop: () => server.stop(true) };
}

/** Removes members that are null: a class may leave them out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

const CALLED = [
  'POST /portal/api/autenticar/chave-acesso',
  'POST /catp/api/ext/produto/12345678',
  'GET /catp/api/ext/produto/12345678/9/1',
  'GET /catp/api/ext/produto',
  'POST /catp/api/ext/produto',
  'POST /catp/api/ext/operador-estrangeiro/12345678/DE',
  'GET /catp/api/ext/operador-estrangeiro',
  'POST /catp/api/ext/fabricante/12345678',
  'POST /portal/api/ext/webhook',
  'GET /portal/api/ext/webhook',
  'GET /cadatributos/api/ext/atributo-ncm/39269090',
  'GET /catp/api/ext/produto/exportar/12345678/false',
  'POST /catp/api/ext/produto/12345678',
  'incomplete',
];

async function generate(name: string, { options, build }: Language): Promise<string> {
  const client = join(sandbox.folder, name);
  const parts = 'modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';
  const generated = ['generate', '-g', name, '-i', 'catp.json', '-o', client, '--global-property', parts];
  await run([GENERATOR, ...generated, ...options]);
  await build?.(client);
  return client;
}

for (const [name, language] of Object.entries(LANGUAGES))
  test.if(language.isInstalled && hasGenerator)(
    `${name}: reads every member of each answer, and refuses an answer that lacks a member`,
    async () => {
      const client = await generate(name, language);
      const catp = await sandbox.start('dev', '--port', '0', '--data', `data-${name}`);
      const tokens = (await tokensOf(catp.url, 'demo', 'demo')) as Readonly<Record<string, string>>;
      const proxy = recorder(catp);
      try {
        const lines = await run(language.command(client), {
          ...language.env,
          CATALOGO_URL: proxy.url,
          CLIENT: client,
          TOKEN: tokens['authorization'] ?? '',
          CSRF: tokens['x-csrf-token'] ?? '',
        });
        expect(proxy.exchanges.map(({ request }) => request)).toEqual(CALLED);
        const batch = proxy.exchanges.find(({ request }) => request === 'POST /catp/api/ext/produto');
        expect(batch?.body).toMatchObject([{ sucesso: true }, { sucesso: true }, { sucesso: true }]);
        const answers = lines.trim().split('\n');
        expect(answers.map((line) => withoutNulls(JSON.parse(line)))).toEqual(
          proxy.exchanges.map(({ body }) => withoutNulls(body)),
        );
      } finally {
        await proxy.stop();
      }
    },
  );
