/** Removes items from the attention list, for all users, until their counts grow (contract section 25). */
import type { Clock } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { isUnavailable, notFound } from '../../errors.ts';
import type { Reads } from '../../reading/pool.ts';
import { readText } from '../../reading/stream.ts';
import { hasRight, requireRight } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import { dayOf } from '../../validation/calendar.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { AttentionResult, AttentionRead, DismissibleRead, LoweredRead } from './attention.ts';
import type { Dismissal, DismissalStore, LoweredDismissal } from './dismissal-store.ts';
import type { AttentionKind } from './attention-item.ts';

export interface DismissalRequest {
  readonly cpfCnpjRaiz: string;
  readonly kind: AttentionKind;
  /** Absent: all items of the kind. */
  readonly id?: string | undefined;
}

/** Returns the companies whose proposals the caller may decide. */
export const decidableBy = (caller: Caller): readonly string[] =>
  [...caller.companies.keys()].filter((company) => hasRight(caller, company, 'aprovacao'));

export class Dismissals {
  readonly #reads: Reads<AttentionRead | DismissibleRead | LoweredRead>;
  readonly #store: DismissalStore;
  readonly #writer: Writer;
  readonly #clock: Clock;

  constructor(
    reads: Reads<AttentionRead | DismissibleRead | LoweredRead>,
    store: DismissalStore,
    writer: Writer,
    clock: Clock,
  ) {
    this.#reads = reads;
    this.#store = store;
    this.#writer = writer;
    this.#clock = clock;
  }

  /**
   * Lowers the dismissed counts of all companies to those of the items, so that an item is shown again when
   * its count rises again.
   */
  async lowerCounts(quotaOwner: QuotaOwner): Promise<number> {
    const companies = this.#store.companies();
    if (companies.length === 0) return 0;
    const read = { kind: 'loweredAttention', companies, today: dayOf(this.#clock.now()) } as const;
    return this.#lower(JSON.parse(await readText(this.#reads.read(read, quotaOwner))) as LoweredDismissal[]); // by our Worker
  }

  /** Returns the items that need attention, and lowers the dismissed counts to the counts read. */
  async list(
    quotaOwner: QuotaOwner,
    request: Omit<AttentionRead, 'kind'>,
  ): Promise<AttentionResult['attention']> {
    const text = await readText(this.#reads.read({ kind: 'attention', ...request }, quotaOwner));
    const { attention, lowered } = JSON.parse(text) as AttentionResult; // by our Worker
    await this.#lower(lowered);
    return attention;
  }

  async #lower(lowered: readonly LoweredDismissal[]): Promise<number> {
    if (lowered.length === 0) return 0;
    try {
      await this.#writer.write(() => {
        for (const loweredDismissal of lowered) this.#store.lower(loweredDismissal);
      });
    } catch (error) {
      // The list is shown all the same. The writer has reported that the disk refuses writes.
      if (!isUnavailable(error)) throw error;
    }
    return lowered.length;
  }

  /** Throws 403, and 404 if no item of the kind has that id. */
  async dismiss(
    caller: Caller,
    quotaOwner: QuotaOwner,
    { cpfCnpjRaiz, kind, id }: DismissalRequest,
  ): Promise<void> {
    requireRight(caller, cpfCnpjRaiz, 'preenchimento');
    const { documento, administrador } = caller;
    const decidableCompanies = decidableBy(caller);
    const read = { documento, decidableCompanies, administrador, today: dayOf(this.#clock.now()) };
    const all = JSON.parse(
      await readText(this.#reads.read({ kind: 'dismissible', cpfCnpjRaiz, ...read }, quotaOwner)),
    ) as Dismissal[];
    const dismissed = all.filter(
      (dismissal) => dismissal.kind === kind && dismissal.id === (id ?? dismissal.id),
    );
    if (dismissed.length === 0) {
      if (id === undefined) return;
      throw notFound(
        `Nenhum item ${kind} com id ${formatValue(id)} pede atenção na empresa ${cpfCnpjRaiz}; consulte os que pedem em /appliance/api/attention.`,
      );
    }
    await this.#writer.write((tx) => {
      for (const dismissal of dismissed) {
        this.#store.put(cpfCnpjRaiz, dismissal);
        const item = dismissal.id === '' ? kind : `${kind}/${dismissal.id}`;
        tx.record({
          by: caller,
          action: 'DISPENSA',
          kind: 'atencao',
          key: `${cpfCnpjRaiz}/${item}`,
          before: null,
          after: { count: dismissal.count },
        });
      }
    });
  }
}
