/**
 * Injects disk faults into the running executable: failing writes and syncs at chosen calls, and a full disk.
 * After a 200 the data must exist after a restart. After a refusal that states that no data was stored, it
 * must not exist.
 */
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SEAL_FILE } from '../src/db/folder.ts';
import { FaultBench } from './proof/fault/bench.ts';
import { FAULT_CASES, type FaultCase } from './proof/fault/cases.ts';
import { inject } from './proof/fault/inject.ts';
import { printTable } from './proof/table.ts';

const { values: options } = parseArgs({
  options: { executable: { type: 'string' }, only: { type: 'string' } },
});

/** A fault in the log occurs at once; one in the database only at the next checkpoint. */
const MOST_WRITES = 3000;
/** Number of refusals after which a fault counts as lasting. */
const REFUSALS = 12;
/** Wait for the log line of a refused write, which the server writes at once to a pipe. */
const LOG_TIMEOUT_MS = 2000;

interface FullDisk {
  readonly name: string;
  readonly mib: number;
  /** Space that is used from the beginning. */
  readonly ballastMib: number;
  /**
   * Another process takes the remaining space when the log has grown to this size. Absent: the server itself
   * fills the disk.
   */
  readonly filledAtLogMib?: number;
}

const FULL_DISKS: readonly FullDisk[] = [
  // The log was short when the disk filled, so little space is enough.
  { name: 'disco de 24 MiB que o próprio serviço enche, depois com 2 MiB livres', mib: 24, ballastMib: 2 },
  // The log had its maximum size: the database has to grow by that much.
  {
    name: 'disco de 96 MiB que outro programa enche de uma vez, depois com 18 MiB livres',
    mib: 96,
    ballastMib: 18,
    filledAtLogMib: 15,
  },
];

interface Row {
  readonly name: string;
  readonly acknowledged: number;
  readonly refused: number;
  readonly storedAnyway: number;
  readonly verdict: string;
  readonly problems: readonly string[];
}

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'catp-fault-'));
const rows: Row[] = [];
const messages = new Set<string>();
for (const fault of FAULT_CASES) {
  if (options.only !== undefined && !fault.name.includes(options.only)) continue;
  rows.push(await underFault(fault));
  report(rows.at(-1));
}
for (const disk of FULL_DISKS) {
  if (options.only !== undefined && !disk.name.includes(options.only)) continue;
  rows.push(await onFullDisk(disk));
  report(rows.at(-1));
}
rmSync(folder, { recursive: true, force: true });

console.log('');
printTable(
  ['falha', '200', '503', 'gravados sem 200', 'depois', 'problemas'],
  rows.map((row) => [
    row.name,
    row.acknowledged,
    row.refused,
    row.storedAnyway,
    row.verdict,
    row.problems.length,
  ]),
);
console.log('\nO que o operador lê:');
for (const message of messages) console.log(`  ${message}`);
const problems = rows.flatMap((row) => row.problems);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
console.log(
  `\nfault: ${rows.length} falhas em ${seconds} s: ${problems.length === 0 ? 'nenhum problema' : `${problems.length} PROBLEMAS`}`,
);
process.exit(problems.length === 0 ? 0 : 1);

function report(row: Row | undefined): void {
  if (row === undefined) return;
  console.log(`${row.problems.length === 0 ? '✓' : '✗'} ${row.name}`);
  for (const problem of row.problems) console.log(`    ${problem}`);
}

async function underFault(fault: FaultCase): Promise<Row> {
  const data = join(folder, 'dados');
  const bench = new FaultBench(data, options.executable);
  await bench.start();
  await bench.writeUntil(() => bench.acknowledged >= 20, 20);
  const injection = await inject(bench.pid, data, fault, join(folder, 'strace'));
  const lasts = fault.when.endsWith('+');
  // A checkpoint without space refuses no request; then the check waits for the fault itself.
  const carriesOn = fault.sequel === 'carries on';
  const isMet = (): boolean =>
    bench.refused >= REFUSALS || ((carriesOn || !lasts) && injection.injected() > 0);
  await bench.writeUntil(isMet, fault.file === 'wal' ? 400 : MOST_WRITES);
  await bench.writeUntil(() => false, 16);
  if (injection.injected() === 0) bench.problem('a falha não chegou a acontecer');
  await bench.read();
  const during = await bench.readiness();
  if (carriesOn) await expectLogLine(bench);
  else if (fault.sequel === 'halts' || lasts) expectNotice(bench, during, fault);
  await injection.remove();
  await bench.read();
  if (fault.sequel !== 'halts') await bench.writeAgain('depois que a falha passou');
  else if ((await bench.write())?.status !== 503) bench.problem('grava outra vez sem ter sido reiniciado');
  const readyAfter = (await bench.readiness()).status;
  const expected = fault.sequel === 'halts' ? 503 : 200;
  if (readyAfter !== expected) bench.problem(`/readyz depois: ${readyAfter}, esperado ${expected}`);
  await bench.idle();
  await (fault.end === 'SIGTERM' ? bench.stop() : bench.kill9());
  return restarted(bench, fault.name, data);
}

