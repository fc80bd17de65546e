/**
 * One folder on a block-mirrored disk: the second machine opens the folder of the first, as after a power
 * cut.
 */
import { join } from 'node:path';
import { signIn } from '../client.ts';
import { problemsOfDailyWork } from '../daily-work.ts';
import { structureProblems } from '../database.ts';
import { startServer } from '../server.ts';
import type { DrillParts, DrillReport } from './drill.ts';
import { until } from './litestream.ts';
import { Ledger, Load } from './load.ts';

const LOAD_MS = { from: 400, to: 1500 } as const;
const OK = 200;

export async function drillOnMirror(
  { folder, executable, random, onRound }: DrillParts,
  rounds: number,
): Promise<DrillReport> {
  const data = join(folder, 'dados');
  const ledger = new Ledger();
  const report = { problems: [] as string[], backMs: [] as number[], perSecond: [] as number[] };
  const start = () => startServer({ executable, data, flags: ['--set', 'log.nivel=warning'] });
  let server = start();
  let client = await signIn(await server.ready, 'demo');
  for (let round = 1; round <= rounds; round += 1) {
    const load = new Load(ledger, client, `a máquina ${round}`);
    const [began, before] = [performance.now(), ledger.acknowledged.length];
    await Bun.sleep(random.integer(LOAD_MS.from, LOAD_MS.to));
    await server.kill9();
    const decided = performance.now();
    await load.stop();
    report.perSecond.push((ledger.acknowledged.length - before) / ((decided - began) / 1000));
    server = start();
    client = await signIn(await server.ready, 'demo');
    await until(async () => (await ledger.include(client, `a máquina ${round + 1}`)) === OK);
    report.backMs.push(performance.now() - decided);
    const database = join(data, 'catp.sqlite');
    const problems = [
      ...(await problemsOfDailyWork(await server.ready, round)),
      ...ledger.missingIn(database).map(({ name, by }) => `${name}, confirmada por ${by}, não está lá`),
      ...structureProblems(database),
    ];
    report.problems.push(...problems);
    onRound(problems);
  }
  await server.kill9();
  const backs = { recusada: 0, 'só consultas': 0 };
  return { ...report, acknowledged: ledger.acknowledged.length, lost: [], backs };
}
