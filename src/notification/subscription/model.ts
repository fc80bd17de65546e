/** Subscriptions (contract section 9): their stored form and their response form. */
import type { EpochMs } from '../../clock.ts';
import { printedDateTime } from '../../validation/calendar.ts';
import { form, nullable, text, integerForm } from '../../validation/forms.ts';

const EVENTO_MAX = 40;
const SUBSCRIPTION_ID_MAX = 9_999_999_999;

/** The members that the subscriber sends, without the secrets. */
export interface Target {
  readonly evento: string;
  readonly endpoint: string;
}

export interface Secrets {
  readonly chaveSecreta: string | null;
  readonly chaveAutenticacao: string | null;
}

export interface Subscription extends Target {
  readonly id: number;
  /** The owner: CPF or CNPJ of the user. */
  readonly documento: string;
  readonly registeredAt: EpochMs;
  readonly deletedAt: EpochMs | null;
  readonly motivoExclusao: string | null;
  readonly lastSuccessAt: EpochMs | null;
}

/** The reasons of a deletion, as the list shows them. The automatic deletion defines its own reason. */
export const MOTIVO = {
  byUser: 'Exclusão solicitada pelo usuário.',
  userRemoved: 'Exclusão por remoção do usuário.',
} as const;

export const Evento = text('Identificador do evento.', 'catp-prod-alterado', {
  minLength: 1,
  maxLength: EVENTO_MAX,
  pattern: '^[!-~]+$',
  'x-domain': 'caracteres ASCII visíveis, sem espaços',
});

export const SubscriptionId = integerForm('Identificador da assinatura.', 1, {
  minimum: 1,
  maximum: SUBSCRIPTION_ID_MAX,
});

const endpoint = text('URL que recebe as notificações.', 'https://erp.empresa.com.br/notificacoes');
const secret = (description: string) => nullable(text(description, 'segredo combinado'));
const MOMENT_TEXT = 'dd-MM-yyyy HH:mm:ss, horário de Brasília.';
const moment = (what: string) => text(`${what}; ${MOMENT_TEXT}`, '15-01-2026 09:00:00');

const changed = {
  id: SubscriptionId,
  evento: text('Identificador do evento.', 'catp-prod-alterado'),
  endpoint,
};
const storedSecrets = {
  ...changed,
  chaveSecreta: secret('Devolvida no cabeçalho Secret de cada notificação; null onde não há.'),
  chaveAutenticacao: secret('Enviada no cabeçalho Authorization de cada notificação; null onde não há.'),
};

export const ChangedSubscription = form('ChangedSubscription', 'Uma assinatura alterada.', changed);
export const NewSubscription = form('Subscription', 'Uma assinatura nova.', storedSecrets);
export const ListedSubscription = form('ListedSubscription', 'Uma assinatura da lista.', {
  ...storedSecrets,
  dataRegistro: moment('Quando foi feita'),
  dataExclusao: nullable(moment('Quando foi excluída; null enquanto vale')),
  motivoExclusao: nullable(
    text('Por que foi excluída; null enquanto vale.', 'Exclusão solicitada pelo usuário.'),
  ),
  dataUltimoSucesso: nullable(moment('A última entrega com sucesso; null até a primeira')),
});
export type ChangedSubscription = typeof ChangedSubscription.static;
export type NewSubscription = typeof NewSubscription.static;
export type ListedSubscription = typeof ListedSubscription.static;

/** Returns a subscription in the form of the list, the only one with dates. */
export function toListed(
  subscription: Subscription,
  { chaveSecreta, chaveAutenticacao }: Secrets,
): ListedSubscription {
  const { id, evento, endpoint, registeredAt, deletedAt, motivoExclusao, lastSuccessAt } = subscription;
  return {
    id,
    evento,
    endpoint,
    chaveSecreta,
    chaveAutenticacao,
    dataRegistro: printedDateTime(registeredAt),
    dataExclusao: printed(deletedAt),
    motivoExclusao,
    dataUltimoSucesso: printed(lastSuccessAt),
  };
}

const printed = (instant: EpochMs | null): string | null =>
  instant === null ? null : printedDateTime(instant);
