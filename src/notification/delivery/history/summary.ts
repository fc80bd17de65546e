/** How deliveries went, as it is read aside, and its form on the wire (contract section 17). */
import { Type as t } from '@sinclair/typebox';
import { DAY_MS, type Day, type EpochMs } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { dayOf, endOfDay, momentText, startOfDay } from '../../../validation/calendar.ts';
import { momentOf } from '../../../validation/moment.ts';
import { DELINQUENT_AFTER_MS } from '../../delinquency/model.ts';
import { type DeliverySummaryRead, deliverySummary } from './summary-store.ts';

export type { DeliverySummaryRead } from './summary-store.ts';

/** Finished deliveries are kept no longer. */
export const SUMMARY_DAYS_MAX = 30;

const count = (description: string) => t.Integer({ minimum: 0, description, examples: [3] });

const DayCounts = t.Object(
  {
    day: t.String({ description: 'Dia, horário de Brasília.', examples: ['2026-01-15'] }),
    delivered: count('Entregas que terminaram bem nesse dia.'),
    failed: count('Entregas que nesse dia falharam pela última vez.'),
  },
  { 'x-form': 'DeliveryDay', description: 'Como terminaram as entregas de um dia.' },
);
const Failing = t.Object(
  {
    subscriptionId: t.Integer({ description: 'A assinatura.', examples: [1] }),
    evento: t.String({ description: 'Identificador do evento.', examples: ['catp-prod-alterado'] }),
    endpoint: t.String({ description: 'URL que recebe.', examples: ['https://erp.empresa.com.br/avisos'] }),
    since: momentOf('A primeira falha desde o último sucesso.'),
    deletesOn: t.String({
      description: 'O dia em que a assinatura é excluída, se continuar assim.',
      examples: ['2026-02-14'],
    }),
    daysLeft: count('Dias até lá; 0: hoje.'),
  },
  { 'x-form': 'FailingSubscription', description: 'Uma assinatura cujas tentativas falham.' },
);
export const DeliverySummary = t.Object(
  {
    days: t.Array(DayCounts, { description: 'Do dia mais antigo a hoje.' }),
    pending: count('Entregas por tentar, ou por repetir.'),
    failing: t.Array(Failing, { description: 'Assinaturas cuja última tentativa falhou.' }),
  },
  { 'x-form': 'DeliverySummary', description: 'Como vão as entregas.' },
);

/** What is asked for so many days, today the last of them. */
export function summaryRead(days: number, now: EpochMs, documento: string | undefined): DeliverySummaryRead {
  const noon = startOfDay(dayOf(now)) + DAY_MS / 2;
  const asked = Array.from({ length: days }, (_, back): Day => dayOf(noon - back * DAY_MS)).reverse();
  return {
    ...{ kind: 'deliverySummary', documento: documento ?? null },
    days: asked.map((day) => ({ day, from: startOfDay(day), before: endOfDay(day) })),
  };
}

export function* deliverySummaryTexts(db: Db, request: DeliverySummaryRead): Generator<string> {
  const reading = deliverySummary(db, request);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done !== true) {
      yield '';
      continue;
    }
    const { failing, ...counts } = step.value;
    const today = startOfDay(request.days.at(-1)?.day ?? '');
    const told = failing.map(({ since, ...one }) => {
      const deletesOn = dayOf(since + DELINQUENT_AFTER_MS);
      const daysLeft = Math.max(0, Math.round((startOfDay(deletesOn) - today) / DAY_MS));
      return { ...one, since: momentText(since), deletesOn, daysLeft };
    });
    yield JSON.stringify({ ...counts, failing: told });
    return;
  }
}
