/** The executable of each platform that this machine can emulate, through the stories of the native one (`scripts/platforms`). */
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { PLATFORMS, type Platform, launcherOf } from './proof/platforms/platforms.ts';
import { type Told, crashed, storiesOf, tell } from './proof/platforms/stories.ts';
import { printTable } from './proof/table.ts';

/** What cannot be emulated, and what takes its place. */
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
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly why: string;
}

const rows: Row[] = [];
for (const platform of PLATFORMS.filter(({ name }) => options.only.includes(name)))
  rows.push(await tried(platform));
if (!options.tools) {
  console.log('');
  printTable(
    ['plataforma', 'como', 'passaram', 'falharam', 'puladas', 'por quê'],
    rows.map(({ platform, passed, failed, skipped, why }) => [
      ...[platform.title, platform.way, passed, failed, skipped, why],
    ]),
  );
  console.log('');
  for (const { platform, why } of rows.filter((row) => row.failed === 0 && row.why !== ''))
    console.log(`platforms: ATENÇÃO: ${platform.title}: ${why}.`);
  for (const [title, why] of NEVER) console.log(`platforms: ATENÇÃO: ${title}: ${why}.`);
}
process.exit(rows.some(({ failed }) => failed > 0) ? 1 : 0);

async function tried(platform: Platform): Promise<Row> {
  const { title } = platform;
  const nothing = { platform, passed: 0, failed: 0, skipped: 0, why: '' };
  try {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('pede um Linux x64');
    await platform.tools();
  } catch (error) {
    const why = (error as Error).message;
    console.error(`platforms: ATENÇÃO: ${title} NÃO foi posta à prova: ${why}`);
    return { ...nothing, skipped: storiesOf(platform, options.short).length, why };
  }
  if (options.tools) return nothing;
  const launcher = { file: await launcherOf(platform), stopSignal: platform.stopSignal };
  const all: Told[] = [];
  for (const story of storiesOf(platform, options.short))
    all.push(await said(`${title}: ${story.title}`, () => tell(story, launcher)));
  const rounds =
    options.short || platform.slow || platform.onlyShort !== undefined ? 0 : Number(options.rounds);
  if (rounds > 0)
    all.push(await said(`${title}: scripts/crash, ${rounds} rodadas`, () => crashed(launcher, rounds)));
  const sum = (of: (one: Told) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    ...nothing,
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    why:
      platform.onlyShort !== undefined
        ? platform.onlyShort
        : platform.slow && !options.short
          ? 'histórias longas ficam de fora: processador emulado'
          : '',
  };
}

/** Tells it in a line, and of a failure everything. */
async function said(title: string, work: () => Promise<Told>): Promise<Told> {
  const started = performance.now();
  const told = await work();
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${told.failed === 0 ? '✓' : '✗'} ${title}: ${told.passed} passaram, ${told.failed} falharam (${seconds} s)`,
  );
  if (told.failed > 0) console.log(told.output);
  return told;
}
