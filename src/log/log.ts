/**
 * Writes one JSON line per record, to standard error or a file. Standard output is for the ready line and for
 * commands.
 */
import { type LogRecord, type Logger, configureSync, getLogger, jsonLinesFormatter } from '@logtape/logtape';
import { OperatorError } from '../errors.ts';
import { momentText } from '../validation/calendar.ts';
import { visibleLines } from '../validation/text.ts';
import { writeToStandardError } from './standard-error.ts';

export type { Logger };

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Receives log lines. Default: standard error. */
export interface LogTarget {
  write(line: string): void;
}

const STANDARD_ERROR: LogTarget = { write: writeToStandardError };

/** Receives unformatted records, for another format. */
export type LogSink = (record: LogRecord) => void;

export const jsonLinesTo =
  (target: LogTarget = STANDARD_ERROR): LogSink =>
  (record) =>
    target.write(logLine(record));

const WORDS: Readonly<Partial<Record<LogRecord['level'], string>>> = {
  warning: 'aviso: ',
  error: 'erro: ',
  fatal: 'erro: ',
};

/** Prints time and sentence, for a person at a terminal. */
export const plainLines: LogSink = (record) => {
  const time = momentText(record.timestamp).slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm:ss'.length);
  STANDARD_ERROR.write(`${time} ${WORDS[record.level] ?? ''}${messageText(record)}\n`);
};

/** Configures the log of the process and returns it. */
export function startLog(level: LogLevel, sink: LogSink = jsonLinesTo()): Logger {
  configureSync({
    reset: true,
    sinks: { lines: sink },
    loggers: [
      { category: 'catp', sinks: ['lines'], lowestLevel: level },
      { category: ['logtape', 'meta'], sinks: ['lines'], lowestLevel: 'warning' },
    ],
  });
  return getLogger('catp');
}

const TIME_MEMBER = /^\{"@timestamp":"[^"]*"/;

/** Returns one line of JSON with a Brasília date and the sentence. */
export const logLine = (record: LogRecord): string =>
  visibleLines(jsonLinesFormatter({ ...record, message: [messageText(record)] })).replace(
    TIME_MEMBER,
    () => `{"@timestamp":"${momentText(record.timestamp)}"`,
  );

/** Returns the sentence of a record with its texts unquoted: the library would quote them. */
const messageText = ({ message }: LogRecord): string =>
  message.map((part) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? ''))).join('');

/** Returns a log that discards its records. */
export const silentLog = (): Logger => getLogger('silent');

/** Returns the log text of an error: with its stack for a fault of ours, otherwise only the message. */
export function faultOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
