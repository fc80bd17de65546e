/** Copies the database as of one moment, during writes: SQLite's online backup. */
import { type Db, openForReading } from '../db/open.ts';
import { auditEndOf, countsOf, schemaOf } from './counts-store.ts';
import type { AuditEnd, Counts } from './model.ts';
import type { Pace } from './pace.ts';

/** Number of pages that are copied between two pauses: some ms. */
const PAGES_AT_ONCE = 256;

export interface CopiedDatabase {
  readonly counts: Counts;
  readonly schema: number;
  readonly audit: AuditEnd;
}

/**
 * Copies within one read transaction. Without it, SQLite's backup restarts after each commit of another
 * connection, and never ends under load. Its only cost is that the server's log is checkpointed later.
 */
export async function copyDatabase(source: string, target: string, pace: Pace): Promise<CopiedDatabase> {
  using db = openForReading(source);
  const copied = snapshotOf(db);
  await db.backup(target, {
    progress: () => {
      pace.pause();
      return PAGES_AT_ONCE;
    },
  });
  return copied;
}

/** Begins the snapshot, which the first read opens. */
function snapshotOf(db: Db): CopiedDatabase {
  db.exec('BEGIN');
  return { schema: schemaOf(db), counts: countsOf(db), audit: auditEndOf(db) };
}
