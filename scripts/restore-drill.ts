/**
 * Makes backups with the real executable next to a server under full write load, restores each one, starts a
 * server on it, and checks that every write acknowledged before the backup began exists.
 */
import { parseArgs } from 'node:util';
import { drill } from './proof/restore/drill.ts';
import { ROUND_OPTIONS, Rounds } from './proof/rounds.ts';
import { percentile, printTable } from './proof/table.ts';

const SHOWN_PROBLEMS = 20;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, ...ROUND_OPTIONS },
});
const rounds = new Rounds({ name: 'restore-drill', options, called: 'cópias' });
const { folder, random, onRound } = rounds;
const report = await drill({ folder, executable: options.executable, random, onRound }, rounds.wanted);

const ms = (values: readonly number[], share: number): string => `${percentile(values, share).toFixed(1)} ms`;
console.log('');
printTable(
  ['prova', 'resultado'],
  [
    ['cópias sob carga, restauradas e iniciadas', String(rounds.done)],
    ['gravações confirmadas', String(report.acknowledged)],
    ['das quais enquanto se copiava', String(report.meanwhile)],
    ['conferidas nas restauradas', String(report.checked)],
    ['tempo de uma cópia, mediana', ms(report.backupMs, 0.5)],
    ['tempo de uma cópia, pior', ms(report.backupMs, 1)],
    ['tempo de uma restauração, mediana', ms(report.restoreMs, 0.5)],
    ['última cópia', `${(report.bytes / 2 ** 20).toFixed(1)} MiB`],
    ['GET sob a mesma carga sem cópia, p99', ms(report.getMs.without, 0.99)],
    ['GET durante uma cópia, p99', ms(report.getMs.during, 0.99)],
    ['perdas', String(report.problems.length)],
  ],
);
for (const problem of report.problems.slice(0, SHOWN_PROBLEMS))
  console.error(`  PERDA: ${problem.slice(0, 500)}`);
const isGood = report.problems.length === 0 && rounds.done === rounds.wanted;
rounds.end(
  isGood,
  isGood ? 'nenhuma perda' : `${report.problems.length} PERDAS; os dados ficaram em ${folder}`,
);
