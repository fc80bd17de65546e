/**
 * Checks the plan of the folders (support/folders.ts): allowed imports, and things that exist in one
 * place only.
 */
import { expect, test } from 'bun:test';
import { FOLDERS, folderOf } from './support/folders.ts';
import { sourcesUnder, type Source } from './support/sources.ts';

/** Files with SQL: stores, and the queries of lists, which are composed of their filters. */
const STORE = /\/([\w-]+-)?(store|list-query)\.ts$/;

/** A layer of a feature: routes over services over stores over types. A file of no layer is not checked. */
interface Layer {
  readonly name: string;
  readonly files: RegExp;
  /** Names of layers; `others`: files of no layer. */
  readonly mayImport: readonly string[];
}

const LAYERS: readonly Layer[] = [
  // Assembles all layers of a feature.
  {
    name: 'feature',
    files: /^src\/assembly\//,
    mayImport: ['feature', 'routes', 'service', 'store', 'db', 'types', 'others'],
  },
  { name: 'routes', files: /^src\/.*routes\.ts$/, mayImport: ['routes', 'service', 'types', 'others'] },
  { name: 'store', files: STORE, mayImport: ['store', 'db', 'types'] },
  { name: 'db', files: /^src\/db\//, mayImport: ['db', 'types'] },
  {
    name: 'types',
    files:
      /^src\/((errors|change|clock|pointer|fair-shares|right|version)\.ts|log\/|windows\/|system\/|http\/|validation\/|catalogue\/members\/|catalogue\/member-(schema|record)\.ts|catalogue\/.*\/filter\.ts|(.*\/)?(model|record|version|codes)\.ts)/,
    mayImport: ['types'],
  },
  {
    name: 'service',
    files: /^src\/(catalogue|notification|session|backup|dev|doctor)\//,
    mayImport: ['service', 'store', 'db', 'types', 'others'],
  },
];

/** Imports against the plan, each with its reason. */
const EXCUSED_IMPORTS: Readonly<Record<string, string>> = {
  'src/notification/event/model.ts → src/db/writer.ts':
    'the type of the transaction that an event is written in; no value is imported',
  'src/notification/subscription/request.ts → src/notification/delivery/send/endpoint.ts':
    'registration and delivery read an endpoint by the same rule',
};

/** Files of a feature that other features may import. */
const PUBLIC_FILES =
  /\/(service|model|values|filter|patch|attribute-form|upload|folder|corrections|approval|awaiting|trail|slice|undo|reason-words|target|reasons|version|routes|guard|active|active-store|listing|page|answers)\.ts$/;

/** Folders that all features share. */
const SHARED = /^src\/catalogue\/(members|versioned|paging)\//;

/** Code that may stand only in some files; `but` names the exceptions, each with its reason. */
interface Restriction {
  readonly what: string;
  readonly pattern: RegExp;
  readonly home: RegExp;
  readonly but: Readonly<Record<string, string>>;
}

const RESTRICTIONS: readonly Restriction[] = [
  {
    what: 'SQL',
    pattern:
      /\b(SELECT\s|INSERT (OR \w+ )?INTO|UPDATE \w+\s+SET|DELETE FROM|PRAGMA |(CREATE|ALTER|DROP) TABLE)/,
    home: new RegExp(`${STORE.source}|^src/db/`),
    but: {
      'src/dev/reset.ts': 'empties every table, whatever it is',
    },
  },
  {
    what: 'the counter of commits of other processes',
    pattern: /data_version/,
    home: /^src\/db\/feed\.ts$/,
    but: {},
  },
  {
    what: 'the environment',
    pattern: /process\.env|Bun\.env|import\.meta\.env/,
    home: /^src\/settings\/config\.ts$/,
    but: {
      'src/version.ts': 'a name that the build replaces by the version',
      'src/cli/serving.ts': 'passes the variables of systemd to service/; they are no settings',
      'src/cli/options.ts': 'passes the environment to settings/config.ts, its only reader',
    },
  },
  {
    what: 'the time',
    pattern: /Date\.now\(|new Date\(\)|performance\.now\(|Temporal\.Now|hrtime|Bun\.nanoseconds/,
    home: /^src\/clock\.ts$/,
    but: {
      'src/web/importar/importacao/progress.tsx':
        'the pace of an import is told to a person who waits: real time',
      'src/web/docs/sending.ts': 'how long an answer took is told to a person: real time',
      'src/web/administracao/backups.tsx':
        'how old a backup is, is told to a person: by the clock of the browser',
      'src/web/remotos/end-in-words.ts':
        'whether a run ends today or tomorrow is told to a person: by the clock of the browser',
      'src/web/api/keep-session.ts': 'whether somebody works at a page is told by the clock of the browser',
      'src/web/api/tokens.ts':
        'which of two sessions began later is a matter of tabs: by the clock of the browser, which no test clock turns back',
    },
  },
  {
    // Contract section 13: dates and times that people read are Brasília time with its offset (`momentText`).
    what: 'the printing of moments',
    pattern: /\.toISOString\(|toLocale(Date|Time)String\(|DateTimeFormat/,
    home: /^src\/validation\/calendar\.ts$/,
    but: {},
  },
  {
    what: 'timers',
    pattern: /\b(setTimeout|setInterval)\(|Bun\.sleep/,
    home: /^src\/(clock\.ts$|web\/)/,
    but: {
      'src/tls/forwarding.ts': 'how long a socket may be idle, which the socket itself counts',
      'src/notification/delivery/send/connection.ts': 'the same, of a connection to a receiver',
      'src/http/server.ts': 'the grace of a stop is real time',
      'src/db/storage.ts': 'a full disk keeps no test clock either',
      'src/receiver/receiver.ts': 'a receiver that answers late on purpose',
    },
  },
  {
    what: 'console',
    pattern: /\bconsole\.\w+\(/,
    home: /^src\/cli\//,
    but: {},
  },
];

/** Maximum lines of a file. */
const FILE_MAX_LINES = { src: 400, scripts: 400, test: 400 };

const sources = await sourcesUnder('src');
const layerOf = (path: string): Layer | undefined => LAYERS.find(({ files }) => files.test(path));
const isOurs = (imported: string): boolean => /^src\/.*\.tsx?$/.test(imported);

test('every source file is in a folder of the plan, and no folder of the plan is empty', () => {
  expect(sources.map(({ path }) => path).filter((path) => folderOf(path) === undefined)).toEqual([]);
  const used = new Set(sources.map(({ path }) => folderOf(path)));
  expect(FOLDERS.filter((folder) => !used.has(folder))).toEqual([]);
});

test('a folder imports only folders that the plan lists before it', () => {
  const before = new Set<string>();
  for (const { name, below } of FOLDERS) {
    expect({ name, above: below.filter((one) => !before.has(one)) }).toEqual({ name, above: [] });
    before.add(name);
  }
});

test('a file imports only from the folders that the plan allows', () => {
  expect(unexcused(({ path }, imported) => !isInPlan(path, imported))).toEqual([]);
});

test('every allowed import between folders is used', () => {
  const existingArrows = new Set(
    sources.flatMap(({ path, imports }) =>
      imports.filter(isOurs).map((imported) => `${folderOf(path)?.name} → ${folderOf(imported)?.name}`),
    ),
  );
  const planned = FOLDERS.flatMap(({ name, below }) => below.map((one) => `${name} → ${one}`));
  expect(planned.filter((arrow) => !existingArrows.has(arrow))).toEqual([]);
});

test('within the features, routes import services, services import stores, and all import types', () => {
  expect(unexcused(({ path }, imported) => !mayImport(path, imported))).toEqual([]);
});

test('no file imports itself through others, not even a type or late', async () => {
  const scripts = await Promise.all(['scripts', 'test', 'migrations'].map(sourcesUnder));
  const imports = new Map([...sources, ...scripts.flat()].map((one) => [one.path, one.imports]));
  expect(circles(imports)).toEqual([]);
  expect(circles(new Map([...imports, ['a', ['b']], ['b', ['a']]]))).toEqual(['a → b → a']);
});

test('a feature imports only the public files of another one', () => {
  expect(unexcused(({ path }, imported) => isPrivate(path, imported))).toEqual([]);
});

test('each excused import still exists and still needs its excuse', () => {
  const wrong = complaints(
    ({ path }, imported) =>
      !isInPlan(path, imported) || !mayImport(path, imported) || isPrivate(path, imported),
  );
  expect(Object.keys(EXCUSED_IMPORTS).filter((excused) => !wrong.includes(excused))).toEqual([]);
});

for (const { what, pattern, home, but } of RESTRICTIONS) {
  test(`${what} is only in its files`, () => {
    const otherFiles = sources.filter(({ path, code }) => pattern.test(code) && !home.test(path));
    expect(otherFiles.map(({ path }) => path).filter((path) => but[path] === undefined)).toEqual([]);
  });

  test(`each exception for ${what} is still needed`, () => {
    const idle = Object.keys(but).filter(
      (path) => !sources.some((s) => s.path === path && pattern.test(s.code)),
    );
    expect(idle).toEqual([]);
  });
}

for (const [folder, most] of Object.entries(FILE_MAX_LINES)) {
  test(`no file of ${folder}/ is over ${most} lines`, async () => {
    const long = (await sourcesUnder(folder)).filter(({ text }) => text.split('\n').length - 1 > most);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
}

/** Returns `catalogue/product`, `notification/delivery`, `session`; `undefined` for files of no feature. */
function featureOf(path: string): string | undefined {
  return /^src\/((?:catalogue|notification|session)(?:\/[\w-]+(?=\/))?)\//.exec(path)?.[1];
}

function isPrivate(path: string, imported: string): boolean {
  const [mine, theirs] = [featureOf(path), featureOf(imported)];
  if (mine === undefined || theirs === undefined || mine === theirs) return false;
  const isSharedByMyFamily = mine.startsWith(`${theirs}/`);
  const isShared = isSharedByMyFamily || layerOf(imported)?.name === 'types';
  return (
    !isShared && !SHARED.test(imported) && layerOf(path)?.name !== 'feature' && !PUBLIC_FILES.test(imported)
  );
}

/** Returns each circle of imports. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    else if (!done.has(path)) for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

function isInPlan(path: string, imported: string): boolean {
  const [mine, theirs] = [folderOf(path), folderOf(imported)];
  return mine === theirs || (theirs !== undefined && mine?.below.includes(theirs.name) === true);
}

function mayImport(path: string, imported: string): boolean {
  const ownLayer = layerOf(path);
  return ownLayer === undefined || ownLayer.mayImport.includes(layerOf(imported)?.name ?? 'others');
}

function unexcused(isWrong: (source: Source, imported: string) => boolean): readonly string[] {
  return complaints(isWrong).filter((complaint) => EXCUSED_IMPORTS[complaint] === undefined);
}

function complaints(isWrong: (source: Source, imported: string) => boolean): readonly string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter(isOurs)
      .filter((imported) => isWrong(source, imported))
      .map((imported) => `${source.path} → ${imported}`),
  );
}
