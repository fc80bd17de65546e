/** Stores the state of backups in the folder's marks, which survive a restart and which commands read too. */
import { resolve } from 'node:path';
import { COPIED_FOR_UPGRADE, type FolderMarks, RESTORED_FROM } from '../db/folder-mark.ts';
import type { Writer } from '../db/writer.ts';
import type { BackupState, LastBackup, LastDrill, NewBackup } from './model.ts';

export const BACKUP_MARKS = { last: 'backup', path: 'backup-path', drill: 'restore-drill' } as const;

/** Parses our own JSON, written by `putLast` and `putDrill`. */
export const stateOf = (marks: FolderMarks): BackupState => ({
  last: JSON.parse(marks.find(BACKUP_MARKS.last) ?? 'null') as LastBackup | null,
  drill: JSON.parse(marks.find(BACKUP_MARKS.drill) ?? 'null') as LastDrill | null,
});

/** Stores the last backup. Its path is stored separately: /readyz publishes `stateOf`. */
export function putLast(marks: FolderMarks, { at, file, bytes, path }: Omit<NewBackup, 'counts'>): void {
  marks.put(BACKUP_MARKS.last, JSON.stringify({ at, file, bytes } satisfies LastBackup));
  marks.put(BACKUP_MARKS.path, resolve(path));
}

/** Returns the path of the last backup. `undefined`: a version that did not record it made the backup. */
export const lastPath = (marks: FolderMarks): string | undefined => marks.find(BACKUP_MARKS.path);

export const putDrill = (marks: FolderMarks, drill: LastDrill): void =>
  marks.put(BACKUP_MARKS.drill, JSON.stringify(drill));

export const putRestored = (marks: FolderMarks, file: string): void => marks.put(RESTORED_FROM, file);

/** Records the restore as the first change of a restored folder. */
export const recordRestore = (marks: FolderMarks, writer: Writer, by: string): Promise<void> =>
  recordMarkedFile(marks, writer, { mark: RESTORED_FROM, by, action: 'RESTAURACAO' });

/**
 * Records the copy of an upgrade at the first opening after it: the upgrade has no keys to seal the audit.
 */
export const recordUpgradeCopy = (marks: FolderMarks, writer: Writer, by: string): Promise<void> =>
  recordMarkedFile(marks, writer, { mark: COPIED_FOR_UPGRADE, by, action: 'COPIA' });

interface MarkedFile {
  readonly mark: string;
  readonly by: string;
  readonly action: 'RESTAURACAO' | 'COPIA';
}

/** Records the file that a mark names, once. */
async function recordMarkedFile(
  marks: FolderMarks,
  writer: Writer,
  { mark, ...entry }: MarkedFile,
): Promise<void> {
  if (marks.find(mark) === undefined) return;
  await writer.write((tx) => {
    const file = marks.find(mark);
    if (file === undefined) return;
    marks.remove(mark);
    tx.record({ ...entry, kind: 'backup', key: file, before: null, after: { file } });
  });
}
