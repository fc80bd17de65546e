/**
 * Manages the backups of a folder: makes them on schedule or on request, and tests the newest by a restore
 * (contract section 16).
 */
import { join } from 'node:path';
import type { Actor } from '../change.ts';
import { momentText } from '../validation/calendar.ts';
import { type Clock, DAY_MS, type EpochMs, HOUR_MS } from '../clock.ts';
import type { DataFolder } from '../db/folder.ts';
import { FolderMarks } from '../db/folder-mark.ts';
import type { Db } from '../db/open.ts';
import type { Writer } from '../db/writer.ts';
import { OperatorError } from '../errors.ts';
import type { TimeOfDay } from '../settings/setting-kinds.ts';
import { VERSION } from '../version.ts';
import { WorkerTask } from './worker-task.ts';
import type { BackupTask } from './messages.ts';
import { backupFolder, backupsIn, keepNewest, removeStaging, stagingIn, filesIn } from './files.ts';
import { putDrill, putLast, recordRestore, recordUpgradeCopy, stateOf } from './marks.ts';
import type { BackupFile, BackupState, LastDrill, NewBackup } from './model.ts';
import { PAUSES_NEXT_TO_SERVER } from './pace.ts';

export interface BackupsOptions {
  readonly folder: Omit<DataFolder, 'keys'>;
  readonly db: Db;
  readonly writer: Writer;
  readonly clock: Clock;
  /** The name of the system as an actor. */
  readonly system: string;
  /** Setting `backup.pasta`. Empty: `backups` in the data folder. */
  readonly place: string;
  /** Setting `backup.manter`. */
  readonly kept: number;
  /** Setting `backup.horario`. `undefined`: no schedule. */
  readonly time: TimeOfDay | undefined;
}

export interface MakeOptions {
  /** The backup folder, if different from the setting. */
  readonly to?: string | undefined;
  /** Number of backups that stay. `undefined`: all. */
  readonly kept?: number | undefined;
  readonly keys?: string | undefined;
  /** The caller can name another folder with `--to`. */
  readonly hasToOption?: boolean;
  /** The user who requested it. `undefined`: the schedule. */
  readonly by?: Actor;
}

/** Minutes from the start of a backup to its drill. The drill waits for a backup that takes longer. */
const DRILL_AFTER_MINUTES = 30;
/**
 * Age at which the last backup is overdue: a day, and an hour for a backup that takes longer than the
 * previous.
 */
const OVERDUE_MS = DAY_MS + HOUR_MS;
const UPGRADE_KEPT_MS = 10 * DAY_MS;
const MINUTES_OF_A_DAY = 24 * 60;

export class Backups {
  readonly #folder: Omit<DataFolder, 'keys'>;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #system: string;
  readonly #kept: number;
  readonly #time: TimeOfDay | undefined;
  readonly #marks: FolderMarks;
  readonly folder: string;
  /** Runs one task at a time, in order. */
  #last: Promise<unknown> = Promise.resolve();
  #running: WorkerTask | undefined;
  #isStopped = false;

  constructor({ folder, db, writer, clock, system, place, kept, time }: BackupsOptions) {
    this.#folder = folder;
    this.#writer = writer;
    this.#clock = clock;
    this.#system = system;
    this.#kept = kept;
    this.#time = time;
    this.#marks = new FolderMarks(db);
    this.folder = backupFolder(folder.path, place);
  }

