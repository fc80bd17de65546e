/** One delivery with its request: what was or will be sent, without its secrets (contract section 17). */
import { withNotRecorded } from '../../../validation/not-recorded.ts';
import { momentText } from '../../../validation/calendar.ts';
import { momentOf } from '../../../validation/moment.ts';
import { composeHeaders } from '../send/request.ts';
import { ANSWER_KEPT_BYTES, MASK } from '../send/excerpt.ts';
import { Attempt, type DeliveryRecord, ListedDelivery, type StoredRequest, toListed } from './model.ts';
import { form, notRecordedOf, nullable, text } from '../../../validation/forms.ts';
import { t } from '../../../validation/type.ts';

const SentRequest = form('DeliveryRequest', 'A requisição que o receptor recebe.', {
  headers: t.Record(t.String(), t.String(), {
    description: 'Os cabeçalhos, com os nomes em minúsculas; os valores das chaves são trocados por •••.',
    examples: [{ 'event-type': 'catp-prod-alterado' }],
  }),
  body: text('O corpo, como foi publicado.', '{}'),
});
const DetailedAttempt = form('DetailedDeliveryAttempt', 'Uma tentativa de entrega, com a resposta.', {
  ...Attempt.properties,
  answer: nullable(t.String(), {
    description: `O que o receptor respondeu, até ${ANSWER_KEPT_BYTES} bytes; as chaves da assinatura são trocadas por ${MASK}. null: nada.`,
    examples: ['{"erro": "código desconhecido"}'],
  }),
  notRecorded: notRecordedOf(['answer']),
});
export const DetailedDelivery = form('DetailedDelivery', 'Uma entrega e a requisição que ela faz.', {
  ...ListedDelivery.properties,
  attempts: t.Array(DetailedAttempt, { description: 'As tentativas, da mais antiga à mais nova.' }),
  publishedAt: momentOf('Quando o evento foi publicado.'),
  request: SentRequest,
});
export type DetailedDelivery = typeof DetailedDelivery.static;

export function toDetailed(delivery: DeliveryRecord, stored: StoredRequest): DetailedDelivery {
  const { destinatarioTipo, destinatarioId, conteudo, publishedAt, hasSecret, hasAuthorization } = stored;
  const headers = composeHeaders({
    evento: delivery.evento,
    destinatarioTipo,
    destinatarioId,
    body: conteudo,
    chaveSecreta: hasSecret ? MASK : null,
    chaveAutenticacao: hasAuthorization ? MASK : null,
  });
  return {
    ...toListed(delivery),
    attempts: delivery.attempts.map(({ at, isAnswerUnrecorded, ...attempt }) => ({
      at: momentText(at),
      ...attempt,
      ...withNotRecorded({ answer: isAnswerUnrecorded === 1 }),
    })),
    publishedAt: momentText(publishedAt),
    // The readable text, not the UTF-8 octets that the header carries.
    request: { headers: { ...headers, 'destinatario-id': destinatarioId }, body: conteudo },
  };
}
