/**
 * Decodes batches of rows from the process that reads a table. A separate file, since every start loads it.
 */
import type { RowBatch } from './store.ts';

/** Decodes a line of `tableLoadTexts` after the first. */
export function batchIn(line: string): RowBatch {
  const { parts, ...rows } = JSON.parse(line) as Omit<RowBatch, 'parts'> & {
    readonly parts: readonly { readonly part: number; readonly bytes: string }[];
  };
  return { ...rows, parts: parts.map(({ part, bytes }) => ({ part, bytes: Buffer.from(bytes, 'base64') })) };
}
