/** Holds the house rules of the source tree: who may import whom, and what stands only in one place. */
import { expect, test } from 'bun:test';
import { sourcesUnder, type Source } from './support/sources.ts';

interface Layer {
  readonly name: string;
  readonly files: RegExp;
  readonly mayImport: readonly string[];
}

/** Where SQL lives: a store, and the query of a list, which is composed of its filters. */
const STORE = /\/([\w-]+-)?(store|list-query)\.ts$/;

/** The layers, from the ground up. A file belongs to the first that matches; what has no layer is a failure. */
const LAYERS: readonly Layer[] = [
  // The web pages know the server through its HTTP API only.
  { name: 'pages', files: /^src\/web\/pages\.ts$/, mayImport: ['web', 'docs', 'ground'] },
  { name: 'web', files: /^src\/web\//, mayImport: ['web'] },
  // The Workers' side of long reads: knows how each kind is read.
  { name: 'texts', files: /^src\/reading\/(texts|reading\.worker)\.ts$/, mayImport: ['*'] },
  // The command line, and where the features are put together and listed.
  { name: 'main', files: /^src\/(main\.ts|cli\/)/, mayImport: ['*'] },
  {
    name: 'app',
    files: /^src\/((app|core|feature|life)\.ts|session\/gate\.ts|(.*\/)?(feature|ground)\.ts)/,
    mayImport: ['*'],
  },
  // What knows nothing of ours but each other.
  {
    name: 'ground',
    files:
      /^src\/((errors|clock|log|version)\.ts|system\/|http\/|validation\/|(.*\/)?(model|record|version|company|codes)\.ts)/,
    mayImport: ['ground'],
  },
  {
    name: 'settings',
    files: /^src\/(config|config-template|settings|catalogue\/rules)\.ts$/,
    mayImport: ['settings', 'ground'],
  },
  // Certificates and proxies: who stands at the other end.
  { name: 'tls', files: /^src\/tls\//, mayImport: ['tls', 'settings', 'ground'] },
  // What the process counts.
  { name: 'metrics', files: /^src\/health\/(metrics|prom-client\.d)\.ts$/, mayImport: ['ground'] },
  { name: 'jobs', files: /^src\/jobs\//, mayImport: ['jobs', 'ground'] },
  { name: 'files', files: /^src\/files\//, mayImport: ['files', 'ground'] },
  { name: 'db', files: /^src\/db\//, mayImport: ['db', 'ground'] },
  { name: 'reading', files: /^src\/reading\//, mayImport: ['reading', 'texts', 'db', 'ground'] },
  // A receiver to try deliveries against; the command line starts it.
  { name: 'receiver', files: /^src\/receiver\//, mayImport: ['receiver', 'ground'] },
  // What is told about the product itself.
  { name: 'docs', files: /^src\/docs\//, mayImport: ['docs', 'service', 'settings', 'ground'] },
  { name: 'fidelity', files: /^src\/fidelity\/(?!routes)/, mayImport: ['fidelity', 'ground'] },
  // What `catp dev` puts into a new catalogue.
  { name: 'demo', files: /^src\/demo\//, mayImport: ['demo', 'app', 'service', 'ground'] },
  // What only a development instance has: moving the clock, starting anew.
  { name: 'dev', files: /^src\/dev\//, mayImport: ['dev', 'service', 'db', 'settings', 'ground'] },
  // Features: routes → service → store → db.
  {
    name: 'routes',
    files: /routes\.ts$/,
    mayImport: ['routes', 'service', 'fidelity', 'reading', 'metrics', 'settings', 'ground'],
  },
  { name: 'store', files: STORE, mayImport: ['store', 'db', 'ground'] },
  {
    name: 'service',
    files: /^src\/(catalogue|notification|session|backup)\//,
    mayImport: ['service', 'store', 'reading', 'files', 'db', 'settings', 'ground'],
  },
];

/** Imports against the layers, each with its reason. */
const BUT: Readonly<Record<string, string>> = {
  'src/notification/event/model.ts → src/db/writer.ts':
    'the type of the transaction that an event is written in; no value is imported',
  'src/notification/subscription/request.ts → src/notification/delivery/send/endpoint.ts':
    'whoever registers an endpoint and whoever dials it read it by the same rule',
};

/** Whole trees that never look at another, whatever the layer. */
const NEVER: readonly { readonly from: RegExp; readonly to: RegExp; readonly why: string }[] = [
  {
    from: /^src\/notification\//,
    to: /^src\/catalogue\//,
    why: 'the catalogue publishes events; notification delivers whatever is published',
  },
  {
    from: /^src\/session\//,
    to: /^src\/(catalogue\/(?!company\.ts)|notification\/)/,
    why: 'who is who stands below both; the form of cpfCnpjRaiz is all that they share',
  },
  {
    from: /^src\/(?!main\.ts|cli\/)/,
    to: /^src\/(main\.ts|cli\/)/,
    why: 'the command line is the outermost',
  },
];

/**
 * What a feature shows to the others: `active-store` to those who judge active products by another standard; the last three
 * only where lists are read and answered (catalogue/listing).
 */
const DOOR = /\/(service|model|version|routes|guard|active-store|listing|list-query|answers)\.ts$/;

/** What features are made of: the records with versions share these rooms. */
const SHARED = /^src\/catalogue\/versioned\//;

/** Words that have one home; `but` names the exceptions, each with its reason. */
interface Word {
  readonly what: string;
  readonly pattern: RegExp;
  readonly home: RegExp;
  readonly but: Readonly<Record<string, string>>;
}

const WORDS: readonly Word[] = [
  {
    // `PRAGMA data_version` reads no table: it tells that another process wrote.
    what: 'SQL',
    pattern:
      /\b(SELECT\s|INSERT (OR \w+ )?INTO|UPDATE \w+\s+SET|DELETE FROM|PRAGMA (?!data_version)|(CREATE|ALTER|DROP) TABLE)/,
    home: new RegExp(`${STORE.source}|^src/db/`),
    but: {
      'src/dev/reset.ts': 'empties every table, whatever it is',
      'src/catalogue/import/savepoint.ts': 'counts what a transaction has changed, and reads no table',
    },
  },
  {
    what: 'the environment',
    pattern: /process\.env|Bun\.env|import\.meta\.env/,
    home: /^src\/config\.ts$/,
    but: {
      'src/version.ts': 'a name that the build replaces by the version',
      'src/cli/options.ts': 'hands the environment to config.ts, which alone looks into it',
    },
  },
  {
    what: 'the time',
    pattern: /Date\.now\(|new Date\(\)|performance\.now\(|Temporal\.Now|hrtime|Bun\.nanoseconds/,
    home: /^src\/clock\.ts$/,
    but: {},
  },
  {
    what: 'timers',
    pattern: /\b(setTimeout|setInterval)\(|Bun\.sleep/,
    home: /^src\/(clock\.ts$|web\/)/,
    but: {
      'src/http/server.ts': 'the grace of a stop is real time',
      'src/db/writer.ts': 'a full disk keeps no test clock either',
      'src/receiver/receiver.ts': 'a receiver that answers late on purpose',
    },
  },
  { what: 'console', pattern: /\bconsole\.\w+\(/, home: /^src\/cli\//, but: {} },
];

/** A test file lists the sentences of one endpoint, and may need more of them. */
const FILE_MAX_LINES = { src: 300, scripts: 300, test: 400 };

const sources = await sourcesUnder('src');
const layerOf = (path: string): Layer | undefined => LAYERS.find(({ files }) => files.test(path));
const ours = (imported: string): boolean => /^src\/.*\.tsx?$/.test(imported);

test('every source file belongs to a layer', () => {
  expect(sources.map(({ path }) => path).filter((path) => layerOf(path) === undefined)).toEqual([]);
});

test('a file imports only from the layers below its own', () => {
  expect(unexcused(({ path }, imported) => !mayImport(path, imported))).toEqual([]);
});

test('no file imports itself by way of others, be it only a type, or late', async () => {
  const scripts = await Promise.all(['scripts', 'test', 'migrations'].map(sourcesUnder));
  const imports = new Map([...sources, ...scripts.flat()].map((one) => [one.path, one.imports]));
  expect(circles(imports)).toEqual([]);
  expect(circles(new Map([...imports, ['a', ['b']], ['b', ['a']]]))).toEqual(['a → b → a']);
});

test('trees that must not know each other do not', () => {
  for (const { from, to } of NEVER)
    expect(unexcused(({ path }, imported) => from.test(path) && to.test(imported))).toEqual([]);
});

test('a feature reaches another one only through its service or its model', () => {
  expect(unexcused(({ path }, imported) => isPastTheDoor(path, imported))).toEqual([]);
});

test('each excused import is still there, and still needs its excuse', () => {
  const wrong = complaints(
    ({ path }, imported) => !mayImport(path, imported) || isPastTheDoor(path, imported),
  );
  expect(Object.keys(BUT).filter((excused) => !wrong.includes(excused))).toEqual([]);
});

for (const { what, pattern, home, but } of WORDS) {
  test(`${what} stands only at home`, () => {
    const elsewhere = sources.filter(({ path, code }) => pattern.test(code) && !home.test(path));
    expect(elsewhere.map(({ path }) => path).filter((path) => but[path] === undefined)).toEqual([]);
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

/** `catalogue/product`, `notification/delivery`, `session`; absent for what belongs to no feature. */
function featureOf(path: string): string | undefined {
  return /^src\/((?:catalogue|notification|session)(?:\/[\w-]+(?=\/))?)\//.exec(path)?.[1];
}

function isPastTheDoor(path: string, imported: string): boolean {
  const [mine, theirs] = [featureOf(path), featureOf(imported)];
  if (mine === undefined || theirs === undefined || mine === theirs) return false;
  const isSharedByMyFamily = mine.startsWith(`${theirs}/`);
  const isShared = isSharedByMyFamily || layerOf(imported)?.name === 'ground';
  return !isShared && !SHARED.test(imported) && layerOf(path)?.name !== 'app' && !DOOR.test(imported);
}

/** Each way back to a file that is still being gone through, as it was found. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '));
    else if (!done.has(path)) for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

function mayImport(path: string, imported: string): boolean {
  const [mine, theirs] = [layerOf(path), layerOf(imported)];
  if (mine === undefined || theirs === undefined) return true; // The first test has complained already.
  return mine.mayImport.includes('*') || mine.mayImport.includes(theirs.name);
}

function unexcused(isWrong: (source: Source, imported: string) => boolean): readonly string[] {
  return complaints(isWrong).filter((complaint) => BUT[complaint] === undefined);
}

function complaints(isWrong: (source: Source, imported: string) => boolean): readonly string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter(ours)
      .filter((imported) => isWrong(source, imported))
      .map((imported) => `${source.path} → ${imported}`),
  );
}
