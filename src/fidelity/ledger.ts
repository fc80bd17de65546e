/**
 * The fidelity ledger (contract section 12): everything that the specification does not show, and everything that we
 * decided ourselves: what this product does, why, how sure it is, and which setting changes it.
 */
import { CONTRACT_ENTRIES } from './contract-entries.ts';
import type { LedgerEntry } from './entry.ts';
import { SPECIFICATION_ENTRIES } from './specification-entries.ts';

export const LEDGER: readonly LedgerEntry[] = [...SPECIFICATION_ENTRIES, ...CONTRACT_ENTRIES];
