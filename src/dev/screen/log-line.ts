/**
 * Formats a log record as a readable line. Records of requests are omitted: the screen has its own lines for
 * them.
 */
import type { LogRecord } from '@logtape/logtape';
import { faultOf } from '../../log/log.ts';
import type { Colours } from './colours.ts';
import type { EpochMs } from '../../clock.ts';
import { shortened, timeOfDay } from './words.ts';

const WORDS: Readonly<Partial<Record<LogRecord['level'], string>>> = {
  warning: 'aviso',
  error: 'erro',
  fatal: 'erro',
};

const MESSAGE_MAX_CHARACTERS = 4000;

export function readableLine(
  record: LogRecord,
  at: EpochMs,
  { faint, notice, bad }: Colours,
): string | undefined {
  const { level, message, properties } = record;
  if (level !== 'warning' && level !== 'error' && isElsewhere(properties)) return undefined;
  const word = WORDS[level];
  const paint = level === 'warning' ? notice : bad;
  const text = message.map((part) => (typeof part === 'string' ? part : partText(part))).join('');
  return `${faint(timeOfDay(at))} ${word === undefined ? '' : `${paint(word)}: `}${shortened(text, MESSAGE_MAX_CHARACTERS)}`;
}

/** Returns true for records of requests, which have their own line, and of jobs that succeeded. */
const isElsewhere = (properties: Readonly<Record<string, unknown>>): boolean =>
  ('tag' in properties && 'operation' in properties) || 'job' in properties;

const partText = (part: unknown): string =>
  part instanceof Error ? faultOf(part) : (JSON.stringify(part) ?? '');
