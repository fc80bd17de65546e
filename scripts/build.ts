/**
 * Compiles src/main.ts, its workers, the web pages, the migrations and the SQLite addon into one executable.
 * Writes `dist/catp` for this platform, `dist/catp-<target>` for another; skips the build when no input has
 * changed.
 */
import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { $, Glob, type Build, type BunPlugin } from 'bun';
import { version } from '../package.json';
import { buildWeb } from '../src/web/serving/bundle.ts';
import { licences } from './packaging/licences.ts';
import { RUNTIME_HEADER_MAX_BYTES, RUNTIME_HEADER_OPTION } from '../src/http/header-limit.ts';

const ROOT = dirname(import.meta.dir);

/** All inputs of the executable. */
const INPUTS = [
  ...['src', 'migrations', 'package.json', 'bun.lock', 'tsconfig.json', 'LICENSE', 'NOTICE'],
  ...['scripts/build.ts', 'scripts/packaging'],
];

/** Each supported platform, with its prebuilt SQLite addon. */
const ADDON_OF_TARGET: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-x64-baseline': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-x64-musl': 'linuxmusl-x64',
  'linux-x64-musl-baseline': 'linuxmusl-x64',
  'linux-arm64-musl': 'linuxmusl-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'windows-x64': 'win32-x64',
  'windows-x64-baseline': 'win32-x64',
  'windows-arm64': 'win32-arm64',
};

/**
 * The executable obeys catp.toml, CATP_* and its flags (src/settings/config.ts), never other files in the
 * current folder.
 */
const COMPILE_SETTINGS = {
  execArgv: [`${RUNTIME_HEADER_OPTION}=${RUNTIME_HEADER_MAX_BYTES}`],
  autoloadDotenv: false,
  autoloadBunfig: false,
  autoloadTsconfig: false,
  autoloadPackageJson: false,
};

process.chdir(ROOT);
const { values: options } = parseArgs({
  options: {
    target: { type: 'string' },
    outfile: { type: 'string' },
    force: { type: 'boolean' },
    // The same sources give the same bytes, in every folder. One build at a time.
    reproducible: { type: 'boolean' },
    // An SQLite addon other than the one in its package.
    addon: { type: 'string' },
    // Writes the parts of the executable into this folder instead (`scripts/package --objects`).
    objects: { type: 'string' },
  },
});
const target = options.target?.replace(/^bun-/, '');
const addon = ADDON_OF_TARGET[target ?? thisPlatform()];
if (addon === undefined) {
  console.error(`build: alvo "${target}" desconhecido. Alvos: ${Object.keys(ADDON_OF_TARGET).join(', ')}.`);
  process.exit(2);
}

const isWindows = addon.startsWith('win32');
const output =
  options.outfile ??
  join('dist', `catp${target === undefined ? '' : `-${target}`}${isWindows ? '.exe' : ''}`);
if (options.objects !== undefined) {
  await build();
  writeFileSync(
    join(dirname(options.objects), 'configuracao.js'),
    `export const settings = ${JSON.stringify(COMPILE_SETTINGS)};\n`,
  );
} else if (!options.force && isFresh(output)) {
  console.log(`build: ${output} está em dia`);
} else {
  const started = performance.now();
  await build();
  const megabytes = (statSync(output).size / 2 ** 20).toFixed(0);
  console.log(
    `build: ${output}, ${megabytes} MiB, em ${((performance.now() - started) / 1000).toFixed(1)} s`,
  );
}

function thisPlatform(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const musl = system === 'linux' && [...new Glob('ld-musl-*').scanSync({ cwd: '/lib' })].length > 0;
  return `${system}-${process.arch}${musl ? '-musl' : ''}`;
}

function isFresh(file: string): boolean {
  const built = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return inputFiles().every((input) => statSync(input).mtimeMs <= built);
}

function inputFiles(): readonly string[] {
  return INPUTS.flatMap((input) =>
    statSync(input).isDirectory()
      ? [input, ...new Glob(`${input}/**`).scanSync({ onlyFiles: false })]
      : [input],
  );
}

