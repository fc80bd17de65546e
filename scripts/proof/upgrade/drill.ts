/**
 * One folder: filled by the older build, upgraded under kills, checked completely, and rolled back from the
 * copy.
 */
import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { structureProblems } from '../database.ts';
import { type Random, randomOf } from '../random.ts';
import { Load, shownBy, signedIn } from '../restore/load.ts';
import { type Claim, type RestoredState, missingIn } from '../restore/claims.ts';
import { executableOf, startServer } from '../server.ts';
import { toEnd } from '../to-end.ts';
import { type Content, contentOf, differencesOf, rowsIn, schemaOf } from './content.ts';
import { importProducts, linkProducts } from './records.ts';

const COMPANY = '12345678';
const LOAD_MS = 500;
/**
 * First number in the names of records after the upgrade. No name before the upgrade has it or a higher one.
 */
const LATER_NAMES = 1_000_000;
const IMPORTED = 270;
/** A kill comes up to this share of an upgrade's time after the start. */
const LATEST_KILL = 1.5;
const QUIET = ['--set', 'log.nivel=error'];

export interface UpgradeDrillParts {
  readonly folder: string;
  /** The executable of the older version. */
  readonly old: string;
  readonly executable: string | undefined;
  readonly random: Random;
  readonly onRound: (problems: readonly string[]) => void;
}

export interface UpgradeReport {
  readonly problems: readonly string[];
  readonly unchanged: number;
  readonly upgraded: number;
  /** Kills after which a copy existed, and the folder was unchanged. */
  readonly copied: number;
  readonly upgradeMs: number;
  readonly rows: number;
  /** Changes of the upgraded folder that the copy lacks; the audit trail lists each. */
  readonly lost: number;
}

export class UpgradeDrill {
  readonly #parts: UpgradeDrillParts;
  readonly #executable: string;
  readonly #data: string;
  /** The folder in the state of the older version. */
  readonly #before: string;
  readonly #problems: string[] = [];

  constructor(parts: UpgradeDrillParts) {
    this.#parts = parts;
    this.#executable = executableOf(parts.executable);
    this.#data = join(parts.folder, 'dados');
    this.#before = join(parts.folder, 'antes');
  }