function expectNotice(
  bench: FaultBench,
  { status, notices }: { readonly status: number; readonly notices: readonly string[] },
  fault: FaultCase,
): void {
  const notice = notices.find((text) => text.includes('disco'));
  if (notice === undefined) bench.problem(`/readyz ${status} não diz nada do disco: ${notices.join(' ')}`);
  else messages.add(`/readyz ${status}: ${notice}`);
  if (fault.sequel === 'halts' && status !== 503)
    bench.problem(`/readyz respondeu ${status} com as gravações suspensas`);
  if (!bench.output.includes('disco')) bench.problem('o log não diz nada do disco');
}

/** Expects no refused write: the failed call acknowledges no write, so only the log reports the fault. */
async function expectLogLine(bench: FaultBench): Promise<void> {
  if (bench.refused > 0)
    bench.problem(`${bench.refused} gravações recusadas, embora nada do banco tenha falhado`);
  const until = Date.now() + LOG_TIMEOUT_MS;
  while (!bench.output.includes(SEAL_FILE) && Date.now() < until) await Bun.sleep(10);
  if (!bench.output.includes(SEAL_FILE)) bench.problem('o log não diz nada do selo da auditoria');
}

async function restarted(bench: FaultBench, name: string, data: string): Promise<Row> {
  for (const refusal of bench.refusals) messages.add(`503: ${refusal}`);
  await bench.start();
  await bench.writeAgain('depois do reinício');
  await bench.verifyStored();
  const storedAnyway = await bench.countStoredDespiteRefusal();
  await bench.stop();
  rmSync(data, { recursive: true, force: true });
  const { acknowledged, refused, problems } = bench;
  return {
    name,
    acknowledged,
    refused,
    storedAnyway,
    verdict: problems.length === 0 ? 'confere' : 'NÃO CONFERE',
    problems,
  };
}

/** Fills a real disk of a few MiB; then frees space. */
async function onFullDisk({ name, mib, ballastMib, filledAtLogMib }: FullDisk): Promise<Row> {
  const disk = join(folder, 'disco');
  mkdirSync(disk, { recursive: true });
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', disk]);
  if (mounted.exitCode !== 0) {
    console.log(
      `  ATENÇÃO: sem permissão para montar um disco pequeno (${mounted.stderr.toString().trim()}); pulado.`,
    );
    return { name, acknowledged: 0, refused: 0, storedAnyway: 0, verdict: 'PULADO', problems: [] };
  }
  const data = join(disk, 'dados');
  const ballast = join(disk, 'lastro');
  const bench = new FaultBench(data, options.executable);
  try {
    writeFileSync(ballast, Buffer.alloc(ballastMib * 2 ** 20));
    await bench.start();
    if (filledAtLogMib !== undefined) {
      const isLong = (): boolean => statSync(join(data, 'catp.sqlite-wal')).size >= filledAtLogMib * 2 ** 20;
      await bench.writeUntil(isLong, MOST_WRITES);
      fillUp(join(disk, 'de-outro'));
    }
    await bench.writeUntil(() => bench.refused >= REFUSALS, 40_000);
    if (bench.refused < REFUSALS) bench.problem('o disco não chegou a encher');
    await bench.read();
    const during = await bench.readiness();
    const notice = during.notices.find((text) => text.includes('disco'));
    if (notice === undefined) bench.problem('/readyz não diz que o disco está cheio');
    else messages.add(`/readyz ${during.status}: ${notice}`);
    await bench.idle();

    await bench.stop();
    await bench.start(); // the server starts and reads on a full disk too
    await bench.read();
    await bench.write();

    rmSync(ballast);
    await bench.writeAgain('depois que há espaço');
    await bench.stop();
    return await restarted(bench, name, data);
  } catch (error) {
    bench.problem(error instanceof Error ? error.message : String(error));
    await bench.stop();
    return {
      name,
      acknowledged: 0,
      refused: 0,
      storedAnyway: 0,
      verdict: 'NÃO CONFERE',
      problems: bench.problems,
    };
  } finally {
    Bun.spawnSync(['umount', '-l', disk]);
  }
}

/** Writes a file until the disk is full. */
function fillUp(file: string): void {
  const descriptor = openSync(file, 'w');
  const page = Buffer.alloc(4096);
  try {
    for (;;) writeSync(descriptor, page);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(descriptor);
  }
}
