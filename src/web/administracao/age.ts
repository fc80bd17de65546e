/** Formats the time since an event. */
import { withCount } from '../words.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The age at which `doctor` warns (contract section 16). */
const OLD = 2 * DAY;

export interface Age {
  readonly text: string;
  readonly isOld: boolean;
}

/** Returns the age. When the clock of the server is ahead of this one, the age is zero. */
export function ageInWords(at: string, now: number): Age {
  const age = Math.max(0, now - Date.parse(at));
  return { text: textOf(age), isOld: age > OLD };
}

function textOf(age: number): string {
  if (age < MINUTE) return 'agora há pouco';
  if (age < HOUR) return `há ${withCount(Math.floor(age / MINUTE), 'minuto', 'minutos')}`;
  if (age < OLD) return `há ${withCount(Math.floor(age / HOUR), 'hora', 'horas')}`;
  return `há ${withCount(Math.floor(age / DAY), 'dia', 'dias')}`;
}
