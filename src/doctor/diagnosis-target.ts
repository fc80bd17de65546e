/** Target of the checks. A check changes nothing in it. */
import type { Clock } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import type { DataFolder } from '../db/folder.ts';
import type { Db } from '../db/open.ts';
import type { Disk } from '../system/disk.ts';
import type { FolderState } from '../replica/folder-owner.ts';
import { type Verdict, notice } from './model.ts';

export interface NoDb {
  readonly message: string;
  readonly remedy: string;
}

export interface DiagnosisTarget {
  readonly folder: Omit<DataFolder, 'keys'>;
  readonly settings: Settings;
  /** Problems of the settings. The other checks then use the defaults. */
  readonly settingProblems: readonly string[];
  readonly clock: Clock;
  /** A read-only connection, or the reason why there is none and what to do. */
  readonly db: Db | NoDb;
  /** The writer of the folder, and the version of its database. */
  readonly state: FolderState;
  /** Returns the state of the disk of a folder. */
  readonly diskOf: (folder: string) => Disk;
}

/** A check, which returns one verdict. */
export type Check = (diagnosisTarget: DiagnosisTarget) => Verdict | undefined | Promise<Verdict | undefined>;

type DatabaseCheck = (db: Db, diagnosisTarget: DiagnosisTarget) => Verdict | undefined;

/** Wraps a check of the database. Returns `undefined` without a database: `integrity` reports that. */
export const onDatabase =
  (check: DatabaseCheck) =>
  (diagnosisTarget: DiagnosisTarget): Verdict | undefined =>
    'message' in diagnosisTarget.db ? undefined : check(diagnosisTarget.db, diagnosisTarget);

/**
 * Wraps a check that reads tables of this version. Returns a notice when the database is of another
 * version.
 */
export const onCurrentDatabase = (check: DatabaseCheck) =>
  onDatabase((db, diagnosisTarget) =>
    isOfOtherVersion(diagnosisTarget) ? DIFFERENT_VERSION : check(db, diagnosisTarget),
  );

export const DIFFERENT_VERSION = notice(
  'Não se sabe: o banco de dados é de outra versão do catp.',
  'Veja schema; depois de atualizá-lo, rode catp doctor outra vez.',
);

/**
 * Wraps a check of this machine's own writes. Returns a notice when another machine writes to the folder.
 */
export const onOwnDatabase = (check: DatabaseCheck) =>
  onCurrentDatabase((db, diagnosisTarget) =>
    writesElsewhere(diagnosisTarget)
      ? notice(
          'Não se sabe daqui: é outra máquina que grava nesta pasta.',
          'Rode catp doctor na máquina que grava.',
        )
      : check(db, diagnosisTarget),
  );

export const writesElsewhere = ({ state: { owner } }: Pick<DiagnosisTarget, 'state'>): boolean =>
  owner.kind === 'follower' || owner.kind === 'copy';

/** The state of a folder that a server of this version has open. */
export const SERVED: FolderState = {
  owner: { kind: 'own' },
  pending: [],
  refusal: undefined,
  isUnused: false,
  isMadeByDev: false,
};

export const isOfOtherVersion = ({ state }: Pick<DiagnosisTarget, 'state'>): boolean =>
  state.pending.length > 0 || state.refusal !== undefined;
