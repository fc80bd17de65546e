/**
 * Two real executables, one synchronized with the other: faults of every kind between them, kill -9 of
 * either, full hours and daily stops on their test clocks, changes on both sides. After each round no record
 * may be duplicated or missing (contract section 18).
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Drill, type DrillReport } from './proof/remote/drill.ts';
import { ROUND_OPTIONS, Rounds } from './proof/rounds.ts';
import { printTable } from './proof/table.ts';

/** Rounds of one pair of folders; then the next pair begins with a first start. */
const ROUNDS_PER_LIFE = 20;
const SHOWN_STRAYS = 30;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    ...ROUND_OPTIONS,
    control: { type: 'boolean', default: false },
  },
});
const isControl = options.control;
const rounds = new Rounds({ name: 'remote-drill', options, said: isControl ? ' do controle' : '' });
const reports: DrillReport[] = [];
for (const lifecycle of rounds.lives(ROUNDS_PER_LIFE)) {
  const { executable } = options;
  const report = await new Drill({ ...lifecycle, executable, isControl, onRound: rounds.onRound }).run(
    lifecycle.rounds,
  );
  reports.push(report);
  if (report.problems.length + report.strays.length === 0)
    rmSync(lifecycle.folder, { recursive: true, force: true });
}
const problems = [...new Set(reports.flatMap((report) => report.problems))];
const strays = reports.flatMap((report) => report.strays);
const late = reports.flatMap((report) => report.late);
summarise();
const isWell = problems.length + strays.length === 0;
rounds.end(isWell, verdict(), !isWell && !isControl);

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
      ['horas cheias e paradas de que o remoto falou', sum('reportedLimits')],
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
  for (const one of strays.slice(0, SHOWN_STRAYS)) console.error(`  visita: ${one}`);
}

function verdict(): string {
  if (problems.length + strays.length === 0)
    return isControl
      ? 'NENHUMA duplicata do controle; esta prova não prova nada'
      : 'nada duas vezes, nada perdido';
  if (isControl)
    return `${problems.length} perdas e duplicatas do controle, ${strays.length} pedidos em hora fechada, como tem de ser`;
  return `${problems.length} PERDAS OU DUPLICATAS, ${strays.length} PEDIDOS EM HORA FECHADA; os dados ficaram em ${rounds.folder}`;
}
