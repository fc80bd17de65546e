/** The backups of a folder: made by the clock or by hand, and tried by restoring the newest (contract section 16). */
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
import { Aside } from './aside.ts';
import type { AsideTask } from './messages.ts';
import { backupFolder, backupsIn, keepNewest, removeStaging, stagingIn, filesIn } from './files.ts';
import { putDrill, putLast, recordRestore, recordUpgradeCopy, stateOf } from './marks.ts';
import type { BackupFile, BackupState, LastDrill, Made } from './model.ts';
import { REST_BESIDE_A_SERVER } from './pace.ts';

export interface BackupsParts {
  readonly folder: Omit<DataFolder, 'keys'>;
  readonly db: Db;
  readonly writer: Writer;
  readonly clock: Clock;
  /** What the system is called where it acts by itself. */
  readonly system: string;
  /** Setting `backup.pasta`; empty: `backups` of the data folder. */
  readonly place: string;
  /** Setting `backup.manter`. */
  readonly kept: number;
  /** Setting `backup.horario`; `undefined`: never by the clock. */
  readonly time: TimeOfDay | undefined;
}

export interface MakeOptions {
  /** The folder of backups, where it is another. */
  readonly to?: string | undefined;
  /** How many stay there; absent: all. */
  readonly kept?: number | undefined;
  readonly keys?: string | undefined;
  /** Whoever asks for it can name another folder by `--to`. */
  readonly hasToOption?: boolean;
  /** Who asks for it, where it is not the clock. */
  readonly by?: Actor;
}

/** The drill comes so long after the backup began; it waits for one that takes longer. */
const DRILL_AFTER_MINUTES = 30;
/** A day, and what a backup may take longer than the one before. */
const OVERDUE_MS = DAY_MS + HOUR_MS;
const UPGRADE_KEPT_MS = 10 * DAY_MS;
const MINUTES_OF_A_DAY = 24 * 60;

export class Backups {
  readonly #parts: BackupsParts;
  readonly #marks: FolderMarks;
  readonly folder: string;
  /** One task at a time, in their order. */
  #last: Promise<unknown> = Promise.resolve();
  #running: Aside | undefined;
  #isStopped = false;

  constructor(parts: BackupsParts) {
    this.#parts = parts;
    this.#marks = new FolderMarks(parts.db);
    this.folder = backupFolder(parts.folder.path, parts.place);
  }

  /** What is remembered of the last ones, by whichever process. */
  state(): BackupState {
    return stateOf(this.#marks);
  }

  /** Those that lie in the folder, newest first. */
  list(): readonly BackupFile[] {
    return filesIn(this.folder);
  }

  /** Cron patterns; `undefined`: only by hand. */
  get patterns(): { readonly backup: string | undefined; readonly drill: string | undefined } {
    const { time } = this.#parts;
    if (time === undefined) return { backup: undefined, drill: undefined };
    const later = (time.hour * 60 + time.minute + DRILL_AFTER_MINUTES) % MINUTES_OF_A_DAY;
    return {
      backup: patternOf(time),
      drill: patternOf({ hour: Math.floor(later / 60), minute: later % 60 }),
    };
  }

  /** Whether a night went by without a backup, because this machine was off, say. */
  get isOverdue(): boolean {
    return this.#isLate(this.state().last?.at);
  }

  /** The same of the drill, where there is something to try. */
  get isDrillOverdue(): boolean {
    const { last, drill } = this.state();
    return last !== null && this.#isLate(drill?.at);
  }

  #isLate(at: EpochMs = this.#marks.bornAt()): boolean {
    return this.#parts.time !== undefined && this.#parts.clock.now() - at > OVERDUE_MS;
  }

  /** The job `backup`, or the same asked for by somebody. */
  runOnce(by?: Actor): Promise<Made & { readonly removed: readonly string[] }> {
    // Where the newest cannot be restored, an older one may be the last that can: none goes.
    const kept = this.state().drill?.ok === false ? undefined : this.#parts.kept;
    return this.make({ kept, ...(by !== undefined && { by }) });
  }

  /** Throws an `OperatorError` where the folder or the disk does not take it. */
  async make({
    to = this.folder,
    kept,
    keys,
    hasToOption,
    by = this.#parts.system,
  }: MakeOptions = {}): Promise<Made & { readonly removed: readonly string[] }> {
    const { folder, clock } = this.#parts;
    const staging = stagingIn(to);
    const done = await this.#run(
      () => ({
        type: 'make',
        database: folder.database,
        keys,
        to,
        staging,
        now: clock.now(),
        version: VERSION,
        hasToOption,
        restShare: REST_BESIDE_A_SERVER,
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

  /** A copy that was made for an upgrade stays until ten days after it (contract section 16, "Upgrades"). */
  readonly #isOfRecentUpgrade = (copiedAt: EpochMs): boolean =>
    this.#parts.clock.now() - (this.#marks.migratedSince(copiedAt) ?? copiedAt) <= UPGRADE_KEPT_MS;

  #remember(made: Made, by: Actor): Promise<void> {
    return this.#parts.writer.write((tx) => {
      putLast(this.#marks, made);
      const after = { file: made.file, bytes: made.bytes, at: momentText(made.at) };
      tx.record({ by, action: 'COPIA', kind: 'backup', key: made.file, before: null, after });
    });
  }

  /** The first change of a restored folder is that it was restored, then that it was copied; to be called before any other. */
  async recordOpening(by: string): Promise<void> {
    const { writer, system } = this.#parts;
    await recordRestore(this.#marks, writer, by);
    await recordUpgradeCopy(this.#marks, writer, system);
  }

  /** The job `teste-de-restauracao`: remembers what it found, then throws where that is bad. */
  async drill(): Promise<LastDrill> {
    await this.#last.catch(() => undefined);
    const [file] = backupsIn(this.folder);
    if (file === undefined)
      throw new OperatorError(
        `Não há cópia de segurança em ${this.folder} para testar. Faça uma com catp backup, ou confira backup.pasta.`,
      );
    const staging = stagingIn(this.folder);
    const message = await this.#run(
      () => ({ type: 'check', file: join(this.folder, file), staging, restShare: REST_BESIDE_A_SERVER }),
      staging,
    ).then(
      () => null,
      (error: unknown) => {
        if (this.#isStopped || !(error instanceof OperatorError)) throw error;
        // Where it lies is nobody's business on /readyz.
        return error.message.replaceAll(join(this.folder, file), file);
      },
    );
    const { writer, clock } = this.#parts;
    const drill: LastDrill = { at: clock.now(), file, ok: message === null, message };
    await writer.write(() => putDrill(this.#marks, drill));
    if (message !== null) throw new OperatorError(message);
    return drill;
  }

  /** Ends what is under way; it leaves nothing behind. */
  stop(): void {
    this.#isStopped = true;
    this.#running?.end();
  }

  #run(task: () => AsideTask, staging: string): Aside['done'] {
    const run = this.#last
      .catch(() => undefined)
      .then(async () => {
        if (this.#isStopped) throw new OperatorError('O servidor está sendo encerrado.');
        const aside = new Aside(task());
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
