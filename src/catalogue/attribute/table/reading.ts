/** A table file, read aside: one of 16 MB is a second of work. The head stands in the first line, a batch of rows in each other one. */
import { unprocessable } from '../../../errors.ts';
import type { FileSource } from '../../../files/file-limits.ts';
import { unpacked } from '../file/packed-file.ts';
import { readTable } from '../file/table-file.ts';
import { rowsOf } from './rows.ts';
import type { RowBatch } from './store.ts';

/** As it crosses to the process that reads it. */
export interface TableLoadRead {
  readonly kind: 'tableLoad';
  readonly file: FileSource;
  /** Bytes of the JSON. */
  readonly maxBytes: number;
}

/** Throws 422 with the place of each fault. */
export async function* tableLoadTexts(
  _: unknown,
  { file, maxBytes }: TableLoadRead,
): AsyncGenerator<string, void, undefined> {
  const json = await unpacked(file, maxBytes);
  if (!json.ok) throw unprocessable(json.problems);
  const result = readTable(json.bytes);
  if (!result.ok) throw unprocessable(result.problems);
  const { head, batches } = rowsOf(result.table, result.asWritten, json.bytes);
  yield `${JSON.stringify(head)}\n`;
  for (const batch of batches) yield lineOf(batch);
}

/** Bytes stand in JSON as base64. */
const lineOf = ({ parts, ...rows }: RowBatch): string =>
  `${JSON.stringify({ ...rows, parts: parts.map(({ part, bytes }) => ({ part, bytes: Buffer.from(bytes).toString('base64') })) })}\n`;
