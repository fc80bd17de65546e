/**
 * Makes backups with the real executable beside a server under full write load, restores each one, starts a server on it, and
 * sees that every write is there that was acknowledged before the backup began.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freshSeed, randomOf } from './proof/random.ts';
import { drill } from './proof/restore/drill.ts';
import { percentile, printTable } from './proof/table.ts';

const ROUNDS_PER_LINE = 10;
const SHOWN_PROBLEMS = 20;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string' },
    executable: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const random = randomOf(options.seed === undefined ? freshSeed() : Number(options.seed));
console.log(`restore-drill: ${rounds} cópias, semente ${random.seed}`);

const started = performance.now();
const seconds = (): string => ((performance.now() - started) / 1000).toFixed(0);
const folder = mkdtempSync(join(tmpdir(), 'catp-restore-'));
let done = 0;
const report = await drill(
  {
    folder,
    executable: options.executable,
    random,
    onRound: () => {
      done += 1;
      if (done % ROUNDS_PER_LINE === 0) console.log(`  ${done} cópias, ${seconds()} s`);
    },
  },
  rounds,
);

const ms = (values: readonly number[], share: number): string => `${percentile(values, share).toFixed(1)} ms`;
console.log('');
printTable(
  ['prova', 'resultado'],
  [
    ['cópias sob carga, restauradas e iniciadas', String(done)],
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
const isGood = report.problems.length === 0 && done === rounds;
if (isGood) rmSync(folder, { recursive: true, force: true });
const verdict = isGood ? 'nenhuma perda' : `${report.problems.length} PERDAS; os dados ficaram em ${folder}`;
console.log(`\nrestore-drill: ${done} cópias em ${seconds()} s, semente ${random.seed}: ${verdict}`);
process.exit(isGood ? 0 : 1);
