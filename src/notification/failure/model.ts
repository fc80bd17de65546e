/** Failure records (specification, Delivery failure record). */
import type { Day } from '../../clock.ts';
import { isDay } from '../../validation/calendar.ts';
import { form, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

/**
 * Matches existing days from the year 1000 on, as far as a short expression can: it excludes 29 February of
 * every full century.
 */
const EXISTING_DAY =
  '^(?:(?:0[1-9]|1[0-9]|2[0-8])(?:0[1-9]|1[0-2])|(?:29|30)(?:0[13-9]|1[0-2])|31(?:0[13578]|1[02]))[1-9][0-9]{3}$|^2902[1-9][0-9](?:0[48]|[2468][048]|[13579][26])$';

/** A day in the format of this operation, `ddMMyyyy`. */
export const CompactDay = text('Dia no formato ddMMyyyy; sem ele, hoje.', '31012026', {
  pattern: '^[0-9]{8}$',
  'x-check': (text: string) => isDay(toDay(text)),
  'x-domain': 'um dia existente no formato ddMMyyyy',
  'x-printed': { pattern: EXISTING_DAY },
});

export const toDay = (compact: string): Day =>
  `${compact.slice(4)}-${compact.slice(2, 4)}-${compact.slice(0, 2)}`;

export const ListedFailure = form('DeliveryFailure', 'Uma tentativa de entrega que falhou.', {
  id: integerForm('Identificador da falha.', 1),
  data: text('Quando falhou; dd-MM-yyyy HH:mm:ss, horário de Brasília.', '15-01-2026 09:00:00'),
  descricao: t.String({ description: 'O que aconteceu, e depois de quantos ms.' }),
  evento: text('Identificador do evento.', 'catp-prod-alterado'),
  conteudo: text('O corpo que foi enviado.', '{}'),
});
export type ListedFailure = typeof ListedFailure.static;
