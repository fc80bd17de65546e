/**
 * Decodes batches of rows from the process that parses a table. It is a separate file because every start of the
 * server loads it, and the parser is large.
 */
import type { RowBatch } from './store.ts';

/** Decodes a line of `tableLoadTexts` after the first. */
export function parseBatch(line: string): RowBatch {
  const { parts, ...rows } = JSON.parse(line) as Omit<RowBatch, 'parts'> & {
    readonly parts: readonly { readonly part: number; readonly bytes: string }[];
  };
  return { ...rows, parts: parts.map(({ part, bytes }) => ({ part, bytes: Buffer.from(bytes, 'base64') })) };
}
