/** Failure records (specification, Delivery failure record). */
import { Type as t } from '@sinclair/typebox';
import type { Day, EpochMs } from '../../clock.ts';
import { isDay } from '../../validation/calendar.ts';

export interface DeliveryFailure {
  readonly id: number;
  readonly failedAt: EpochMs;
  readonly descricao: string;
  readonly evento: string;
  /** The body that was sent. */
  readonly conteudo: string;
}

/** A day as this operation takes it, `ddMMyyyy`. */
export const CompactDay = t.String({
  pattern: '^[0-9]{8}$',
  'x-check': (text: string) => isDay(toDay(text)),
  'x-domain': 'um dia existente no formato ddMMyyyy',
  examples: ['31012026'],
});

export const toDay = (compact: string): Day =>
  `${compact.slice(4)}-${compact.slice(2, 4)}-${compact.slice(0, 2)}`;

export const ListedFailure = t.Object({
  id: t.Integer(),
  data: t.String({
    description: 'dd-MM-yyyy HH:mm:ss, horário de Brasília.',
    examples: ['15-01-2026 09:00:00'],
  }),
  descricao: t.String(),
  evento: t.String(),
  conteudo: t.String({ description: 'O corpo que foi enviado.' }),
});
export type ListedFailure = typeof ListedFailure.static;