async function build(): Promise<void> {
  // Built next to its final path and then renamed: a running catp keeps its file, and no process sees a
  // partial one.
  const staging = join('dist', `.build-${options.reproducible ? 'reproducible' : process.pid}`);
  mkdirSync(staging, { recursive: true });
  try {
    const webModule = await writeWeb(join(ROOT, staging, 'web'));
    const licencesModule = await writeLicences(join(ROOT, staging, 'licences.br'));
    const compiled = {
      // Halves the time to the first answer.
      bytecode: true,
      // The paths in the source map are relative to it, so that they are the same in every folder.
      outdir: staging,
      compile: {
        ...COMPILE_SETTINGS,
        outfile: 'catp',
        ...(target === undefined ? {} : { target: `bun-${target}` as Build.CompileTarget }),
      },
    };
    const { outputs } = await Bun.build({
      entrypoints: ['src/main.ts', ...new Glob('src/**/*.worker.ts').scanSync()],
      root: 'src',
      target: 'bun',
      format: 'esm',
      // Late imports are loaded late, including the runtime modules that they need.
      splitting: true,
      // Names stay: Elysia reads the source text of handlers.
      minify: { whitespace: true, syntax: true, identifiers: false },
      sourcemap: options.objects === undefined ? 'linked' : 'none',
      define: { 'process.env.CATP_VERSION': JSON.stringify(await builtVersion()) },
      plugins: [
        embeddedSqlite(join(ROOT, staging)),
        embedded('web', /[\\/]web[\\/]serving[\\/]bundled\.ts$/, webModule),
        embedded('licences', /[\\/]cli[\\/]licences-text\.ts$/, licencesModule),
        workersByTheirFolder(),
        lateBuiltins(),
        ...(options.objects === undefined ? [] : [separateFiles(options.objects, join(ROOT, staging))]),
      ],
      ...(options.objects === undefined ? compiled : { outdir: options.objects }),
    });
    if (options.objects !== undefined) await requirePlainly(outputs.map(({ path }) => path));
    else renameSync(join(staging, isWindows ? 'catp.exe' : 'catp'), output);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Returns `1.0.0+5d9712b`: the version of package.json and the last commit that changed an input of the
 * build.
 */
async function builtVersion(): Promise<string> {
  const commit = (await $`git log -1 --format=%h -- ${INPUTS}`.nothrow().quiet().text()).trim();
  if (commit === '') return version;
  const changed = (await $`git status --porcelain -- ${INPUTS}`.nothrow().quiet().text()) !== '';
  return `${version}+${commit}${changed ? '.alterado' : ''}`;
}

/**
 * Embeds the addon: `better-sqlite3` would look for it on the disk. A copy in `staging` is embedded, because the
 * executable depends on the path of the file.
 */
function embeddedSqlite(staging: string): BunPlugin {
  const home = join(ROOT, 'node_modules', 'better-sqlite3');
  const index = join(home, 'lib', 'index.js');
  const file = join(staging, 'sqlite.node');
  copyFileSync(options.addon ?? join(home, 'prebuilds', `${addon}.node`), file);
  const contents = `import file from ${importOf(index, file)} with { type: 'file' };
import createDatabase from './database.js';
import SqliteError from './sqlite-error.js';
import { addonFrom } from ${importOf(index, join(ROOT, 'src', 'system', 'addon.ts'))};
let loaded;
const Database = createDatabase(() => (loaded ??= addonFrom(file)), false);
Database.SqliteError = SqliteError;
export { SqliteError };
export default Database;`;
  return {
    name: 'embedded-sqlite',
    setup(build) {
      build.onLoad({ filter: /[\\/]better-sqlite3[\\/]lib[\\/]index\.js$/ }, () => ({
        contents,
        loader: 'js',
      }));
    },
  };
}

/** Returns the literal that imports `file` in `importer`: relative, because the source map contains it. */
function importOf(importer: string, file: string): string {
  return JSON.stringify(`./${relative(dirname(importer), file).replaceAll('\\', '/')}`);
}

/** Builds and compresses the web interface into `folder`. Returns the module that lists all of it. */
async function writeWeb(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const { assets, ...rest } = await buildWeb();
  const imports: string[] = [];
  const importer = join(ROOT, 'src', 'web', 'serving', 'bundled.ts');
  const listed = assets.map(({ name, type, bytes, brotli }, at) => {
    const forms = {
      file: [join(folder, name), bytes],
      brotli: [join(folder, `${name}.br`), brotli],
    } as const;
    for (const [form, [path, content]] of Object.entries(forms)) {
      writeFileSync(path, content);
      imports.push(`import ${form}${at} from ${importOf(importer, path)} with { type: 'file' };`);
    }
    return `[${JSON.stringify(name)}, ${JSON.stringify(type)}, file${at}, brotli${at}]`;
  });
  return `import { embeddedBundle } from './embedded.ts';
${imports.join('\n')}
export const webBundle = () => embeddedBundle({ ...${JSON.stringify(rest)}, assets: () => [${listed.join(', ')}] });`;
}

/** Compresses the licence texts into `file`. Returns the module that reads them. */
async function writeLicences(file: string): Promise<string> {
  writeFileSync(file, brotliCompressSync(await licences()));
  return `import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import file from ${importOf(join(ROOT, 'src', 'cli', 'licences-text.ts'), file)} with { type: 'file' };
export const licencesText = () => brotliDecompressSync(readFileSync(file)).toString();`;
}

/** Replaces a module that works from sources with one that reads what is made at build time. */
function embedded(name: string, filter: RegExp, contents: string): BunPlugin {
  return {
    name: `embedded-${name}`,
    setup(build) {
      build.onLoad({ filter }, () => ({ contents, loader: 'ts' }));
    },
  };
}

/**
 * Resolves workers by their folder under src. Inside the executable every module has the address of main.ts,
 * so `new URL('./x.worker.ts', import.meta.url)` would resolve to the root.
 */
function workersByTheirFolder(): BunPlugin {
  return {
    name: 'workers-by-their-folder',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path, loader }) => {
        const folder = relative(join(ROOT, 'src'), dirname(path)).replaceAll('\\', '/');
        const contents = (await Bun.file(path).text()).replaceAll(
          /new URL\('\.\/([\w./-]+\.worker\.ts)', import\.meta\.url\)/g,
          (_, worker) => `new URL('./${folder === '' ? '' : `${folder}/`}${worker}', import.meta.url)`,
        );
        return { contents, loader };
      });
    },
  };
}

