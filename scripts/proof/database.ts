/** A look at the database file itself, beside the server or without one. */
import { dirname } from 'node:path';
import { verifyFolder } from '../../src/audit/whole.ts';
import { type Db, openForReading } from '../../src/db/open.ts';

/** What `integrity_check` and `foreign_key_check` find, and what is wrong with the chain of the audit. */
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

/** The seals are looked at where the keys lie beside the file. */
export function auditProblems(db: Db, folder: string): readonly string[] {
  const { fault } = verifyFolder(db, folder);
  return fault === undefined ? [] : [`auditoria: ${fault.message}`];
}
