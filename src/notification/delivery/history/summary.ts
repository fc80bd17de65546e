/** The delivery summary, as a background read, and its JSON form (contract section 17). */
import { DAY_MS, type Day, type EpochMs, HOUR_MS } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { dayOf, momentText, startOfDay } from '../../../validation/calendar.ts';
import { momentOf } from '../../../validation/moment.ts';
import { DELINQUENT_AFTER_MS } from '../../delinquency/model.ts';
import { type StoredSummary, type SummaryChoice, deliverySummary } from './summary-store.ts';
import { form, text, integerForm } from '../../../validation/forms.ts';
import { t } from '../../../validation/type.ts';

/** The retention of deliveries, in days. */
export const SUMMARY_DAYS_MAX = 30;

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [3] });

const attempts = {
  delivered: count('Tentativas que deram certo.'),
  failed: count('Tentativas que falharam, a serem repetidas ou não.'),
};
const DayCounts = form('DeliveryDay', 'As tentativas de entrega de um dia.', {
  day: text('Dia, horário de Brasília.', '2026-01-15'),
  ...attempts,
});
const HourCounts = form('DeliveryHour', 'As tentativas de entrega de uma hora.', {
  at: momentOf('O início da hora.'),
  ...attempts,
});
const Failing = form('FailingSubscription', 'Uma assinatura cujas tentativas falham.', {
  subscriptionId: integerForm('A assinatura.', 1),
  evento: text('Identificador do evento.', 'catp-prod-alterado'),
  endpoint: t.String({ description: 'URL que recebe.', examples: ['https://erp.empresa.com.br/avisos'] }),
  since: momentOf('A primeira falha desde o último sucesso.'),
  deletesOn: text(
    'O dia em que a assinatura é excluída, se continuar assim; hoje, onde só falta a próxima falha.',
    '2026-02-14',
  ),
  daysLeft: count('Dias até lá; 0: hoje.'),
});
export const DeliverySummary = form('DeliverySummary', 'Como vão as entregas.', {
  days: t.Array(DayCounts, { description: 'Do dia mais antigo a hoje.' }),
  hours: t.Array(HourCounts, { description: 'As últimas 24 horas, a de agora por último.' }),
  pending: count('Entregas por tentar, ou por repetir.'),
  failing: t.Array(Failing, { description: 'Assinaturas cuja última tentativa falhou.' }),
});

export interface DeliverySummaryRead extends SummaryChoice {
  readonly kind: 'deliverySummary';
  /** The number of days, including today as the last one. */
  readonly days: number;
  readonly now: EpochMs;
}

const HOURS = 24;

export function* deliverySummaryTexts(db: Db, request: DeliverySummaryRead): Generator<string> {
  const { days, now } = request;
  const today = startOfDay(dayOf(now));
  const noon = today + DAY_MS / 2;
  const requestedDays = Array.from({ length: days }, (_, back): Day => dayOf(noon - back * DAY_MS)).reverse();
  const hour = Math.floor(now / HOUR_MS);
  const from = Math.min(startOfDay(requestedDays[0] ?? '') / HOUR_MS, hour - HOURS + 1);
  const { hours, pending, failing } = yield* deliverySummary(db, request, from, hour + 1);
  const ofHours = Map.groupBy(hours, (one) => one.hour);
  const ofDays = Map.groupBy(hours, (one) => dayOf(one.hour * HOUR_MS));
  const failures = failing.map(({ since, ...one }) => {
    // The next failure deletes a subscription whose 30 days are over, so the earliest deletion is now.
    const deletesOn = dayOf(Math.max(since + DELINQUENT_AFTER_MS, now));
    const daysLeft = Math.round((startOfDay(deletesOn) - today) / DAY_MS);
    return { ...one, since: momentText(since), deletesOn, daysLeft };
  });
  yield JSON.stringify({
    days: requestedDays.map((day) => ({ day, ...summed(ofDays.get(day)) })),
    hours: Array.from({ length: HOURS }, (_, index) => hour - HOURS + 1 + index).map((one) => ({
      at: momentText(one * HOUR_MS),
      ...summed(ofHours.get(one)),
    })),
    pending,
    failing: failures,
  });
}

function summed(hours: StoredSummary['hours'] = []) {
  const sum = (name: 'delivered' | 'failed') => hours.reduce((so, one) => so + one[name], 0);
  return { delivered: sum('delivered'), failed: sum('failed') };
}