  /** Returns the stored state of the last backups, from any process. */
  state(): BackupState {
    return stateOf(this.#marks);
  }

  /** Returns the backups in the folder, newest first. */
  list(): readonly BackupFile[] {
    return filesIn(this.folder);
  }

  /** Cron patterns. `undefined`: only on request. */
  get patterns(): { readonly backup: string | undefined; readonly drill: string | undefined } {
    if (this.#time === undefined) return { backup: undefined, drill: undefined };
    const later = (this.#time.hour * 60 + this.#time.minute + DRILL_AFTER_MINUTES) % MINUTES_OF_A_DAY;
    return {
      backup: patternOf(this.#time),
      drill: patternOf({ hour: Math.floor(later / 60), minute: later % 60 }),
    };
  }

  /** Returns true when a night passed without a backup, for example because the machine was off. */
  get isOverdue(): boolean {
    return this.#isLate(this.state().last?.at);
  }

  /** Returns true when a drill was missed and there is a backup to test. */
  get isDrillOverdue(): boolean {
    const { last, drill } = this.state();
    return last !== null && this.#isLate(drill?.at);
  }

  #isLate(at: EpochMs = this.#marks.bornAt()): boolean {
    return this.#time !== undefined && this.#clock.now() - at > OVERDUE_MS;
  }

  /** Runs the job `backup`, on schedule or for the user `by`. */
  runOnce(by?: Actor): Promise<NewBackup & { readonly removed: readonly string[] }> {
    // When the newest cannot be restored, an older one may be the last good one: none is removed.
    const keepCount = this.state().drill?.ok === false ? undefined : this.#kept;
    return this.make({ kept: keepCount, ...(by !== undefined && { by }) });
  }

  /** Throws an `OperatorError` when the folder or the disk refuses the backup. */
  async make({ to = this.folder, kept, keys, hasToOption, by = this.#system }: MakeOptions = {}): Promise<
    NewBackup & { readonly removed: readonly string[] }
  > {
    const staging = stagingIn(to);
    const done = await this.#run(
      () => ({
        type: 'make',
        database: this.#folder.database,
        keys,
        to,
        staging,
        now: this.#clock.now(),
        version: VERSION,
        hasToOption,
        restShare: PAUSES_NEXT_TO_SERVER,
      }),
      staging,
    );
    if (done.type !== 'made') throw new Error(`unexpected answer: ${done.type}`);
    await this.#remember(done.made, by);
    return {
      ...done.made,
      removed: kept === undefined ? [] : keepNewest(to, Math.max(1, kept), this.#isOfRecentUpgrade),
    };
  }

  /** Keeps a copy for an upgrade until ten days after it (contract section 16, "Upgrades"). */
  readonly #isOfRecentUpgrade = (copiedAt: EpochMs): boolean =>
    this.#clock.now() - (this.#marks.migratedSince(copiedAt) ?? copiedAt) <= UPGRADE_KEPT_MS;

  #remember(made: NewBackup, by: Actor): Promise<void> {
    return this.#writer.write((tx) => {
      putLast(this.#marks, made);
      const after = { file: made.file, bytes: made.bytes, at: momentText(made.at) };
      tx.record({ by, action: 'COPIA', kind: 'backup', key: made.file, before: null, after });
    });
  }

  /**
   * Records the restore, then the copy, as the first changes of a restored folder. Call it before any other
   * change.
   */
  async recordOpening(by: string): Promise<void> {
    await recordRestore(this.#marks, this.#writer, by);
    await recordUpgradeCopy(this.#marks, this.#writer, this.#system);
  }

  /** Runs the job `teste-de-restauracao`: stores its result, then throws a failure. */
  async drill(): Promise<LastDrill> {
    await this.#last.catch(() => undefined);
    const [file] = backupsIn(this.folder);
    if (file === undefined)
      throw new OperatorError(
        `Não há cópia de segurança em ${this.folder} para testar. Faça uma com catp backup, ou confira backup.pasta.`,
      );
    const staging = stagingIn(this.folder);
    const message = await this.#run(
      () => ({ type: 'check', file: join(this.folder, file), staging, restShare: PAUSES_NEXT_TO_SERVER }),
      staging,
    ).then(
      () => null,
      (error: unknown) => {
        if (this.#isStopped || !(error instanceof OperatorError)) throw error;
        // /readyz is public: the message does not show the path.
        return error.message.replaceAll(join(this.folder, file), file);
      },
    );
    const drill: LastDrill = { at: this.#clock.now(), file, ok: message === null, message };
    await this.#writer.write(() => putDrill(this.#marks, drill));
    if (message !== null) throw new OperatorError(message);
    return drill;
  }

  /** Stops the running task, which leaves no files. */
  stop(): void {
    this.#isStopped = true;
    this.#running?.end();
  }

  #run(task: () => BackupTask, staging: string): WorkerTask['done'] {
    const run = this.#last
      .catch(() => undefined)
      .then(async () => {
        if (this.#isStopped) throw new OperatorError('O servidor está sendo encerrado.');
        const aside = new WorkerTask(task());
        this.#running = aside;
        try {
          return await aside.done;
        } finally {
          this.#running = undefined;
          removeStaging(staging);
        }
      });
    this.#last = run;
    return run;
  }
}

const patternOf = ({ hour, minute }: TimeOfDay): string => `${minute} ${hour} * * *`;
