/** What the checks look at. Nothing of what it holds is changed by looking. */
import type { Clock } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import type { DataFolder } from '../db/folder.ts';
import type { Db } from '../db/open.ts';
import type { Disk } from '../system/disk.ts';
import type { Verdict } from './model.ts';

export interface NoDb {
  readonly message: string;
  readonly remedy: string;
}

export interface Patient {
  readonly folder: Omit<DataFolder, 'keys'>;
  readonly settings: Settings;
  /** What is wrong with the settings themselves; the others then look with the defaults. */
  readonly settingProblems: readonly string[];
  readonly clock: Clock;
  /** A connection that only reads; where there is none, why, and what to do. */
  readonly db: Db | NoDb;
  /** Of a folder. */
  readonly diskOf: (folder: string) => Disk;
}

/** A check looks, and says one thing. */
export type Check = (patient: Patient) => Verdict | undefined | Promise<Verdict | undefined>;

/** A check of the database, which has nothing to say where there is none: `integrity` says that. */
export const onDatabase =
  (check: (db: Db, patient: Patient) => Verdict | undefined) =>
  (patient: Patient): Verdict | undefined =>
    'message' in patient.db ? undefined : check(patient.db, patient);
