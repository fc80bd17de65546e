/** Messages between the main thread and the Worker of backups. */
import type { MakeParts } from './make.ts';
import type { Made, Restored } from './model.ts';
import type { CheckParts } from './restore.ts';

export type AsideTask = ({ readonly type: 'make' } & MakeParts) | ({ readonly type: 'check' } & CheckParts);

export type AsideAnswer =
  | { readonly type: 'made'; readonly made: Made }
  | { readonly type: 'checked'; readonly restored: Restored }
  | { readonly type: 'failed'; readonly message: string; readonly isForPeople: boolean };
