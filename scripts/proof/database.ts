/** A look at the database file itself, beside the server or without one. */
import { openForReading } from '../../src/db/open.ts';

/** What `integrity_check` and `foreign_key_check` find. */
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
    ];
  } finally {
    db.close();
  }
}
