/**
 * Compares the items of an approved import with its dry run (contract section 27): an item is applied only if
 * it finds its records as the dry run found them.
 */
import { unprocessable } from '../../errors.ts';
import { violated } from '../codes.ts';
import type { Did } from '../record.ts';
import type { DidStore } from './did-store.ts';
import type { Confirm } from './slice.ts';

/** `dryRun`: the import that was approved. */
export const confirmBy =
  (store: DidStore, dryRun: number): Confirm =>
  (index, { outcome }, did) => {
    const item = store.findItem(dryRun, index);
    // A failed item may have no stored result. It was not shown as a change, so it must not become one.
    if (item?.outcome === outcome && statesIn(item.did) === statesIn(did)) return;
    const message = `mudouDepois: agora seria feita outra coisa do que a proposta ${dryRun} mostrou; simule e proponha de novo.`;
    throw unprocessable([violated('changedSince', null, message)]);
  };

/** Returns the records with their states before the change. A new record has no key of its own yet. */
const statesIn = (did: readonly Did[]): string =>
  JSON.stringify(did.map(({ kind, key, was }) => (was === null ? [kind] : [kind, key, was])));
