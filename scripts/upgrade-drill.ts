/**
 * The folder of an older build, upgraded by the real executable under kill -9 (contract section 16,
 * "Upgrades"). After each kill it is unchanged or upgraded, with at most one copy; in the end it contains all
 * data, and the older build serves the copy.
 */
import { parseArgs } from 'node:util';
import { ROUND_OPTIONS, Rounds } from './proof/rounds.ts';
import { printTable } from './proof/table.ts';
import { UpgradeDrill } from './proof/upgrade/drill.ts';
import { buildOf } from './proof/upgrade/old-build.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    ...ROUND_OPTIONS,
    from: { type: 'string', default: 'c3ad120' },
    old: { type: 'string' },
    products: { type: 'string', default: '2000' },
  },
});
const rounds = new Rounds({
  name: 'upgrade-drill',
  options,
  called: 'quedas',
  said: `, de ${options.old ?? options.from}`,
});
const { folder, random, onRound } = rounds;
const old = options.old ?? (await buildOf(options.from, folder));
const drill = new UpgradeDrill({ folder, old, executable: options.executable, random, onRound });
const report = await drill.run(rounds.wanted, Number(options.products));

console.log('');
printTable(
  ['prova', 'resultado'],
  [
    ['kill -9 durante a atualização', String(rounds.done)],
    ['das quais a pasta ficou como era', String(report.unchanged)],
    ['das quais a pasta ficou atualizada', String(report.upgraded)],
    ['das quais já havia a cópia', String(report.copied)],
    ['uma atualização sem queda', `${(report.upgradeMs / 1000).toFixed(2)} s`],
    ['linhas de tabelas conferidas', String(report.rows)],
    ['mudanças depois da atualização, que a volta perde e a trilha lista', String(report.lost)],
    ['perdas', String(report.problems.length)],
  ],
);
for (const problem of report.problems) console.error(`  PERDA: ${problem.slice(0, 500)}`);
const isWell = report.problems.length === 0 && rounds.done === rounds.wanted;
rounds.end(
  isWell,
  isWell ? 'nenhuma perda' : `${report.problems.length} PERDAS; os dados ficaram em ${folder}`,
);
