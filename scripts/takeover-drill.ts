/**
 * Two machines with a real Litestream between them (contract section 26). When every write waits for the
 * replica, no acknowledged write may be missing after a takeover, and two epochs may never write.
 * `--confirmar nunca` reports the losses without the wait.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ROUND_OPTIONS, Rounds } from './proof/rounds.ts';
import { percentile, printTable } from './proof/table.ts';
import { control } from './proof/takeover/control.ts';
import { Drill, type DrillParts, type DrillReport } from './proof/takeover/drill.ts';
import { drillOnMirror } from './proof/takeover/mirror.ts';

/** Rounds of one pair of machines; then the next pair begins with a first start. */
const ROUNDS_PER_LIFE = 5;
/** Contract section 26. */
const BACK_WITHIN_MS = 2000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    ...ROUND_OPTIONS,
    confirmar: { type: 'string', default: 'sempre' },
    on: { type: 'string' },
    control: { type: 'boolean', default: false },
  },
});
const mode = options.confirmar === 'nunca' ? 'nunca' : 'sempre';
const rounds = new Rounds({
  name: 'takeover-drill',
  options,
  perLine: 5,
  within: options.on,
  said: options.control
    ? ' do controle'
    : options.on === undefined
      ? ` com confirmar = ${mode}`
      : ` em ${options.on}`,
});
const reports: DrillReport[] = [];
for (const lifecycle of rounds.lives(ROUNDS_PER_LIFE)) {
  const parts = { ...lifecycle, executable: options.executable, mode, onRound: rounds.onRound } as const;
  const report = await lifeOf(parts, lifecycle.rounds);
  reports.push(report);
  if (report.problems.length === 0) rmSync(lifecycle.folder, { recursive: true, force: true });
}
const problems = reports.flatMap((report) => report.problems);
summarise();
const isWell = problems.length === 0;
rounds.end(isWell, verdict(), !isWell && !options.control);

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
    : `${problems.length} PERDAS; os dados ficaram em ${rounds.folder}`;
}
