/**
 * Parses a table file in another process: 16 MB takes a second. The first line is the head, each other line
 * a batch of rows.
 */
import { unprocessable } from '../../../errors.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import { unpackTable } from '../file/packed-file.ts';
import { readTable } from '../file/table-file.ts';
import { rowsOf } from './rows.ts';
import type { RowBatch } from './store.ts';

/** Message to the process that reads it. */
export interface TableLoadRead {
  readonly kind: 'tableLoad';
  readonly file: FileSource;
  /** Maximum size of the JSON in bytes. */
  readonly maxBytes: number;
}

/** Throws 422 with the position of each fault. */
export async function* tableLoadTexts(
  _: unknown,
  { file, maxBytes }: TableLoadRead,
): AsyncGenerator<string, void, undefined> {
  const json = await unpackTable(file, maxBytes);
  if (!json.ok) throw unprocessable(json.problems);
  const result = readTable(json.bytes);
  if (!result.ok) throw unprocessable(result.problems);
  const { head, batches } = rowsOf(result.table, result.original, json.bytes);
  yield `${JSON.stringify(head)}\n`;
  for (const batch of batches) yield lineOf(batch);
}

/** Encodes bytes as base64 in JSON. */
const lineOf = ({ parts, ...rows }: RowBatch): string =>
  `${JSON.stringify({ ...rows, parts: parts.map(({ part, bytes }) => ({ part, bytes: Buffer.from(bytes).toString('base64') })) })}\n`;
