/** Formats the end of a run for people: "hoje às 14h", "amanhã às 9h30", "em 20/11/2026 às 14h". */
import { daysAfter, momentText } from '../../validation/calendar.ts';
import { dayText } from '../words.ts';

/** `now`: the time of the browser; only its day counts. */
export function endInWords(text: string, now = momentText(Date.now())): string {
  const today = now.slice(0, 10);
  const on = text.slice(0, 10);
  const [hour = '', minute = ''] = text.slice(11, 16).split(':');
  const time = `${Number(hour)}h${minute === '00' ? '' : minute}`;
  const at = `${Number(hour) < 2 ? 'à' : 'às'} ${time}`;
  if (on === today) return `hoje ${at}`;
  return on === daysAfter(today, 1) ? `amanhã ${at}` : `em ${dayText(on)} ${at}`;
}
