/** Reads the state of the instance for administrators: settings in force, findings of the doctor, backups. */
import type { Actor } from '../change.ts';
import type { BackupFile, BackupState, LastBackup, LastDrill, NewBackup } from '../backup/model.ts';
import { type Settings, isDefault, settingTexts } from '../settings/config.ts';
import type { DataFolder } from '../db/folder.ts';
import { openForReading } from '../db/open.ts';
import type { Clock } from '../clock.ts';
import type { examine } from '../doctor/examine.ts';
import type { DiagnosisTarget } from '../doctor/diagnosis-target.ts';
import { DomainError, OperatorError, notFound } from '../errors.ts';
import { folderStateOf } from '../replica/folder-owner.ts';
import type { Reads } from '../reading/pool.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import { SETTINGS, type SettingName } from '../settings/settings.ts';
import { momentText } from '../validation/calendar.ts';
import type { DamageRead } from '../doctor/damage.ts';
import type { BackupList, DrillResult, ListedBackup, ListedFinding, ListedSetting } from './model.ts';

/** The required part of the backup service. */
export interface BackupOperations {
  readonly folder: string;
  state(): BackupState;
  list(): readonly BackupFile[];
  runOnce(by: Actor): Promise<NewBackup>;
  drill(): Promise<LastDrill>;
}

export interface SupervisionDependencies {
  readonly settings: Settings;
  readonly folder: Omit<DataFolder, 'keys'>;
  readonly clock: Clock;
  readonly backups: BackupOperations;
  readonly reads: Reads<DamageRead>;
  readonly diskOf: DiagnosisTarget['diskOf'];
}

export class Supervision {
  readonly #settings: Settings;
  readonly #folder: Omit<DataFolder, 'keys'>;
  readonly #clock: Clock;
  readonly #backups: BackupOperations;
  readonly #reads: Reads<DamageRead>;
  readonly #diskOf: DiagnosisTarget['diskOf'];

  constructor({ settings, folder, clock, backups, reads, diskOf }: SupervisionDependencies) {
    this.#settings = settings;
    this.#folder = folder;
    this.#clock = clock;
    this.#backups = backups;
    this.#reads = reads;
    this.#diskOf = diskOf;
  }

  settings(): ListedSetting[] {
    const texts = settingTexts(this.#settings);
    return (Object.keys(SETTINGS) as SettingName[]).map((name) => ({
      name,
      value: texts[name],
      isDefault: isDefault(name, texts),
      description: SETTINGS[name].about,
    }));
  }

  /** Returns the findings of `catp doctor`. Checks the database in the background. */
  async findings(quotaOwner: QuotaOwner): Promise<readonly ListedFinding[]> {
    using db = openForReading(this.#folder.database);
    const damage = await verdictsIn(
      this.#reads.read({ kind: 'damage', folder: this.#folder.path }, quotaOwner),
    );
    const state = folderStateOf(this.#folder.path);
    const diagnosisTarget = {
      folder: this.#folder,
      settings: this.#settings,
      settingProblems: [],
      clock: this.#clock,
      db,
      state,
      diskOf: this.#diskOf,
    };
    // Loaded late: most servers never get a request for their findings.
    const doctor = await import('../doctor/examine.ts');
    return await doctor.examine(diagnosisTarget, { receivers: false, known: damage });
  }

  backups(): BackupList {
    const { last, drill } = this.#backups.state();
    return {
      folder: this.#backups.folder,
      last: last && toBackup(last),
      drill: drill && toDrill(drill),
      files: this.#backups.list().map(toBackup),
    };
  }

  /** Throws `unavailable` when the folder or the disk refuses the backup. */
  async makeBackup(by: Actor): Promise<ListedBackup> {
    return toBackup(await this.#backups.runOnce(by).catch(refused));
  }

  /** Tests the newest backup. A faulty backup is a result too. Throws 404 when there is none. */
  async drill(): Promise<DrillResult> {
    if (this.#backups.list().length === 0)
      throw notFound(`Não há cópia de segurança em ${this.#backups.folder} para testar; faça uma primeiro.`);
    const before = this.#backups.state().drill;
    try {
      return toDrill(await this.#backups.drill());
    } catch (problem) {
      const { drill } = this.#backups.state();
      if (problem instanceof OperatorError && drill !== null && drill.at !== before?.at)
        return toDrill(drill);
      return refused(problem);
    }
  }
}

type Verdicts = NonNullable<Parameters<typeof examine>[1]['known']>;

async function verdictsIn(texts: AsyncIterable<Uint8Array>): Promise<Verdicts> {
  const parts: Uint8Array[] = [];
  for await (const part of texts) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString()) as Verdicts;
}

/** Throws an operator's error as a refusal of the API. */
function refused(problem: unknown): never {
  if (problem instanceof OperatorError) throw new DomainError('unavailable', problem.message);
  throw problem;
}

const toBackup = ({ file, at, bytes }: LastBackup): ListedBackup => ({ file, at: momentText(at), bytes });
const toDrill = ({ at, file, ok, message }: LastDrill): DrillResult => ({
  at: momentText(at),
  file,
  ok,
  message,
});
