/** A moment in the document: what `momentText` (calendar.ts) prints. */
import { Type as t } from '@sinclair/typebox';

export const momentOf = (description: string) =>
  t.String({
    format: 'date-time',
    description: `${description} Horário de Brasília com seu fuso.`,
    examples: ['2026-01-15T09:00:00.000-03:00'],
  });
