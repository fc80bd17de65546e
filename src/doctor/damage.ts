/** The checks that go through the whole database, where they must not hold up others. */
import type { Db } from '../db/open.ts';
import { foreignKeys } from './checks/foreign-keys.ts';
import { integrity } from './checks/integrity.ts';
import type { Patient } from './patient.ts';

export interface DamageRead {
  readonly kind: 'damage';
}

export function* damageTexts(db: Db): Generator<string> {
  // They look at nothing but the database.
  const patient = { db } as unknown as Patient;
  const found: Record<string, unknown> = { integrity: integrity(patient) };
  yield '';
  found['foreign-keys'] = foreignKeys(patient);
  yield JSON.stringify(found);
}
