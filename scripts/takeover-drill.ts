/**
 * Two machines with a real Litestream between them (contract section 26): where every write waits for the replica none that was
 * acknowledged may be missing after a takeover, and never may two epochs write. `--confirmar nunca` tells what is lost without.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshSeed, randomOf } from './proof/random.ts';
import { percentile, printTable } from './proof/table.ts';
import { control } from './proof/takeover/control.ts';
import { Drill, type DrillParts, type DrillReport } from './proof/takeover/drill.ts';
import { drillOnMirror } from './proof/takeover/mirror.ts';

/** Both machines live so long; then the next pair begins with a first start. */
const ROUNDS_PER_LIFE = 5;
const ROUNDS_PER_LINE = 5;
const SHOWN_PROBLEMS = 20;
/** Contract section 26. */
const BACK_WITHIN_MS = 2000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    seed: { type: 'string' },
    executable: { type: 'string' },
    confirmar: { type: 'string', default: 'sempre' },
    on: { type: 'string' },
    control: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const mode = options.confirmar === 'nunca' ? 'nunca' : 'sempre';
const random = randomOf(options.seed === undefined ? freshSeed() : Number(options.seed));
const what = options.control
  ? 'do controle'
  : options.on === undefined
    ? `com confirmar = ${mode}`
    : `em ${options.on}`;
console.log(`takeover-drill: ${rounds} rodadas ${what}, semente ${random.seed}`);

const started = performance.now();
const seconds = (): string => ((performance.now() - started) / 1000).toFixed(0);
const folder = mkdtempSync(join(options.on ?? tmpdir(), 'catp-takeover-'));
let done = 0;
let shown = 0;
const onRound = (problems: readonly string[]): void => {
  done += 1;
  for (const problem of problems)
    if ((shown += 1) <= SHOWN_PROBLEMS) console.error(`  rodada ${done}: ${problem}`);
  if (done % ROUNDS_PER_LINE === 0) console.log(`  ${done} rodadas, ${seconds()} s`);
};
const reports: DrillReport[] = [];
for (let left = rounds, life = 1; left > 0; left -= ROUNDS_PER_LIFE, life += 1) {
  const place = join(folder, `vida-${life}`);
  const own = randomOf(random.seed + life);
  const parts = { folder: place, executable: options.executable, random: own, mode, onRound } as const;
  const report = await lifeOf(parts, Math.min(left, ROUNDS_PER_LIFE));
  reports.push(report);
  if (report.problems.length === 0) rmSync(place, { recursive: true, force: true });
}
const problems = reports.flatMap((report) => report.problems);
summarise();
const isWell = problems.length === 0;
if (isWell || options.control) rmSync(folder, { recursive: true, force: true });
process.exit(isWell ? 0 : 1);

function lifeOf(parts: DrillParts, count: number): Promise<DrillReport> {
  if (options.control) return control(parts, count);
  return options.on === undefined ? new Drill(parts).run(count) : drillOnMirror(parts, count);
}

function summarise(): void {
  const all = <T>(of: (report: DrillReport) => readonly T[]): readonly T[] => reports.flatMap(of);
  const backMs = all((report) => report.backMs);
  const lost = all((report) => report.lost);
  const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
  console.log('');
  printTable(
    ['prova', 'resultado'],
    [
      ['tomadas', String(backMs.length)],
      ['gravações confirmadas', String(reports.reduce((sum, { acknowledged }) => sum + acknowledged, 0))],
      [
        'por segundo até a queda, mediana',
        percentile(
          all((one) => one.perSecond),
          0.5,
        ).toFixed(0),
      ],
      ['da decisão a um 200, mediana', inSeconds(percentile(backMs, 0.5))],
      ['da decisão a um 200, pior', inSeconds(percentile(backMs, 1))],
      ['dentro de 2 s', `${backMs.filter((ms) => ms <= BACK_WITHIN_MS).length} de ${backMs.length}`],
      ['voltas recusadas', String(reports.reduce((sum, { backs }) => sum + backs.recusada, 0))],
      ['voltas a só consultas', String(reports.reduce((sum, { backs }) => sum + backs['só consultas'], 0))],
      ...(lost.length === 0
        ? []
        : [
            [
              'sem espera: perdidas em uma tomada, mediana',
              String(
                percentile(
                  lost.map(({ count }) => count),
                  0.5,
                ),
              ),
            ],
            [
              'sem espera: perdidas em uma tomada, mais',
              String(
                percentile(
                  lost.map(({ count }) => count),
                  1,
                ),
              ),
            ],
            [
              'a mais antiga delas, antes da decisão',
              inSeconds(
                percentile(
                  lost.map(({ oldestMs }) => oldestMs),
                  1,
                ),
              ),
            ],
          ]),
      ['perdas e gravações de duas épocas', String(problems.length)],
    ],
  );
  console.log(`\ntakeover-drill: ${done} rodadas em ${seconds()} s, semente ${random.seed}: ${verdict()}`);
}

function verdict(): string {
  if (problems.length === 0)
    return options.control
      ? 'NENHUMA perda do controle; esta prova não prova nada'
      : mode === 'nunca' && options.on === undefined
        ? 'o que se perdeu está dito acima; nunca duas épocas gravaram'
        : 'nenhuma perda, nunca duas épocas';
  return options.control
    ? `${problems.length} perdas do controle, como tem de ser`
    : `${problems.length} PERDAS; os dados ficaram em ${folder}`;
}
