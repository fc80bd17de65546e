/**
 * Runs the stories of the native executable against each platform that this machine can emulate
 * (`scripts/platforms`).
 */
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { PLATFORMS, type Platform, launcherOf } from './proof/platforms/platforms.ts';
import { type PageRow, writeRows } from './proof/platforms/page.ts';
import { type StoryResult, crashed, storiesOf, tell } from './proof/platforms/stories.ts';
import { printTable } from './proof/table.ts';

/** Platforms that cannot be emulated, and their substitute. */
const NEVER: readonly (readonly [string, string])[] = [
  ['macOS', 'não há emulador; o executável só é compilado'],
];

process.chdir(dirname(import.meta.dir));
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: PLATFORMS.map(({ name }) => name) },
    short: { type: 'boolean', default: false },
    tools: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
});
const unknown = options.only.filter((name) => PLATFORMS.every((one) => one.name !== name));
if (unknown.length > 0) {
  const names = PLATFORMS.map(({ name }) => name).join(', ');
  console.error(`platforms: plataforma desconhecida: ${unknown.join(', ')}. Plataformas: ${names}.`);
  process.exit(2);
}

interface Row {
  readonly platform: Platform;
  readonly all: readonly (StoryResult & { readonly title: string })[];
  readonly skipped: number;
  readonly why: string;
}

const sum = ({ all }: Row, of: 'passed' | 'failed'): number => all.reduce((total, one) => total + one[of], 0);

const requestedPlatforms = PLATFORMS.filter(({ name }) => options.only.includes(name));
// Their addons compile on one core each; their stories would slow each other down.
const rows: Row[] = options.tools ? await Promise.all(requestedPlatforms.map(tried)) : [];
if (!options.tools) for (const platform of requestedPlatforms) rows.push(await tried(platform));
if (!options.tools) {
  console.log('');
  printTable(
    ['plataforma', 'como', 'passaram', 'falharam', 'puladas', 'por quê'],
    rows.map((row) => [
      ...[row.platform.title, row.platform.way, sum(row, 'passed'), sum(row, 'failed'), row.skipped, row.why],
    ]),
  );
  console.log('');
  for (const row of rows.filter(({ why }) => why !== ''))
    if (sum(row, 'failed') === 0) console.log(`platforms: ATENÇÃO: ${row.platform.title}: ${row.why}.`);
  for (const [title, why] of NEVER) console.log(`platforms: ATENÇÃO: ${title}: ${why}.`);
}
if (!options.tools && !options.short) await writeRows(rows.filter(({ all }) => all.length > 0).map(pageRow));
process.exit(rows.some((row) => sum(row, 'failed') > 0) ? 1 : 0);

async function tried(platform: Platform): Promise<Row> {
  const { title, lacks } = platform;
  const stories = storiesOf(platform, options.short);
  try {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('pede um Linux x64');
    await platform.tools();
  } catch (error) {
    const why = (error as Error).message;
    console.error(`platforms: ATENÇÃO: ${title} NÃO foi posta à prova: ${why}`);
    return { platform, all: [], skipped: stories.length, why };
  }
  const all: Row['all'][number][] = [];
  if (options.tools) return { platform, all, skipped: 0, why: '' };
  const launcher = { file: await launcherOf(platform), platform };
  for (const story of stories) all.push(await report(title, story.title, () => tell(story, launcher)));
  const rounds = options.short ? 0 : Number(options.rounds);
  if (rounds > 0)
    all.push(await report(title, `scripts/crash, ${rounds} rodadas`, () => crashed(launcher, rounds)));
  const skipped = all.reduce((total, one) => total + one.skipped, 0);
  return { platform, all, skipped, why: options.short ? '' : (lacks?.why ?? '') };
}

/** Reports the result in one line, and a failure in full. */
async function report(
  platform: string,
  title: string,
  work: () => Promise<StoryResult>,
): Promise<Row['all'][number]> {
  const started = performance.now();
  const result = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${result.failed === 0 ? '✓' : '✗'} ${platform}: ${title}: ${result.passed} passaram, ${result.failed} falharam (${seconds} s)`,
  );
  if (result.failed > 0) console.log(result.output);
  return { ...result, title };
}

function pageRow({ platform: { title, way }, all, why }: Row): PageRow {
  const day = new Date().toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' });
  const stories = all.map((one) => `${one.title}: ${one.passed} de ${one.passed + one.failed}`).join('; ');
  return { title, way, seen: `${day}: ${stories}.${why === '' ? '' : ` Nem todas: ${why}.`}` };
}
