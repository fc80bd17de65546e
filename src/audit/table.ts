/** The audit as a table to download: all entries that match its filters, newest first. */
import type { Db } from '../db/open.ts';
import { type TableColumn, type TableRead, requestedColumns, tableTexts } from '../sheet/table.ts';
import { emptyText } from '../validation/not-recorded.ts';
import { visible } from '../validation/text.ts';
import { type AuditFilter, type AuditEntry, toListed } from './model.ts';
import { newestFirst } from './reading.ts';

export type AuditTableRead = TableRead<'auditTable', AuditFilter>;

type AuditRow = ReturnType<typeof toListed>;

/** Prints an account's members in one cell, and makes control characters of a user's text visible. */
const column = (target: Exclude<keyof AuditRow, 'notRecorded'>, heading: string): TableColumn<AuditRow> => ({
  target,
  heading,
  cell: (entry) => {
    const value = entry[target];
    if (value === null) return emptyText(entry, target, '');
    const cell = typeof value === 'object' ? JSON.stringify(value) : value;
    return typeof cell === 'string' ? visible(cell) : cell;
  },
});

export const AUDIT_COLUMNS: readonly TableColumn<AuditRow>[] = [
  column('seq', 'Nº'),
  column('at', 'Quando'),
  column('actor', 'Quem'),
  column('key', 'Chave'),
  column('channel', 'Por onde'),
  column('action', 'O quê'),
  column('subject', 'Assunto'),
  column('before', 'Antes'),
  column('after', 'Depois'),
  column('proposedBy', 'Proposto por'),
  column('proposal', 'Proposta'),
];

export const auditTableTexts = (db: Db, { filter, columns, format }: AuditTableRead) =>
  tableTexts(format, requestedColumns(AUDIT_COLUMNS, columns), auditRows(newestFirst(db, filter)));

function* auditRows(entries: Iterable<AuditEntry | undefined>): Generator<AuditRow | undefined> {
  for (const entry of entries) yield entry && toListed(entry);
}
