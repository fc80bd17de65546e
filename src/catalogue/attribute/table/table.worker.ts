/** Reads a table file off the main thread: a file of 16 MB is a second of work. */
import { answering } from './conversation.ts';
import { unpacked } from '../file/packed-file.ts';
import type { RowBatch } from './store.ts';
import { readTable } from '../file/table-file.ts';
import type { AskTable, TableAnswer } from './messages.ts';
import { rowsOf } from './rows.ts';

let batches: Iterator<RowBatch> | undefined;

answering<AskTable, TableAnswer>(async (question) => {
  if (question.type === 'read') return read(question);
  const next = batches?.next();
  return next === undefined || next.done === true ? { type: 'end' } : { type: 'batch', batch: next.value };
});

async function read({ file, maxBytes }: Extract<AskTable, { type: 'read' }>): Promise<TableAnswer> {
  const json = await unpacked(file, maxBytes);
  if (!json.ok) return { type: 'refused', problems: json.problems };
  const result = readTable(json.bytes);
  if (!result.ok) return { type: 'refused', problems: result.problems };
  const rows = rowsOf(result.table, result.asWritten, json.bytes);
  batches = rows.batches;
  return { type: 'head', head: rows.head };
}
