/** A failing subscription of a user, as an item of the attention list (contract section 25). */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { dayOf } from '../../../validation/calendar.ts';
import { dayCell } from '../../../sheet/table.ts';
import { DELIVERY_SUMMARY, type StoredSummary } from './summary-store.ts';

export interface SubscriptionAttentionItem {
  readonly kind: 'assinaturas';
  /** The id of the subscription. */
  readonly id: string;
  readonly count: 1;
  readonly day: Day;
  readonly href: string;
  readonly tone: 'warning';
  readonly message: string;
}

const EXCERPT_CHARACTERS_MAX = 80;
const shortened = (url: string): string =>
  url.length > EXCERPT_CHARACTERS_MAX ? `${url.slice(0, EXCERPT_CHARACTERS_MAX)}…` : url;

/** Lists the failing subscriptions of an owner. `documento`: `null` lists those of all owners. */
export function subscriptionAttention(
  db: Db,
  documento: string | null,
): readonly SubscriptionAttentionItem[] {
  const choice = { documento, cpfCnpjRaiz: null };
  return db
    .prepare<[object], StoredSummary['failing'][number]>(DELIVERY_SUMMARY(choice).failing)
    .all(choice)
    .map(({ subscriptionId, evento, endpoint, since }) => ({
      kind: 'assinaturas',
      id: `${subscriptionId}`,
      count: 1,
      day: dayOf(since),
      href: `/notificacoes?aba=entregas&subscriptionId=${subscriptionId}`,
      tone: 'warning',
      message: `A assinatura ${subscriptionId} falha desde ${dayCell(dayOf(since))}: ${evento}. Confira se ${shortened(endpoint)} responde em 3,5 segundos com um status 2xx e um certificado válido. Depois de 30 dias só de falhas a assinatura é excluída.`,
    }));
}
