/** Subscriptions, events and deliveries, as the API tells of them (contract sections 9, 10 and 13). */

export const SUBSCRIPTIONS = '/portal/api/ext/webhook';
export const DELIVERIES = '/appliance/api/deliveries';

export interface Subscription {
  readonly id: number;
  readonly evento: string;
  readonly endpoint: string;
  readonly chaveSecreta: string | null;
  readonly chaveAutenticacao: string | null;
  /** `dd-MM-yyyy HH:mm:ss`, as all its moments. */
  readonly dataRegistro: string;
  readonly dataExclusao: string | null;
  readonly motivoExclusao: string | null;
  readonly dataUltimoSucesso: string | null;
}

export interface EventType {
  readonly evento: string;
  readonly title: string;
  readonly automatic: boolean;
  readonly invented: 'values' | 'form and values';
  readonly sample: unknown;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed' | 'cancelled';

export interface Attempt {
  readonly at: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly ms: number;
  readonly description: string;
}

export interface Delivery {
  readonly id: number;
  readonly eventId: number;
  readonly subscriptionId: number;
  readonly evento: string;
  readonly endpoint: string;
  readonly state: DeliveryState;
  readonly attempts: readonly Attempt[];
  readonly nextAttemptAt: string | null;
}

export interface DetailedDelivery extends Delivery {
  readonly publishedAt: string;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
}

export interface DeliverySummary {
  /** Oldest first; today is the last. */
  readonly days: readonly { readonly day: string; readonly delivered: number; readonly failed: number }[];
  readonly pending: number;
  readonly failing: readonly Failing[];
}

export interface Failing {
  readonly subscriptionId: number;
  readonly evento: string;
  readonly endpoint: string;
  readonly since: string;
}

export interface Failure {
  readonly id: number;
  readonly data: string;
  readonly descricao: string;
  readonly evento: string;
  readonly conteudo: string;
}

export const isPending = ({ state }: Delivery): boolean => state === 'pending';
