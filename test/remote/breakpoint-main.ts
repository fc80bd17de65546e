/**
 * Works off the one open run of a folder. As a program, it kills itself by SIGKILL at a planted point: at the
 * first arrow of that name, before its transaction is committed or right after it. `-` plants nothing. It
 * prints each arrow. When it prints `meanwhile`, it waits for a line.
 */
import { openCore } from '../../src/assembly/core.ts';
import { REAL_TIME, TestClock, monotonicMs } from '../../src/clock.ts';
import { importLimits } from '../../src/catalogue/import/feed.ts';
import { openExistingFolder } from '../../src/db/folder.ts';
import type { Db } from '../../src/db/open.ts';
import type { Writer } from '../../src/db/writer.ts';
import { PairStore } from '../../src/remote/compare/pair-store.ts';
import { downloadLinks } from '../../src/remote/run/links-there.ts';
import type { Run, Step } from '../../src/remote/run/model.ts';
import { Sender } from '../../src/remote/run/sender.ts';
import { StepStore } from '../../src/remote/run/step-store.ts';
import { RunWorker } from '../../src/remote/run/worker.ts';
import { readSettings } from '../../src/settings/config.ts';

const DISPUTED = 'Disputado';

export interface Watcher {
  /** Called for each arrow, before its transaction is committed. */
  readonly passes: (arrow: string) => void;
  /** Called after each commit. */
  readonly committed?: () => void;
  /**
   * Called when it is unknown whether the remote has the new version of the disputed product: somebody changes
   * that product on the remote now.
   */
  readonly onDispute: () => Promise<void>;
}

class WatchedSteps extends StepStore {
  readonly #passes: (arrow: string) => void;
  isDisputed = false;

  constructor(db: Db, passes: (arrow: string) => void) {
    super(db);
    this.#passes = passes;
  }

  override put(run: Run, step: Step, at: number): void {
    const before = this.db
      .prepare<[number, number], string>('SELECT outcome FROM remote_step WHERE run_id = ? AND n = ?')
      .pluck()
      .get(run.id, step.n);
    super.put(run, step, at);
    this.#passes(
      `${before}→${step.outcome}${step.outcome === 'uncertain' && step.due === null ? ' for good' : ''}`,
    );
    this.isDisputed ||= before === 'intent' && step.outcome === 'uncertain' && step.name.startsWith(DISPUTED);
  }

  override recover(run: Run, waitMs: number): void {
    super.recover(run, waitMs);
    this.#passes('recover');
  }

  override tryAgain(run: Run): number {
    const again = super.tryAgain(run);
    this.#passes('try again');
    return again;
  }
}

/** The clock starts at `now` and jumps over every wait. */
export async function workOff(folder: string, now: number, watcher: Watcher): Promise<void> {
  const clock = new TestClock(now);
  const core = openCore({
    folder: openExistingFolder(folder),
    settings: readSettings({ environment: {}, commandLine: [] }),
    clock,
    stopwatch: monotonicMs,
  });
  const { db, remote } = core;
  const steps = new WatchedSteps(db, watcher.passes);
  const writer = {
    write: async <T>(work: Parameters<Writer['write']>[0]): Promise<T> => {
      const result = (await core.writer.write(work)) as T;
      watcher.committed?.();
      if (steps.isDisputed) {
        steps.isDisputed = false;
        await watcher.onDispute();
      }
      return result;
    },
  } as Writer;
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
    await Bun.sleep(1);
    const next = clock.nextTimer();
    if (runs.find(id)?.state === 'resting' && next !== undefined) clock.moveTo(Math.max(next, clock.now()));
  }
  await work;
  await core.close();
}

if (import.meta.main) {
  const [, , folder = '', now = '', planted = '', when = ''] = process.argv;
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  let isPassed = false;
  await workOff(folder, Number(now), {
    passes: (arrow) => {
      process.stdout.write(`${arrow}\n`);
      if (arrow !== planted) return;
      if (when === 'before') end();
      isPassed = true;
    },
    committed: () => {
      if (isPassed) end();
    },
    onDispute: async () => {
      process.stdout.write('meanwhile\n');
      for await (const _ of console) return;
    },
  });
}
