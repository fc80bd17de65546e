/** Checks the database file itself, with or without a running server. */
import { dirname } from 'node:path';
import { verifyFolder } from '../../src/audit/complete-check.ts';
import { type Db, openForReading } from '../../src/db/open.ts';

/** Returns the findings of `integrity_check` and `foreign_key_check`, and the faults of the audit chain. */
export function structureProblems(file: string): readonly string[] {
  const db = openForReading(file);
  try {
    const integrity = db.pragma('integrity_check') as readonly { readonly integrity_check: string }[];
    const orphans = db.pragma('foreign_key_check') as readonly { readonly table: string }[];
    return [
      ...integrity
        .map(({ integrity_check: said }) => said)
        .filter((said) => said !== 'ok')
        .map((said) => `integrity_check: ${said}`),
      ...orphans.map(({ table }) => `foreign_key_check: ${table}`),
      ...auditProblems(db, dirname(file)),
    ];
  } finally {
    db.close();
  }
}

/** Checks the seals when the keys are next to the file. */
export function auditProblems(db: Db, folder: string): readonly string[] {
  const { fault } = verifyFolder(db, folder);
  return fault === undefined ? [] : [`auditoria: ${fault.message}`];
}
