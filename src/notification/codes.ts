/**
 * Rule codes of subscriptions and deliveries: those of the public interface, and the project's own,
 * CATP-ER13nn.
 */
import { rulesOf } from '../errors.ts';

export const NOTIFICATION_CODES = rulesOf({
  repeatedSubscription: 'PLAT-ER9100 Já existe assinatura ativa do usuário para o evento.',
  unknownEvent: 'CATP-ER1301 Evento que não existe na lista de eventos.',
  cancelledDelivery: 'CATP-ER1302 Entrega cancelada não é refeita.',
  endedSubscription: 'CATP-ER1303 Entrega de assinatura excluída não é refeita.',
});

export type NotificationRule = keyof typeof NOTIFICATION_CODES;
