/** Records the outcome of an attempt: all its changes, in one transaction (contract section 10). */
import type { EpochMs } from '../../../clock.ts';
import type { Transaction, Writer } from '../../../db/writer.ts';
import type { Delinquency } from '../../delinquency/service.ts';
import type { DueDelivery } from './delivery-store.ts';
import type { Delivered, Failed } from '../send/outcome.ts';
import type { AttemptRow } from '../../model.ts';
import type { OutcomeStore, PendingDelivery } from './outcome-store.ts';
import type { NotifyPeople } from '../../../session/notices/model.ts';
import { type RepeatPolicy, repeatAt } from './repeats.ts';

export interface Attempt {
  readonly due: DueDelivery;
  readonly startedAt: EpochMs;
  readonly outcome: Delivered | Failed;
}

export type Outcomes = ReturnType<typeof createOutcomes>;

export function createOutcomes({
  store,
  writer,
  delinquency,
  repeats,
  notify,
}: {
  readonly store: OutcomeStore;
  readonly writer: Writer;
  readonly delinquency: Delinquency;
  readonly repeats: RepeatPolicy;
  /** Notifies the owner of a subscription that begins to fail. */
  readonly notify?: NotifyPeople | undefined;
}) {
  /** Resolves when the outcome is on stable storage. */
  function record(attempt: Attempt): Promise<void> {
    return writer.write((transaction) => storeAttempt(attempt, transaction));
  }

  /** Ends a delivery that is not sent. Resolves when this is on stable storage. */
  function cancel({ id }: DueDelivery): Promise<void> {
    return writer.write(({ now }) => {
      const delivery = store.find(id);
      if (delivery !== undefined && delivery !== 'ended')
        store.finish(id, 'cancelled', delivery.attemptCount, now);
    });
  }

  function storeAttempt(attempt: Attempt, transaction: Transaction): void {
    const { due, outcome } = attempt;
    const delivery = store.find(due.id);
    if (delivery === undefined) return;
    store.insertAttempt(attemptRow(attempt));
    // The delivery was cancelled during the attempt: a deleted subscription stays deleted.
    const pending = delivery === 'ended' ? undefined : delivery;
    if (outcome.kind === 'failed') storeFailure(due, pending, outcome, transaction);
    else if (pending !== undefined) storeSuccess(due, pending, transaction.now);
  }

  function storeSuccess(due: DueDelivery, pending: PendingDelivery, now: EpochMs): void {
    // A successful replay before the first attempt counts as the first attempt.
    store.finish(due.id, 'delivered', Math.max(1, countOf(pending, due)), now);
    store.markSuccess(due.subscriptionId, due.endpoint, now);
  }

  function storeFailure(
    due: DueDelivery,
    pending: PendingDelivery | undefined,
    { description }: Failed,
    transaction: Transaction,
  ): void {
    const { now } = transaction;
    const { id: deliveryId, subscriptionId, evento, conteudo } = due;
    store.insertFailure({
      deliveryId,
      subscriptionId,
      failedAt: now,
      descricao: description,
      evento,
      conteudo,
    });
    if (pending === undefined) return;
    planNext(due, pending, now);
    const owner = notify && store.findOwnerOfSound(subscriptionId, due.endpoint);
    if (owner !== undefined)
      notify?.(transaction, {
        kind: 'assinaturas',
        documento: owner,
        text: `A assinatura ${subscriptionId} (${evento}) começou a falhar. ${description}`,
        link: {
          href: `/notificacoes?aba=entregas&subscriptionId=${subscriptionId}`,
          label: 'Ver entregas',
        },
      });
    store.markFailure(subscriptionId, due.endpoint, now);
    delinquency.deleteIfDelinquent(transaction, subscriptionId);
  }

  function planNext(due: DueDelivery, pending: PendingDelivery, now: EpochMs): void {
    const attemptCount = countOf(pending, due);
    const repeat = due.replay ? (pending.resumeAt ?? undefined) : repeatAt(repeats, attemptCount, now);
    // A replay requested during this attempt runs first. The planned repeat follows it.
    const isReplayRequested = pending.replay && !due.replay;
    if (isReplayRequested)
      store.continue(due.id, { attemptCount, nextAttemptAt: now, replay: true, resumeAt: repeat ?? null });
    else if (repeat === undefined) store.finish(due.id, 'failed', attemptCount, now);
    else store.continue(due.id, { attemptCount, nextAttemptAt: repeat, replay: false, resumeAt: null });
  }

  return { record, cancel };
}

/**
 * Counts the attempts without replays: the setting determines the number of repeats after the first attempt.
 */
const countOf = ({ attemptCount }: PendingDelivery, { replay }: DueDelivery): number =>
  replay ? attemptCount : attemptCount + 1;

function attemptRow({ due, startedAt, outcome }: Attempt): AttemptRow {
  const isDelivered = outcome.kind === 'delivered';
  return {
    deliveryId: due.id,
    at: startedAt,
    outcome: isDelivered ? outcome.kind : outcome.reason,
    phase: isDelivered ? 'body' : outcome.phase,
    status: outcome.status ?? null,
    ms: outcome.ms,
    description: isDelivered ? successOf(outcome) : outcome.description,
    answer: outcome.answer ?? null,
  };
}

const successOf = ({ status, ms }: Delivered): string =>
  `O destinatário respondeu com o status ${status}, após ${ms} ms.`;
