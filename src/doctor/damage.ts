/** Checks that read the whole database. They run in a reading Worker so that they block nothing. */
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
  // These checks read only the database and the keys next to it.
  const diagnosisTarget = { db, folder: { path: folder }, state: SERVED } as unknown as DiagnosisTarget;
  // The audit goes first: the seal next to the database must not be newer than the snapshot of the read.
  const results: Record<string, unknown> = { audit: audit(diagnosisTarget) };
  yield '';
  results['integrity'] = integrity(diagnosisTarget);
  yield '';
  results['foreign-keys'] = foreignKeys(diagnosisTarget);
  yield JSON.stringify(results);
}
