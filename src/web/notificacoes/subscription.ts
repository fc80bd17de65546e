/** Builds the requests that create and change a subscription. */
import type { ListedSubscription } from '../api/answers.ts';

export interface SubscriptionFields {
  readonly evento: string;
  readonly endpoint: string;
  /** The typed text; '' when there is none. */
  readonly chaveSecreta: string;
  readonly chaveAutenticacao: string;
  readonly removesSecreta: boolean;
  readonly removesAutenticacao: boolean;
}

export const fieldsOf = (subscription?: ListedSubscription): SubscriptionFields => ({
  evento: subscription?.evento ?? '',
  endpoint: subscription?.endpoint ?? '',
  chaveSecreta: '',
  chaveAutenticacao: '',
  removesSecreta: false,
  removesAutenticacao: false,
});

/** Builds the request. An untouched secret is left out and kept; `null` removes it (contract section 9). */
export function requestOf(fields: SubscriptionFields, id?: number): Record<string, unknown> {
  const { evento, endpoint, chaveSecreta, chaveAutenticacao, removesSecreta, removesAutenticacao } = fields;
  return {
    ...(id !== undefined && { id }),
    evento: evento.trim(),
    endpoint: endpoint.trim(),
    ...secret('chaveSecreta', chaveSecreta, removesSecreta),
    ...secret('chaveAutenticacao', chaveAutenticacao, removesAutenticacao),
  };
}

function secret(name: string, typed: string, removes: boolean): Record<string, string | null> {
  if (removes) return { [name]: null };
  return typed === '' ? {} : { [name]: typed };
}
