/** The message and the exit code of a command that failed. A stack trace is shown only with details on. */
import type { CommanderError } from 'commander';
import { ConfigError } from '../settings/config.ts';
import { DomainError, OperatorError, UsageError } from '../errors.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { type Logger, faultOf } from '../log/log.ts';
import { UnfitSystem, oneLine, reasonOf, remedyFor, systemCode } from '../system/errors.ts';
import { visibleLines } from '../validation/text.ts';
import { wantsDetails } from './options.ts';

const REFUSED = 1;
const MISUSED = 2;

/** Logs the fault that ends a server, with its position in the code, because its terminal is seldom read. */
export function logFaults(log: Logger): void {
  const logFault = (error: unknown): void => {
    log.error('O servidor terminou por um defeito: {fault}', { fault: faultOf(error) });
  };
  process.prependListener('uncaughtException', logFault);
  process.prependListener('unhandledRejection', logFault);
}

/** Prints the message of a failed command. Returns its exit code. */
export function report(error: unknown): number {
  // commander has printed it already: a misuse, or the requested help.
  if (isCommanderError(error)) return error.exitCode === 0 ? 0 : MISUSED;
  process.stderr.write(`catp: ${visibleLines(errorText(error))}\n`);
  return isMisuse(error) ? MISUSED : REFUSED;
}

/** Recognises commander's errors by their code: a server has not loaded commander. */
const isCommanderError = (error: unknown): error is CommanderError =>
  error instanceof Error &&
  'exitCode' in error &&
  'code' in error &&
  String(error.code).startsWith('commander.');

/**
 * Returns true when the command line is wrong, or a file that it names cannot be read. No rule of the
 * catalogue was applied yet.
 */
const isMisuse = (error: unknown): boolean =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  error instanceof UnreadableFile ||
  (error instanceof DomainError && error.kind === 'malformed');

const isForPeople = (error: unknown): error is Error =>
  error instanceof OperatorError ||
  error instanceof UnfitSystem ||
  error instanceof ConfigError ||
  error instanceof DomainError ||
  error instanceof UnreadableFile;

/** Returns a text with the cause of the error and the remedy. */
export function errorText(error: unknown): string {
  if (isForPeople(error)) return error instanceof DomainError ? problemsText(error) : error.message;
  const details = wantsDetails() && error instanceof Error ? `\n${error.stack}` : '';
  if (systemCode(error) === undefined)
    return `erro inesperado (${reasonOf(error)}). Isto é um defeito do catp: informe-o a quem o mantém; com CATP_LOG_NIVEL=debug há mais detalhes.${details}`;
  return `${failedPart(error)}${reasonOf(error)}. ${remedyFor(error, 'Verifique o caminho, as permissões e o disco e tente de novo.')}${details}`;
}

/** Lists every problem of a refusal, one a line. */
function problemsText({ message, problems }: DomainError): string {
  if (problems.length < 2) return message;
  return [
    `${problems.length} problemas:`,
    ...problems.map((problem) => `  - ${oneLine(problem.message)}`),
  ].join('\n');
}

function failedPart(error: unknown): string {
  const { path, syscall, code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('SQLITE_')) return 'O banco de dados: ';
  return path === undefined ? `${syscall ?? 'o sistema'} falhou: ` : `${path}: `;
}
