/** Messages between the main thread and the Worker of backups. */
import type { MakeParts } from './make.ts';
import type { NewBackup, RestoredBackup } from './model.ts';
import type { CheckParts } from './restore.ts';

export type BackupTask = ({ readonly type: 'make' } & MakeParts) | ({ readonly type: 'check' } & CheckParts);

export type BackupAnswer =
  | { readonly type: 'made'; readonly made: NewBackup }
  | { readonly type: 'checked'; readonly restored: RestoredBackup }
  | { readonly type: 'failed'; readonly message: string; readonly isForPeople: boolean };
