/** Makes a backup. The file gets its name only when it is complete. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../clock.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { syncFolder } from '../system/sync-folder.ts';
import { writeArchive } from './archive.ts';
import { copyDatabase } from './copy.ts';
import { place, removeRemains, removeStaging } from './files.ts';
import { DATABASE_MEMBER, KEY_MEMBER, type NewBackup, type Upgrade } from './model.ts';
import { Pace } from './pace.ts';
import { momentText } from '../validation/calendar.ts';

export interface MakeParts {
  /** The database file. A server may write to it meanwhile. */
  readonly database: string;
  /** The key file, if the backup includes the keys. */
  readonly keys?: string | undefined;
  /** The backup folder, created when missing. */
  readonly to: string;
  /** The staging folder within `to`. A caller that stops the task removes it. */
  readonly staging: string;
  readonly now: EpochMs;
  readonly version: string;
  /** Length of a pause, as a multiple of the work before it. */
  readonly restShare: number;
  /** The upgrade that needs the backup. */
  readonly upgrade?: Upgrade | undefined;
  /** The command has an option `--to`. */
  readonly hasToOption?: boolean | undefined;
}

/** Throws an `OperatorError` when the folder or the disk refuses the backup. */
export async function makeBackup(parts: MakeParts): Promise<NewBackup> {
  try {
    return await make(parts);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `A cópia de segurança em ${parts.to} não foi feita (${reasonOf(error)}). Verifique a pasta, as permissões e o espaço em disco, ou indique outra em backup.pasta${parts.hasToOption === true ? ', ou com --to' : ''}.`,
      { cause: error },
    );
  } finally {
    removeStaging(parts.staging);
  }
}

async function make({
  database,
  keys,
  to,
  staging,
  now,
  version,
  restShare,
  upgrade,
}: MakeParts): Promise<NewBackup> {
  makeOwnFolder(to);
  removeRemains(to);
  mkdirSync(staging, { mode: 0o700 });
  const [copy, zip] = [join(staging, DATABASE_MEMBER), join(staging, 'copia.zip')];
  const pace = new Pace(restShare);
  const { counts, schema, audit } = await copyDatabase(database, copy, pace);
  await writeArchive({
    zip,
    members: [[DATABASE_MEMBER, copy], ...(keys === undefined ? [] : [[KEY_MEMBER, keys] as const])],
    manifest: { createdAt: momentText(now), version, schema, counts, audit, ...(upgrade && { upgrade }) },
    at: now,
    pace,
  });
  const file = place(zip, to, now, upgrade);
  syncFolder(to);
  const path = join(to, file);
  return { at: now, file, path, bytes: statSync(path).size, counts };
}
