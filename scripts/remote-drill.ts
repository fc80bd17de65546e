/**
 * Two real executables, one in step with the other: faults of every kind on the way, kill -9 of either, full hours and daily stops
 * on their test clocks, changes on both sides. After each round nothing may be there twice or not at all (contract section 18).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshSeed, randomOf } from './proof/random.ts';
import { Drill, type DrillReport } from './proof/remote/drill.ts';
import { printTable } from './proof/table.ts';

/** Both folders live so long; then the next pair begins with a first start. */
const ROUNDS_PER_LIFE = 20;
const ROUNDS_PER_LINE = 10;
const SHOWN_PROBLEMS = 30;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string' },
    executable: { type: 'string' },
    control: { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
const isControl = options.control;
const random = randomOf(options.seed === undefined ? freshSeed() : Number(options.seed));
console.log(`remote-drill: ${rounds} rodadas${isControl ? ' do controle' : ''}, semente ${random.seed}`);

const started = performance.now();
const seconds = (): string => ((performance.now() - started) / 1000).toFixed(0);
const folder = mkdtempSync(join(tmpdir(), 'catp-remote-drill-'));
const reports: DrillReport[] = [];
let done = 0;
let shown = 0;
const onRound = (problems: readonly string[]): void => {
  done += 1;
  for (const problem of problems)
    if ((shown += 1) <= SHOWN_PROBLEMS) console.error(`  rodada ${done}: ${problem}`);
  if (done % ROUNDS_PER_LINE === 0) console.log(`  ${done} rodadas, ${seconds()} s`);
};
for (let left = rounds, life = 1; left > 0; left -= ROUNDS_PER_LIFE, life += 1) {
  // Each life has its own chance, so that a later one can be repeated whatever the earlier ones drew.
  const own = randomOf(random.seed + life);
  const place = join(folder, `vida-${life}`);
  const drill = new Drill({ folder: place, executable: options.executable, random: own, isControl, onRound });
  const report = await drill.run(Math.min(left, ROUNDS_PER_LIFE));
  reports.push(report);
  if (report.problems.length + report.strays.length === 0) rmSync(place, { recursive: true, force: true });
}
const problems = [...new Set(reports.flatMap((report) => report.problems))];
const strays = reports.flatMap((report) => report.strays);
const late = reports.flatMap((report) => report.late);
summarise();
const isWell = problems.length + strays.length === 0;
if (isWell || isControl) rmSync(folder, { recursive: true, force: true });
process.exit(isWell ? 0 : 1);

function summarise(): void {
  const sum = (name: string): number =>
    reports.reduce((total, { figures }) => total + (figures[name] ?? 0), 0);
  const faults = new Map<string, number>();
  for (const report of reports)
    for (const [kind, times] of report.faults) faults.set(kind, (faults.get(kind) ?? 0) + times);
  console.log('');
  printTable(
    ['falha', 'vezes'],
    [...faults].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  console.log('');
  printTable(
    ['prova', 'resultado'],
    [
      ['pedidos ao remoto', sum('requests')],
      ['kill -9', sum('kills')],
      ['mudanças aqui', sum('changesHere')],
      ['mudanças lá', sum('changesThere')],
      ['comparações', sum('comparisons')],
      ['comparações que falharam', sum('failed')],
      ['descansos', sum('rests')],
      ['horas cheias e paradas de que o remoto falou', sum('told')],
      ['pedidos dentro delas', strays.length],
      ['envios parados e continuados', sum('pauses')],
      ['passos enviados', sum('sent')],
      ['passos adotados', sum('adopted')],
      ['passos enviados de novo', sum('retries')],
      ['passos trazidos', sum('fetched')],
      ['passos que ficaram incertos', sum('uncertain')],
      ['feitos lá depois de um minuto', sum('lates')],
      ['duplicatas disso, cada uma nomeada', late.length],
      ['perdas e duplicatas', problems.length],
    ],
  );
  for (const one of late) console.log(`  tarde: ${one}`);
  for (const one of strays.slice(0, SHOWN_PROBLEMS)) console.error(`  visita: ${one}`);
  console.log(`\nremote-drill: ${done} rodadas em ${seconds()} s, semente ${random.seed}: ${verdict()}`);
}

function verdict(): string {
  if (problems.length + strays.length === 0)
    return isControl
      ? 'NENHUMA duplicata do controle; esta prova não prova nada'
      : 'nada duas vezes, nada perdido';
  if (isControl)
    return `${problems.length} perdas e duplicatas do controle, ${strays.length} pedidos em hora fechada, como tem de ser`;
  return `${problems.length} PERDAS OU DUPLICATAS, ${strays.length} PEDIDOS EM HORA FECHADA; os dados ficaram em ${folder}`;
}