/**
 * Delays two builtins to their first use. commander imports one to start other programs, which catp never
 * does, and one to print help: a twentieth of the start of a command. The log, the metrics and the SQLite
 * package load the latter for rare texts, and to back up. A third one, by which the cache package reports to
 * observers, is left out: there are none.
 */
function lateBuiltins(): BunPlugin {
  const call = (name: string): string =>
    `(...args) => process.getBuiltinModule('node:util').${name}(...args)`;
  const late: readonly (readonly [string, string])[] = [
    [
      "import childProcess from 'node:child_process';",
      "const childProcess = { spawn: (...args) => process.getBuiltinModule('node:child_process').spawn(...args) };",
    ],
    [
      "import { stripVTControlCharacters } from 'node:util';",
      `const stripVTControlCharacters = ${call('stripVTControlCharacters')};`,
    ],
    ['import util from "node:util";', `const util = { inspect: ${call('inspect')} };`],
    [
      'import{tracingChannel as G,channel as P}from"node:diagnostics_channel";',
      'const P = () => ({ hasSubscribers: false }), G = P;',
    ],
    [
      "const util = require('util');",
      `const util = { format: ${call('format')}, inspect: ${call('inspect')} };`,
    ],
    [
      "const { promisify } = require('util');",
      'const promisify = (work) => (...args) => process.getBuiltinModule("node:util").promisify(work)(...args);',
    ],
  ];
  return {
    name: 'late-builtins',
    setup(build) {
      const filter =
        /[\\/](commander[\\/]lib[\\/](command|help)|logtape[\\/]dist[\\/]util\.node|prom-client[\\/]lib[\\/](counter|gauge|histogram|validation)|better-sqlite3[\\/]lib[\\/]methods[\\/]backup|lru-cache[\\/]dist[\\/]esm[\\/]node[\\/]index\.min)\.js$/;
      build.onLoad({ filter }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const imports = late.filter(([eager]) => text.includes(eager));
        if (imports.length === 0) throw new Error(`${path}: other imports than those that are made late`);
        return {
          contents: imports.reduce((sofar, [eager, lazy]) => sofar.replace(eager, lazy), text),
          loader: 'js',
        };
      });
    },
  };
}

/**
 * Keeps imported files next to the modules, as imports that another build resolves: a runtime made by others
 * can then embed them again.
 */
function separateFiles(folder: string, staging: string): BunPlugin {
  return {
    name: 'separate-files',
    setup(build) {
      build.onResolve({ filter: /\.(png|node|br|js|css|svg)$/ }, ({ path, importer }) => {
        const file = resolve(dirname(importer), path);
        if (!file.startsWith(staging) && !/\.(png|node)$/.test(file)) return undefined;
        copyFileSync(file, join(folder, basename(file)));
        return { path: `./${basename(file)}`, external: true };
      });
    },
  };
}

/** Writes a late `require` of a module in the form that another build bundles. */
async function requirePlainly(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const text = await Bun.file(file).text();
    writeFileSync(file, text.replaceAll('import.meta.require("./', 'require("./'));
  }
}
