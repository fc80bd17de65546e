/** What the checks look at. Nothing of what it holds is changed by looking. */
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
  /** What is wrong with the settings themselves; the others then look with the defaults. */
  readonly settingProblems: readonly string[];
  readonly clock: Clock;
  /** A connection that only reads; where there is none, why, and what to do. */
  readonly db: Db | NoDb;
  /** Who writes to the folder, and whether its database is of this version. */
  readonly state: FolderState;
  /** Of a folder. */
  readonly diskOf: (folder: string) => Disk;
}

/** A check looks, and says one thing. */
export type Check = (diagnosisTarget: DiagnosisTarget) => Verdict | undefined | Promise<Verdict | undefined>;

type DatabaseCheck = (db: Db, diagnosisTarget: DiagnosisTarget) => Verdict | undefined;

/** A check of the database, which has nothing to say where there is none: `integrity` says that. */
export const onDatabase =
  (check: DatabaseCheck) =>
  (diagnosisTarget: DiagnosisTarget): Verdict | undefined =>
    'message' in diagnosisTarget.db ? undefined : check(diagnosisTarget.db, diagnosisTarget);

/** A check that reads tables of this version: of the database of another one it can say nothing. */
export const onCurrentDatabase = (check: DatabaseCheck) =>
  onDatabase((db, diagnosisTarget) =>
    isOfOtherVersion(diagnosisTarget) ? OF_OTHER_VERSION : check(db, diagnosisTarget),
  );

export const OF_OTHER_VERSION = notice(
  'Não se sabe: o banco de dados é de outra versão do catp.',
  'Veja schema; depois de atualizá-lo, rode catp doctor outra vez.',
);

/** A check of what this machine does with its folder: where another one writes to it, there is nothing to say of it. */
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
