/** One folder under load: backups next to the server, each restored, started and read back. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toEnd } from '../to-end.ts';
import type { Manifest } from '../../../src/backup/model.ts';
import { unzipSync } from 'fflate';
import { problemsOfDailyWork } from '../daily-work.ts';
import { structureProblems } from '../database.ts';
import { type Random, randomOf } from '../random.ts';
import { type Server, executableOf, startServer } from '../server.ts';
import { type Claim, missingIn } from './claims.ts';
import { Load, shownBy, signedIn, versionOf } from './load.ts';

/** Duration of the load before a backup begins. */
const LOAD_MS = { from: 100, to: 600 } as const;
/** Versions read back one by one and compared as text, in addition to the lists of all. */
const VERSIONS_READ = 200;

export interface DrillParts {
  readonly folder: string;
  readonly executable: string | undefined;
  readonly random: Random;
  readonly onRound: () => void;
}

export interface DrillReport {
  readonly problems: readonly string[];
  readonly rounds: number;
  readonly acknowledged: number;
  /** Claims that were due in a restored folder, over all rounds. */
  readonly checked: number;
  readonly backupMs: readonly number[];
  readonly restoreMs: readonly number[];
  readonly bytes: number;
  /** Writes that were acknowledged during a backup. */
  readonly meanwhile: number;
  readonly getMs: { readonly without: readonly number[]; readonly during: readonly number[] };
}

export async function drill(parts: DrillParts, rounds: number): Promise<DrillReport> {
  const { folder, executable, random, onRound } = parts;
  const data = join(folder, 'dados');
  const server = startServer({ executable, data, flags: ['--set', 'log.nivel=error'] });
  const load = new Load(await signedIn(await server.ready), randomOf(random.integer(1, 2 ** 31)));
  const problems = load.problems;
  const getMs = { without: [] as number[], during: [] as number[] };
  const report = { backupMs: [] as number[], restoreMs: [] as number[], checked: 0, bytes: 0, meanwhile: 0 };
  const command = (...args: string[]): Promise<string> => run(executableOf(executable), args);
  for (let round = 1; round <= rounds && problems.length === 0; round += 1) {
    load.start();
    const until = performance.now() + random.integer(LOAD_MS.from, LOAD_MS.to);
    await Bun.sleep(LOAD_MS.from / 2);
    getMs.without.push(...(await load.reading(() => performance.now() > until)));
    const due = load.claims.length;
    const began = performance.now();
    let isMade = false;
    const making = command(
      'backup',
      '--data',
      data,
      '--to',
      join(folder, 'copias'),
      '--keep',
      '1',
      '--with-keys',
    ).finally(() => (isMade = true));
    making.catch(() => undefined); // the caller that awaits it reports it
    getMs.during.push(...(await load.reading(() => isMade)));
    const file = /feita: (\S+\.zip)/.exec(await making)?.[1] ?? '';
    report.backupMs.push(performance.now() - began);
    report.meanwhile += load.claims.length - due;
    await load.stop();

    const restored = join(folder, `restaurada-${round}`);
    const beganRestore = performance.now();
    await command('restore', file, '--to', restored);
    report.restoreMs.push(performance.now() - beganRestore);
    report.bytes = Bun.file(file).size;
    const claims = load.claims.slice(0, due);
    problems.push(
      ...(await problemsOf({ restored, file, claims, parts })).map((one) => `cópia ${round}: ${one}`),
    );
    report.checked += due;
    rmSync(restored, { recursive: true, force: true });
    onRound();
  }
  await server.stop().catch((error: Error) => void problems.push(error.message));
  return { ...report, problems, rounds, acknowledged: load.claims.length, getMs };
}

interface Look {
  readonly restored: string;
  readonly file: string;
  readonly claims: readonly Claim[];
  readonly parts: DrillParts;
}

/** Checks all due claims through a server on the restored folder; then the file itself. */
async function problemsOf({
  restored,
  file,
  claims,
  parts: { executable, random },
}: Look): Promise<readonly string[]> {
  const problems: string[] = [];
  const server: Server = startServer({ executable, data: restored, flags: ['--set', 'log.nivel=error'] });
  const url = await server.ready;
  const users = await signedIn(url);
  for (const claim of missingIn(await shownBy(users), claims))
    problems.push(`falta ${JSON.stringify(claim)}`);
  const versions = claims.filter((claim) => claim.kind === 'produto');
  for (let read = 0; read < VERSIONS_READ && versions.length > 0; read += 1) {
    const { codigo, versao, text } = random.pick(versions);
    const answer = await versionOf(users, codigo, versao);
    if (answer !== text) problems.push(`produto ${codigo}/${versao}: está ${answer}; confirmado ${text}`);
  }
  problems.push(...(await problemsOfDailyWork(url, 1)));
  await server.stop();
  const { counts } = await manifestOf(file);
  if (counts.productVersions < versions.length)
    problems.push(
      `${counts.productVersions} versões de produtos na cópia; ${versions.length} confirmadas antes`,
    );
  problems.push(...structureProblems(join(restored, 'catp.sqlite')));
  return problems;
}

async function manifestOf(file: string): Promise<Manifest> {
  const only = unzipSync(await Bun.file(file).bytes(), { filter: ({ name }) => name === 'manifest.json' });
  return JSON.parse(new TextDecoder().decode(only['manifest.json'])) as Manifest;
}

/** Returns the output. Throws when the exit code is not 0. */
async function run(executable: string, args: readonly string[]): Promise<string> {
  const { code, out, err } = await toEnd([executable, ...args], { cwd: dirname(executable), env: {} });
  if (code !== 0) throw new Error(`catp ${args.join(' ')} terminou com ${code}:\n${err}`);
  return out;
}
