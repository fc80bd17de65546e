/** Packages of any Debian release and processor, unpacked into a folder: this machine does not change. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Root {
  readonly folder: string;
  readonly suite: string;
  readonly architecture: string;
  readonly packages: readonly string[];
  /** Includes all dependencies. */
  readonly whole?: boolean;
}

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const MIRROR = 'http://deb.debian.org/debian';

/** Unpacks the packages unless it was done before. Throws a one-line reason when they are unavailable. */
export function unpack({ folder, suite, architecture, packages, whole = false }: Root): void {
  const wanted = JSON.stringify([suite, architecture, packages]);
  const mark = join(folder, '.unpacked');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  for (const program of ['apt-get', 'dpkg-deb'])
    if (Bun.which(program) === null) throw new Error(`falta ${program} (Debian)`);
  if (!existsSync(KEYRING)) throw new Error(`falta ${KEYRING} (Debian)`);
  rmSync(folder, { recursive: true, force: true });
  const apt = ownApt(join(folder, '.apt'), suite, architecture);
  apt('update', '-qq');
  const home = join(folder, '.apt');
  if (whole) apt('install', '-qq', '-y', '--no-install-recommends', '--download-only', ...packages);
  else apt('download', '-qq', ...packages);
  const archives = whole ? join(home, 'cache/archives') : home;
  for (const name of readdirSync(archives).filter((one) => one.endsWith('.deb')))
    run(['dpkg-deb', '-x', join(archives, name), folder], {}, archives);
  rmSync(home, { recursive: true });
  writeFileSync(mark, wanted);
}

/** Returns an apt with its own lists and an empty set of installed packages. */
function ownApt(home: string, suite: string, architecture: string): (...words: readonly string[]) => void {
  const place = resolve(home);
  for (const name of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(join(place, name), { recursive: true });
  writeFileSync(join(place, 'status'), '');
  writeFileSync(join(place, 'sources.list'), `deb [signed-by=${KEYRING}] ${MIRROR} ${suite} main\n`);
  const settings = [
    ...[
      `Dir::State "${place}";`,
      `Dir::State::lists "${place}/lists";`,
      `Dir::State::status "${place}/status";`,
    ],
    ...[`Dir::Cache "${place}/cache";`, `Dir::Etc::sourcelist "${place}/sources.list";`],
    ...[`Dir::Etc::sourceparts "${place}/parts";`, `Dir::Etc::preferencesparts "${place}/parts";`],
    ...[`APT::Architecture "${architecture}";`, `APT::Architectures {"${architecture}";};`],
    ...['Acquire::Languages "none";', 'APT::Sandbox::User "";'],
  ];
  writeFileSync(join(place, 'apt.conf'), settings.join('\n'));
  return (...words) => run(['apt-get', ...words], { APT_CONFIG: join(place, 'apt.conf') }, place);
}

function run(command: readonly string[], env: Record<string, string>, cwd: string): void {
  const { exitCode, stderr } = Bun.spawnSync([...command], {
    cwd: resolve(cwd),
    env: { ...Bun.env, ...env },
    stdin: 'ignore',
  });
  if (exitCode === 0) return;
  const [said = ''] = stderr.toString().trim().split('\n');
  throw new Error(`${command.slice(0, 2).join(' ')} terminou com ${exitCode}: ${said}`);
}
