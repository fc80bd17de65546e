/** Receives each request and each delivery of a development instance, for a screen or as JSON. */
import type { Outcome } from '../../notification/delivery/send/outcome.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Delivery } from './delivery-line.ts';

export interface RequestDisplay {
  readonly request: (entry: JournalEntry) => void;
  readonly attempt: (outcome: Outcome, delivery: Delivery) => void;
}
