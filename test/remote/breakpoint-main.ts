/**
 * A process that works off the one open run of a folder and kills itself by SIGKILL at a planted point: at
 * the first arrow of that name, before its transaction is committed or right after it. `-` plants nothing.
 * Its clock jumps over every wait. When it is unknown whether the remote has the new version of the disputed
 * product, it prints `meanwhile` and waits for a line: its parent process changes that product on the remote
 * first.
 */
import { openCore } from '../../src/assembly/core.ts';
import { REAL_TIME, TestClock, endOfTurn, monotonicMs } from '../../src/clock.ts';
import { importLimits } from '../../src/catalogue/import/feed.ts';
import { openExistingFolder } from '../../src/db/folder.ts';
import type { Writer } from '../../src/db/writer.ts';
import { PairStore } from '../../src/remote/compare/pair-store.ts';
import { downloadLinks } from '../../src/remote/run/links-there.ts';
import type { Run, Step } from '../../src/remote/run/model.ts';
import { Sender } from '../../src/remote/run/sender.ts';
import { StepStore } from '../../src/remote/run/step-store.ts';
import { RunWorker } from '../../src/remote/run/worker.ts';
import { readSettings } from '../../src/settings/config.ts';

const [, , folder = '', now = '', planted = '-', when = ''] = process.argv;

const DISPUTED = 'Disputado';
const end = (): void => void process.kill(process.pid, 'SIGKILL');
let isPassed = false;
let isDisputed = false;
const passes = (arrow: string): void => {
  process.stdout.write(`${arrow}\n`);
  if (arrow !== planted) return;
  if (when === 'before') end();
  isPassed = true;
};

class PlantedSteps extends StepStore {
  override put(run: Run, step: Step, at: number): void {
    const before = this.db
      .prepare<[number, number], string>('SELECT outcome FROM remote_step WHERE run_id = ? AND n = ?')
      .pluck()
      .get(run.id, step.n);
    super.put(run, step, at);
    passes(
      `${before}→${step.outcome}${step.outcome === 'uncertain' && step.due === null ? ' for good' : ''}`,
    );
    isDisputed ||= before === 'intent' && step.outcome === 'uncertain' && step.name.startsWith(DISPUTED);
  }

  override recover(run: Run, waitMs: number): void {
    super.recover(run, waitMs);
    passes('recover');
  }

  override tryAgain(run: Run): number {
    const again = super.tryAgain(run);
    passes('try again');
    return again;
  }
}

const clock = new TestClock(Number(now));
const core = openCore({
  folder: openExistingFolder(folder),
  settings: readSettings({ environment: {}, commandLine: [] }),
  clock,
  stopwatch: monotonicMs,
});
const { db, remote } = core;
const writer = {
  write: async <T>(work: Parameters<Writer['write']>[0]): Promise<T> => {
    const result = (await core.writer.write(work)) as T;
    if (isPassed) end();
    if (isDisputed) await untilChangedThere();
    return result;
  },
} as Writer;
async function untilChangedThere(): Promise<void> {
  isDisputed = false;
  process.stdout.write('meanwhile\n');
  for await (const _ of console) return;
}
const steps = new PlantedSteps(db);
const sender = new Sender({
  db,
  writer,
  clock,
  steps,
  remotes: remote.store,
  pairs: new PairStore(db),
  downloadLinks: ({ cpfCnpjRaiz }, wire) =>
    downloadLinks(wire, cpfCnpjRaiz, {
      file: `${folder}/imports/vinculos`,
      limits: importLimits(1e8),
      now: clock.now(),
    }),
});
const runs = remote.runStore;
const [run] = runs.listOpen();
const id = run?.id ?? 0;
const wire = remote.wires.open(run?.remoteId ?? 0);
let isOver = false;
const work = new RunWorker({ runs, steps, sender, writer, clock, realTime: REAL_TIME }, id, wire)
  .work()
  .finally(() => (isOver = true));
while (!isOver) {
  await endOfTurn();
  const next = clock.nextTimer();
  if (runs.find(id)?.state === 'resting' && next !== undefined) clock.moveTo(Math.max(next, clock.now()));
}
await work;
await core.close();
