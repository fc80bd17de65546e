/** Schema of a moment in the document, as `momentText` (calendar.ts) prints it. */
import { text } from './forms.ts';

export const momentOf = (description: string) =>
  text(`${description} Horário de Brasília com seu fuso.`, '2026-01-15T09:00:00.000-03:00', {
    format: 'date-time',
  });
