/**
 * The control without epochs: the new server continues in the replica of the old one, and the old one returns
 * unchanged. It must lose writes.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DrillParts, type DrillReport, freePorts } from './drill.ts';
import { inStep } from './litestream.ts';
import { Ledger, Load } from './load.ts';
import { Machine } from './machine.ts';

/** Both servers run at once. */
const TOGETHER_MS = 3000;
const ALONE_MS = 800;

export async function control(
  { folder, executable, onRound }: DrillParts,
  rounds: number,
): Promise<DrillReport> {
  const report: DrillReport = {
    problems: [],
    acknowledged: 0,
    backMs: [],
    perSecond: [],
    lost: [],
    backs: { recusada: 0, 'só consultas': 0 },
  };
  let acknowledged = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const place = join(folder, `rodada-${round}`);
    mkdirSync(join(place, 'replica'), { recursive: true });
    const [one, other] = freePorts();
    // No write waits for the replica: only the epoch keeps one machine from writing.
    const all = { folder: place, executable, mode: 'nunca', partnerPort: undefined } as const;
    const machines = [
      new Machine({ ...all, name: 'a', port: one }),
      new Machine({ ...all, name: 'b', port: other }),
    ] as const;
    const ledger = new Ledger();
    const problems = await withoutEpochs(machines, `file://${join(place, 'replica', 'norte')}`, ledger);
    acknowledged += ledger.acknowledged.length;
    report.problems.push(...problems);
    onRound(problems.slice(0, 1));
  }
  return { ...report, acknowledged };
}

async function withoutEpochs(
  [old, next]: readonly [Machine, Machine],
  url: string,
  ledger: Ledger,
): Promise<readonly string[]> {
  try {
    await old.prepare();
    old.serve();
    old.replicateTo(url);
    await inStep(old);
    await next.followFrom(old, url);
    const oldClient = await old.client();
    await written(new Load(ledger, oldClient, 'a'), ALONE_MS);
    await inStep(old); // no write is missing before the takeover
    await old.kill9();
    await next.readToTheEnd(url);
    next.replicateTo(url);
    next.pretendToBe(old);
    next.serve();
    const client = await next.client();
    await written(new Load(ledger, client, 'b'), ALONE_MS);
    old.replicate();
    await old.serve().ready;
    await Promise.all([
      written(new Load(ledger, client, 'b'), TOGETHER_MS),
      written(new Load(ledger, oldClient, 'a, de volta'), TOGETHER_MS),
    ]);
    await Bun.sleep(TOGETHER_MS); // pending replication arrives
    await Promise.all([old.kill9(), next.kill9()]);
    return await missingInReplica(old, url, ledger);
  } finally {
    await Promise.all([old.kill9(), next.kill9()]);
  }
}

/** Counts the missing writes. A replica with two writers may be impossible to restore, or damaged. */
async function missingInReplica(machine: Machine, url: string, ledger: Ledger): Promise<readonly string[]> {
  rmSync(machine.data, { recursive: true });
  mkdirSync(machine.data);
  try {
    await machine.readToTheEnd(url);
    const missing = ledger.missingIn(machine.database);
    return missing.map(({ name, by }) => `${name}, confirmada por ${by}, não está na réplica`);
  } catch (error) {
    return [`o que está na réplica não serve: ${error instanceof Error ? error.message : ''}`];
  }
}

async function written(load: Load, ms: number): Promise<void> {
  await Bun.sleep(ms);
  await load.stop();
}
