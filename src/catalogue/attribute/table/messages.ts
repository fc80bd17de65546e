/** What the main thread asks of the Worker that reads a table file, one question at a time, and what it answers. */
import type { Problem } from '../../../errors.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import type { RowBatch, TableHead } from './store.ts';

export type AskTable =
  { readonly type: 'read'; readonly file: FileSource; readonly maxBytes: number } | { readonly type: 'next' };

export type TableAnswer =
  | { readonly type: 'refused'; readonly problems: readonly Problem[] }
  | { readonly type: 'head'; readonly head: TableHead }
  | { readonly type: 'batch'; readonly batch: RowBatch }
  | { readonly type: 'end' };
