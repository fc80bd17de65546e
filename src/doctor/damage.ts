/** The checks that go through the whole database, where they must not hold up others. */
import type { Db } from '../db/open.ts';
import { audit } from './checks/audit.ts';
import { foreignKeys } from './checks/foreign-keys.ts';
import { integrity } from './checks/integrity.ts';
import { type DiagnosisTarget, SERVED } from './diagnosis-target.ts';

export interface DamageRead {
  readonly kind: 'damage';
  /** The data folder. */
  readonly folder: string;
}

export function* damageTexts(db: Db, { folder }: DamageRead): Generator<string> {
  // They look at nothing but the database and the keys beside it.
  const diagnosisTarget = { db, folder: { path: folder }, state: SERVED } as unknown as DiagnosisTarget;
  // The audit first: the seal beside the database is none of later than what is seen of it.
  const found: Record<string, unknown> = { audit: audit(diagnosisTarget) };
  yield '';
  found['integrity'] = integrity(diagnosisTarget);
  yield '';
  found['foreign-keys'] = foreignKeys(diagnosisTarget);
  yield JSON.stringify(found);
}
