/**
 * The fidelity ledger (contract section 12). It lists every gap of the specification and every decision of
 * the project: the behaviour, its reason, its certainty, and the setting that changes it.
 */
import { CONTRACT_ENTRIES } from './contract-entries.ts';
import type { LedgerEntry } from './entry.ts';
import { PEOPLE_ENTRIES } from './people-entries.ts';
import { SPECIFICATION_ENTRIES } from './specification-entries.ts';

export const LEDGER: readonly LedgerEntry[] = [
  ...SPECIFICATION_ENTRIES,
  ...CONTRACT_ENTRIES,
  ...PEOPLE_ENTRIES,
];
