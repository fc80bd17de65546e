/** Batches of rows as they cross from the process that reads a table: apart, since every start loads this. */
import type { RowBatch } from './store.ts';

/** A line of `tableLoadTexts` behind the first. */
export function batchIn(line: string): RowBatch {
  const { parts, ...rows } = JSON.parse(line) as Omit<RowBatch, 'parts'> & {
    readonly parts: readonly { readonly part: number; readonly bytes: string }[];
  };
  return { ...rows, parts: parts.map(({ part, bytes }) => ({ part, bytes: Buffer.from(bytes, 'base64') })) };
}
