/** Ends the reads of comparisons whose remote is removed (contract section 16, "A right ends everywhere at once"). */
import { notFound } from '../errors.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import type { Comparison } from './model.ts';
import type { RemoteStore } from './store.ts';

export class ComparisonReaders {
  readonly #store: Pick<RemoteStore, 'list'>;
  /** Aborted with the removal, by remote. */
  readonly #removals = new Map<number, AbortController>();

  constructor(store: Pick<RemoteStore, 'list'>) {
    this.#store = store;
  }

  /** Returns the quota owner of a read of a comparison. The read also ends when the remote is removed. */
  quotaOwnerOf(
    quotaOwner: QuotaOwner,
    { remoteId, cpfCnpjRaiz }: Pick<Comparison, 'remoteId' | 'cpfCnpjRaiz'>,
  ): QuotaOwner {
    const removal = this.#removals.get(remoteId) ?? new AbortController();
    this.#removals.set(remoteId, removal);
    const signals = quotaOwner.signal === undefined ? [] : [quotaOwner.signal];
    return {
      user: quotaOwner.user,
      company: cpfCnpjRaiz,
      signal: AbortSignal.any([...signals, removal.signal]),
    };
  }

  /** Ends the reads of removed remotes. Call it after a change of remotes. */
  endReadsOfRemoved(): void {
    if (this.#removals.size === 0) return;
    const ids = new Set(this.#store.list().map(({ id }) => id));
    for (const [remoteId, removal] of this.#removals)
      if (!ids.has(remoteId)) {
        this.#removals.delete(remoteId);
        removal.abort(notFound('O remoto desta comparação foi removido enquanto ela era lida.'));
      }
  }
}
