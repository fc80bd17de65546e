/** What a folder remembers of its backups, across restarts and for the command line too. */
import { resolve } from 'node:path';
import { type FolderMarks, RESTORED_FROM } from '../db/folder-mark.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import type { BackupState, LastBackup, LastDrill, Made } from './model.ts';

export const BACKUP_MARKS = { last: 'backup', path: 'backup-path', drill: 'restore-drill' } as const;

/** JSON of ours, written by `putLast` and `putDrill`. */
export const stateOf = (marks: FolderMarks): BackupState => ({
  last: JSON.parse(marks.find(BACKUP_MARKS.last) ?? 'null') as LastBackup | null,
  drill: JSON.parse(marks.find(BACKUP_MARKS.drill) ?? 'null') as LastDrill | null,
});

/** Where it lies is kept apart: `stateOf` is told on /readyz, to anybody. */
export function putLast(marks: FolderMarks, { at, file, bytes, path }: Omit<Made, 'counts'>): void {
  marks.put(BACKUP_MARKS.last, JSON.stringify({ at, file, bytes } satisfies LastBackup));
  marks.put(BACKUP_MARKS.path, resolve(path));
}

/** Where the last one was put; `undefined`: by a version that did not say. */
export const lastPath = (marks: FolderMarks): string | undefined => marks.find(BACKUP_MARKS.path);

export const putDrill = (marks: FolderMarks, drill: LastDrill): void =>
  marks.put(BACKUP_MARKS.drill, JSON.stringify(drill));

export const putRestored = (marks: FolderMarks, file: string): void => marks.put(RESTORED_FROM, file);

/** The first change of a restored folder is that it was restored. */
export async function recordRestore(marks: FolderMarks, writer: Writer, by: string): Promise<void> {
  if (marks.find(RESTORED_FROM) !== undefined) await writer.write((tx) => record(tx, marks, by));
}

function record(tx: Transaction, marks: FolderMarks, by: string): void {
  const file = marks.find(RESTORED_FROM);
  if (file === undefined) return;
  marks.remove(RESTORED_FROM);
  tx.record({ by, action: 'RESTAURACAO', kind: 'backup', key: file });
}
