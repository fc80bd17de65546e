/** Codes of the rules of subscriptions and deliveries: the public interface's own, and ours, CATP-ER13nn. */
export const NOTIFICATION_CODES = {
  repeatedSubscription: {
    code: 'PLAT-ER9100',
    meaning: 'Já existe assinatura ativa do usuário para o evento.',
  },
  unknownEvent: { code: 'CATP-ER1301', meaning: 'Evento que não existe na lista de eventos.' },
  cancelledDelivery: { code: 'CATP-ER1302', meaning: 'Entrega cancelada não é refeita.' },
  endedSubscription: { code: 'CATP-ER1303', meaning: 'Entrega de assinatura excluída não é refeita.' },
} as const;

export type NotificationRule = keyof typeof NOTIFICATION_CODES;
