/** Holds the house to its plan (support/folders.ts): who may import whom, and what stands only in one place. */
import { expect, test } from 'bun:test';
import { FOLDERS, folderOf } from './support/folders.ts';
import { sourcesUnder, type Source } from './support/sources.ts';

/** Where SQL lives: a store, and the query of a list, which is composed of its filters. */
const STORE = /\/([\w-]+-)?(store|list-query)\.ts$/;

/** The floors of a feature: routes over services over stores over words; a file that stands on none is not judged by them. */
interface Floor {
  readonly name: string;
  readonly files: RegExp;
  /** Floors; `others`: what stands on none. */
  readonly mayImport: readonly string[];
}

const FLOORS: readonly Floor[] = [
  // Put together: every floor of the feature side by side.
  {
    name: 'feature',
    files: /^src\/assembly\//,
    mayImport: ['feature', 'routes', 'service', 'store', 'db', 'words', 'others'],
  },
  { name: 'routes', files: /^src\/.*routes\.ts$/, mayImport: ['routes', 'service', 'words', 'others'] },
  { name: 'store', files: STORE, mayImport: ['store', 'db', 'words'] },
  { name: 'db', files: /^src\/db\//, mayImport: ['db', 'words'] },
  {
    name: 'words',
    files:
      /^src\/((errors|change|clock|pointer|fair-shares|version)\.ts|log\/|windows\/|system\/|http\/|validation\/|catalogue\/members\/|catalogue\/member-(schema|record)\.ts|catalogue\/.*\/filter\.ts|(.*\/)?(model|record|version|codes)\.ts)/,
    mayImport: ['words'],
  },
  {
    name: 'service',
    files: /^src\/(catalogue|notification|session|backup|dev|doctor)\//,
    mayImport: ['service', 'store', 'db', 'words', 'others'],
  },
];

/** Imports against the plan, each with its reason. */
const BUT: Readonly<Record<string, string>> = {
  'src/notification/event/model.ts → src/db/writer.ts':
    'the type of the transaction that an event is written in; no value is imported',
  'src/notification/subscription/request.ts → src/notification/delivery/send/endpoint.ts':
    'whoever registers an endpoint and whoever dials it read it by the same rule',
};

/**
 * What a feature shows to the others: `active` to those who ask whether a product is, `active-store` to those who judge
 * active products by another standard; `filter`, `patch` and `attribute-form` to those who choose and change many; `upload` and `folder` to
 * those who take files in; `corrections`, `reason-words` and `target` to those who correct what is no sheet; `reasons` to those who put problems together too; the last three only where lists are read and answered.
 */
const DOOR =
  /\/(service|model|values|filter|patch|attribute-form|upload|folder|corrections|reason-words|target|reasons|version|routes|guard|active|active-store|listing|page|answers)\.ts$/;

/** What features are made of: the records with versions share these rooms, and lists in pages. */
const SHARED = /^src\/catalogue\/(members|versioned|paging)\//;

/** Words that have one home; `but` names the exceptions, each with its reason. */
interface Word {
  readonly what: string;
  readonly pattern: RegExp;
  readonly home: RegExp;
  readonly but: Readonly<Record<string, string>>;
}

const WORDS: readonly Word[] = [
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
    what: 'what others have committed',
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
      'src/cli/serving.ts': 'hands service/ what systemd puts there, which is no setting',
      'src/cli/options.ts': 'hands the environment to settings/config.ts, which alone looks into it',
    },
  },
  {
    what: 'the time',
    pattern: /Date\.now\(|new Date\(\)|performance\.now\(|Temporal\.Now|hrtime|Bun\.nanoseconds/,
    home: /^src\/clock\.ts$/,
    but: {
      'src/web/importar/importacao/progress.tsx':
        'how fast an import goes is what a person waits for: real time',
      'src/web/docs/sending.ts': 'how long an answer took is told to a person: real time',
      'src/web/administracao/backups.tsx':
        'how old a backup is, is told to a person: by the clock of the browser',
      'src/web/remotos/ends.ts':
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

/** A file has one reason to change; it may be this long when it is one thing. */
const FILE_MAX_LINES = { src: 400, scripts: 400, test: 400 };

const sources = await sourcesUnder('src');
const floorOf = (path: string): Floor | undefined => FLOORS.find(({ files }) => files.test(path));
const ours = (imported: string): boolean => /^src\/.*\.tsx?$/.test(imported);

test('every source file lies in a folder of the plan, and no folder of it is empty', () => {
  expect(sources.map(({ path }) => path).filter((path) => folderOf(path) === undefined)).toEqual([]);
  const furnished = new Set(sources.map(({ path }) => folderOf(path)));
  expect(FOLDERS.filter((folder) => !furnished.has(folder))).toEqual([]);
});

test('a folder looks only into folders that stand before it: none of them knows of it', () => {
  const before = new Set<string>();
  for (const { name, below } of FOLDERS) {
    expect({ name, above: below.filter((one) => !before.has(one)) }).toEqual({ name, above: [] });
    before.add(name);
  }
});

test('a file imports only from the folders that its own looks into', () => {
  expect(unexcused(({ path }, imported) => !isInPlan(path, imported))).toEqual([]);
});

test('no folder is said to look into one that it does not', () => {
  const seen = new Set(
    sources.flatMap(({ path, imports }) =>
      imports.filter(ours).map((imported) => `${folderOf(path)?.name} → ${folderOf(imported)?.name}`),
    ),
  );
  const drawn = FOLDERS.flatMap(({ name, below }) => below.map((one) => `${name} → ${one}`));
  expect(drawn.filter((arrow) => !seen.has(arrow))).toEqual([]);
});

test('within the features, routes stand over services, services over stores, and all over words', () => {
  expect(unexcused(({ path }, imported) => !mayImport(path, imported))).toEqual([]);
});

test('no file imports itself by way of others, be it only a type, or late', async () => {
  const scripts = await Promise.all(['scripts', 'test', 'migrations'].map(sourcesUnder));
  const imports = new Map([...sources, ...scripts.flat()].map((one) => [one.path, one.imports]));
  expect(circles(imports)).toEqual([]);
  expect(circles(new Map([...imports, ['a', ['b']], ['b', ['a']]]))).toEqual(['a → b → a']);
});

test('a feature reaches another one only through its service or its model', () => {
  expect(unexcused(({ path }, imported) => isPastTheDoor(path, imported))).toEqual([]);
});

test('each excused import is still there, and still needs its excuse', () => {
  const wrong = complaints(
    ({ path }, imported) =>
      !isInPlan(path, imported) || !mayImport(path, imported) || isPastTheDoor(path, imported),
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
  const isShared = isSharedByMyFamily || floorOf(imported)?.name === 'words';
  return !isShared && !SHARED.test(imported) && floorOf(path)?.name !== 'feature' && !DOOR.test(imported);
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

function isInPlan(path: string, imported: string): boolean {
  const [mine, theirs] = [folderOf(path), folderOf(imported)];
  return mine === theirs || (theirs !== undefined && mine?.below.includes(theirs.name) === true);
}

function mayImport(path: string, imported: string): boolean {
  const mine = floorOf(path);
  return mine === undefined || mine.mayImport.includes(floorOf(imported)?.name ?? 'others');
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