  async run(kills: number, products: number): Promise<UpgradeReport> {
    const load = await this.#fill(products);
    const before = contentOf(databaseIn(this.#before));
    const schema = schemaOf(databaseIn(this.#before));
    const upgradeMs = await this.#timeOfUpgrade();
    const counts = { unchanged: 0, upgraded: 0, copied: 0 };
    for (let kill = 1; kill <= kills; kill += 1) {
      await this.#killedAfter(this.#parts.random.next() * upgradeMs * LATEST_KILL, kill);
      const isUpgraded = schemaOf(databaseIn(this.#data)) !== schema;
      const problems = this.#problemsOf(before, isUpgraded).map((one) => `queda ${kill}: ${one}`);
      this.#problems.push(...problems);
      this.#parts.onRound(problems);
      counts[isUpgraded ? 'upgraded' : 'unchanged'] += 1;
      if (!isUpgraded && this.#copies.length > 0) counts.copied += 1;
      if (isUpgraded) this.#putBack();
    }
    await this.#lookAtUpgraded(load, before);
    const later = await this.#use();
    const lost = await this.#goBack(load, before, later);
    return { problems: this.#problems, ...counts, upgradeMs, rows: rowsIn(before), lost };
  }

  /** Fills the folder with the older executable. */
  async #fill(products: number): Promise<Load> {
    const { old, random } = this.#parts;
    const size = ['--products', String(products), '--operators', '50', '--links', '100'];
    await done(old, ['seed', '--data', this.#data, ...size]);
    const server = startServer({ executable: old, data: this.#data, flags: QUIET });
    const users = await signedIn(await server.ready);
    const load = new Load(users, randomOf(random.integer(1, 2 ** 31)));
    load.start();
    await Bun.sleep(LOAD_MS);
    await load.stop();
    await importProducts(users.demo, IMPORTED);
    await linkProducts(users.demo, load.claims);
    await server.stop();
    this.#problems.push(...load.problems);
    cpSync(this.#data, this.#before, { recursive: true });
    return load;
  }

  async #timeOfUpgrade(): Promise<number> {
    const began = performance.now();
    await done(this.#executable, ['migrate', '--data', this.#data]);
    const took = performance.now() - began;
    if (this.#copies.length === 0) throw new Error(`não há o que atualizar da versão de ${this.#parts.old}`);
    this.#putBack();
    return took;
  }

  /** Kills an upgrade: half of them run in the server, half in the command. */
  async #killedAfter(ms: number, turn: number): Promise<void> {
    const words = turn % 2 === 0 ? ['migrate'] : ['dev', '--empty', '--port', '0'];
    const child = Bun.spawn([this.#executable, ...words, '--data', this.#data], {
      cwd: this.#parts.folder,
      env: {},
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await Bun.sleep(ms);
    child.kill('SIGKILL');
    await child.exited;
  }

  #problemsOf(before: Content, isUpgraded: boolean): readonly string[] {
    const database = databaseIn(this.#data);
    const copies = this.#copies.length;
    const isWellCopied = isUpgraded ? copies === 1 : copies <= 1;
    return [
      ...differencesOf(before, contentOf(database, before)),
      ...structureProblems(database),
      ...(isWellCopied ? [] : [`${copies} cópias de uma atualização`]),
    ];
  }

  get #backups(): string {
    return join(this.#data, 'backups');
  }
  get #copies(): readonly string[] {
    if (!existsSync(this.#backups)) return [];
    return readdirSync(this.#backups).filter((name) => name.endsWith('.zip'));
  }

  #putBack(): void {
    rmSync(this.#data, { recursive: true });
    cpSync(this.#before, this.#data, { recursive: true });
  }

  /** Checks the upgraded folder. The last kills may have left a copy: the finishing upgrade uses it. */
  async #lookAtUpgraded(load: Load, before: Content): Promise<void> {
    await this.#look(this.#executable, this.#data, load);
    this.#problems.push(...this.#problemsOf(before, true).map((one) => `atualizada: ${one}`));
    await done(this.#executable, ['audit', 'verify', '--data', this.#data]);
  }

  /** Works with the upgraded folder. Returns the changes, and the subjects that the trail lists since then. */
  async #use(): Promise<Later> {
    const workBegin = new Date().toISOString();
    const server = startServer({ executable: this.#executable, data: this.#data, flags: QUIET });
    const random = randomOf(this.#parts.random.integer(1, 2 ** 31));
    const load = new Load(await signedIn(await server.ready), random, LATER_NAMES);
    load.start();
    await Bun.sleep(LOAD_MS);
    await load.stop();
    await server.stop();
    this.#problems.push(...load.problems);
    const trail = await done(this.#executable, [
      'audit',
      'export',
      '--since',
      workBegin,
      '--data',
      this.#data,
    ]);
    const entries = trail
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly subject: string });
    return { claims: load.claims, subjects: new Set(entries.map(({ subject }) => subject)) };
  }

  /** Serves the folder, and reads all data acknowledged before. */
  async #look(executable: string, data: string, load: Load): Promise<RestoredState> {
    const server = startServer({ executable, data, flags: QUIET });
    const claims = await shownBy(await signedIn(await server.ready));
    for (const claim of missingIn(claims, load.claims)) this.#problems.push(`falta ${JSON.stringify(claim)}`);
    await server.stop();
    return claims;
  }

  /** Returns the number of lost changes. The trail of the upgraded folder must list each of them. */
  async #goBack(load: Load, before: Content, later: Later): Promise<number> {
    const { old, folder } = this.#parts;
    const [copy = ''] = this.#copies;
    const back = join(folder, 'de-volta');
    await done(old, ['restore', join(this.#backups, copy), '--to', back]);
    copyFileSync(join(this.#data, 'catp.key'), join(back, 'catp.key'));
    const differences = differencesOf(before, contentOf(databaseIn(back), before));
    this.#problems.push(...differences.map((one) => `de volta: ${one}`));
    const lost = missingIn(await this.#look(old, back, load), later.claims);
    for (const claim of lost)
      if (!later.subjects.has(subjectOf(claim)))
        this.#problems.push(`perdido sem estar na trilha: ${JSON.stringify(claim)}`);
    await done(old, ['audit', 'verify', '--data', back]);
    return lost.length;
  }
}

/** The changes that were written after the upgrade, and the subjects that the trail lists for them. */
interface Later {
  readonly claims: readonly Claim[];
  readonly subjects: ReadonlySet<string>;
}

/** Returns the subject of the claim in the audit trail. */
function subjectOf(claim: Claim): string {
  switch (claim.kind) {
    case 'produto':
      return `produto ${COMPANY}/${claim.codigo}`;
    case 'operador':
      return `operador ${COMPANY}/${claim.codigo}`;
    case 'assinatura':
      return `assinatura ${claim.id}`;
    case 'empresa':
      return `empresa ${claim.raiz}`;
  }
}

const databaseIn = (data: string): string => join(data, 'catp.sqlite');

/** Returns the output. Throws when the exit code is not 0. */
async function done(program: string, words: readonly string[]): Promise<string> {
  const { code, out, err } = await toEnd([program, ...words], { cwd: dirname(program), env: {} });
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} terminou com ${code}:\n${err}`);
  return out;
}
