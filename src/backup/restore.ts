/**
 * Restores a backup into an empty folder, completely or not at all. Also checks, without a result, that a
 * backup can be restored.
 */
import { visibleLines } from '../validation/text.ts';
import { mkdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { WRITER_FILE } from '../db/folder-writer.ts';
import { OperatorError } from '../errors.ts';
import { UnreadableFile, bytesText } from '../files/unreadable-file.ts';
import { isDiskFull, reasonOf, systemCode } from '../system/errors.ts';
import { namesIn } from '../system/gone.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { syncFolder } from '../system/sync-folder.ts';
import { stagingIn } from './files.ts';
import { DATABASE_MEMBER, KEY_MEMBER, type RestoredBackup } from './model.ts';
import { Pace } from './pace.ts';
import { type UnpackedBackup, unpack } from './unpack.ts';
import { verifyDatabase } from './verify.ts';

export interface RestoreParts {
  readonly file: string;
  /** Length of a pause, as a multiple of the work before it. */
  readonly restShare: number;
}

export interface UndoableParts extends RestoreParts {
  /**
   * Called once there are files to remove, with the function that removes them when the process is stopped.
   */
  readonly onBegun?: (undo: () => void) => void;
}

export interface CheckParts extends RestoreParts {
  /** The folder to restore into. A caller that stops the task removes it. */
  readonly staging?: string;
}

/**
 * The folder in which a restore is prepared. An interrupted restore leaves it, and the next one starts again.
 */
const STAGING = '.restauracao';
/** The files to move, the database last: with it the folder is an instance. */
const MOVED = [KEY_MEMBER, WRITER_FILE, DATABASE_MEMBER] as const;
/** Names that a folder may contain and still counts as empty. */
const IGNORED: ReadonlySet<string> = new Set([STAGING, 'lost+found']);

/** Throws an `OperatorError` with the fault. The folder is then unchanged. */
export async function restore({
  to,
  ...parts
}: UndoableParts & { readonly to: string }): Promise<RestoredBackup> {
  requireEmpty(to);
  const newFolder = withUsableFolder(to, () => makeOwnFolder(to));
  const staging = join(to, STAGING);
  const undo = (): void => {
    for (const name of [STAGING, 'imports', ...MOVED])
      rmSync(join(to, name), { recursive: true, force: true });
    if (newFolder !== undefined) rmSync(newFolder, { recursive: true, force: true });
  };
  parts.onBegun?.(undo);
  try {
    withUsableFolder(to, () => {
      rmSync(staging, { recursive: true, force: true });
      mkdirSync(staging, { mode: 0o700 });
    });
    const content = await verified(parts, staging, basename(parts.file));
    withUsableFolder(to, () => {
      mkdirSync(join(to, 'imports'), { mode: 0o700 });
      for (const name of MOVED)
        if (content.keys || name !== KEY_MEMBER) renameSync(join(staging, name), join(to, name));
      rmSync(staging, { recursive: true });
      for (const folder of [to, dirname(resolve(to))]) syncFolder(folder);
    });
    return restoredOf(parts.file, content);
  } catch (error) {
    undo();
    throw error;
  }
}

/** Restores into a folder that is removed again: for the check of a backup, and for the drill. */
export async function check(parts: UndoableParts & CheckParts): Promise<RestoredBackup> {
  const staging = temporaryBeside(parts);
  const undo = (): void => rmSync(staging, { recursive: true, force: true });
  parts.onBegun?.(undo);
  try {
    return restoredOf(parts.file, await verified(parts, staging));
  } finally {
    undo();
  }
}

async function verified(
  { file, restShare }: RestoreParts,
  staging: string,
  restoredFrom?: string,
): Promise<UnpackedBackup> {
  try {
    const content = await unpack(file, staging, new Pace(restShare), (bytes) => requireRoom(staging, bytes));
    verifyDatabase(join(staging, DATABASE_MEMBER), content.manifest, restoredFrom);
    return content;
  } catch (error) {
    if (error instanceof NoRoom) throw error;
    if (systemCode(error) !== undefined)
      throw new OperatorError(
        `${file} não pôde ser restaurado (${reasonOf(error)}); nada ficou gravado. ${isDiskFull(error) ? MAKE_ROOM : 'Verifique o arquivo e a pasta, ou use outra cópia.'}`,
        { cause: error },
      );
    if (!(error instanceof OperatorError || error instanceof UnreadableFile)) throw error;
    throw new OperatorError(
      `${file} não pode ser restaurado: ${visibleLines(error.message.replace(/\.$/, ''))}. Nada ficou gravado; use outra cópia.`,
      { cause: error },
    );
  }
}

const MAKE_ROOM = 'Libere espaço, ou indique com --to uma pasta de outro disco.';

/** The error of a full disk: it is no fault of the backup. */
class NoRoom extends OperatorError {}

function requireRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < bytes)
    throw new NoRoom(
      `A cópia não cabe: o disco de ${dirname(folder)} tem ${bytesText(bavail * bsize)} livres, e são precisos ${bytesText(bytes)}; nada ficou gravado. ${MAKE_ROOM}`,
    );
}

function requireEmpty(to: string): void {
  const names = withUsableFolder(to, () => namesIn(to)).filter((name) => !IGNORED.has(name));
  if (names.length > 0)
    throw new OperatorError(
      `${to} não está vazia (tem ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}). Indique com --to uma pasta nova ou vazia.`,
    );
}

/**
 * Returns a temporary folder next to the file, where there is space for such files. Uses the system's folder
 * when that one is not writable.
 */
function temporaryBeside({ file, staging = stagingIn(dirname(resolve(file))) }: CheckParts): string {
  const inSystemFolder = stagingIn(tmpdir());
  for (const path of [staging, inSystemFolder])
    try {
      mkdirSync(path, { mode: 0o700 });
      return path;
    } catch (error) {
      if (path === inSystemFolder)
        throw new OperatorError(
          `Não há onde testar a cópia: ${tmpdir()} não pode ser usada (${reasonOf(error)}).`,
          { cause: error },
        );
    }
  throw new Error('unreachable: the last place is taken or refused');
}

function withUsableFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `A pasta ${folder} não pode ser usada (${reasonOf(error)}). Indique outra com --to.`,
      {
        cause: error,
      },
    );
  }
}

const restoredOf = (file: string, { manifest, keys }: UnpackedBackup): RestoredBackup => ({
  file: basename(file),
  createdAt: manifest.createdAt,
  version: manifest.version,
  counts: manifest.counts,
  keys,
});
