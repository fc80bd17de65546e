/** One JSON line per record, on standard error: standard output belongs to the ready line and to commands. */
import { type LogRecord, type Logger, configureSync, getLogger, jsonLinesFormatter } from '@logtape/logtape';
import { momentText } from './validation/calendar.ts';

export type { Logger };

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Sets the process's log up and returns it. */
export function startLog(level: LogLevel): Logger {
  configureSync({
    reset: true,
    sinks: { lines: (record) => process.stderr.write(logLine(record)) },
    loggers: [
      { category: 'catp', sinks: ['lines'], lowestLevel: level },
      { category: ['logtape', 'meta'], sinks: ['lines'], lowestLevel: 'warning' },
    ],
  });
  return getLogger('catp');
}

const TIME_MEMBER = /^\{"@timestamp":"[^"]*"/;

/** One line of JSON, dated as people here read it. */
export const logLine = (record: LogRecord): string =>
  jsonLinesFormatter(record).replace(TIME_MEMBER, () => `{"@timestamp":"${momentText(record.timestamp)}"`);

/** A log that nobody keeps. */
export const silentLog = (): Logger => getLogger('silent');

/** What the log says of a fault of ours. */
export const faultOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
