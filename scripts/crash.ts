/**
 * Kills the real executable with SIGKILL at random moments under parallel writes, imports, table activations
 * and deliveries, and checks after each restart that all acknowledged data exists.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openInboxServer } from './proof/crash/inbox.ts';
import { Lifecycle, type LifeReport } from './proof/crash/lifecycle.ts';
import { ROUND_OPTIONS, Rounds } from './proof/rounds.ts';
import { percentile, printTable } from './proof/table.ts';

/** Rounds of one folder; then all its claims are read back and the next folder begins with a first start. */
const ROUNDS_PER_LIFE = 25;

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, ...ROUND_OPTIONS },
});
const rounds = new Rounds({ name: 'crash', options });
const { folder, onRound } = rounds;
const inboxServer = await openInboxServer(join(folder, 'ca.pem'));
const reports: LifeReport[] = [];
for (const one of rounds.lives(ROUNDS_PER_LIFE)) {
  const lifecycle = new Lifecycle({ ...one, executable: options.executable, inboxServer, onRound });
  reports.push(await lifecycle.run(one.rounds));
}
await inboxServer.close();

const problems = reports.flatMap(({ ledger }) => ledger.problems);
summarise();
rounds.end(
  problems.length === 0,
  problems.length === 0 ? 'nenhuma perda' : `${problems.length} PERDAS; os dados ficaram em ${folder}`,
);

function summarise(): void {
  const sum = (of: (report: LifeReport) => number): number =>
    reports.reduce((total, one) => total + of(one), 0);
  const acknowledged = new Map<string, number>();
  for (const { ledger } of reports)
    for (const [kind, times] of ledger.acknowledged)
      acknowledged.set(kind, (acknowledged.get(kind) ?? 0) + times);
  const recovery = reports.flatMap(({ recoveryMs }) => recoveryMs);
  console.log('');
  printTable(
    ['confirmado', 'vezes'],
    [...acknowledged].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  console.log('');
  printTable(
    ['prova', 'resultado'],
    [
      ['kill -9 sob carga', String(sum(({ kills }) => kills))],
      ['kill -9 durante a partida', String(sum(({ killsAtStart }) => killsAtStart))],
      [
        'gravações confirmadas',
        String([...acknowledged.values()].reduce((total, times) => total + times, 0)),
      ],
      ['releituras', String(sum(({ ledger }) => ledger.checks))],
      ['notificações devidas', String(sum(({ inbox }) => inbox.expected))],
      ['notificações não recebidas', String(sum(({ inbox }) => inbox.missing.length))],
      ['notificações repetidas', String(sum(({ inbox }) => inbox.repeated))],
      ['partida depois da queda, mediana', `${percentile(recovery, 0.5).toFixed(0)} ms`],
      ['partida depois da queda, pior', `${percentile(recovery, 1).toFixed(0)} ms`],
      ['perdas', String(problems.length)],
    ],
  );
}
