/** One JSON line per record, on standard error or in a file: standard output belongs to the ready line and to commands. */
import { type LogRecord, type Logger, configureSync, getLogger, jsonLinesFormatter } from '@logtape/logtape';
import { OperatorError } from '../errors.ts';
import { momentText } from '../validation/calendar.ts';
import { visibleLines } from '../validation/text.ts';

export type { Logger };

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Where lines go: standard error, where nothing else is said. */
export interface LogTarget {
  write(line: string): void;
}

/** Loaded by the runtime with the first line, and not with the start. */
const STANDARD_ERROR: LogTarget = { write: (line) => void process.stderr.write(line) };

/** Where records go as they are, to be told in other words. */
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

/** For whoever looks on, at a terminal: the time and the sentence. */
export const plainLines: LogSink = (record) => {
  const time = momentText(record.timestamp).slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm:ss'.length);
  STANDARD_ERROR.write(`${time} ${WORDS[record.level] ?? ''}${messageText(record)}\n`);
};

/** Sets the process's log up and returns it. */
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

/** One line of JSON, dated and said as people here read it. */
export const logLine = (record: LogRecord): string =>
  visibleLines(jsonLinesFormatter({ ...record, message: [messageText(record)] })).replace(
    TIME_MEMBER,
    () => `{"@timestamp":"${momentText(record.timestamp)}"`,
  );

/** The sentence of a record, with texts as they are: the library would put them in quotes. */
const messageText = ({ message }: LogRecord): string =>
  message.map((part) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? ''))).join('');

/** A log that nobody keeps. */
export const silentLog = (): Logger => getLogger('silent');

/** What the log says of a fault of ours: where it is, too. What is none of ours is its message alone. */
export function faultOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
