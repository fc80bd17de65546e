/** How a command ends: what it says when it could not do its work, and the exit code. Never with a stack. */
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
/** Of a command that a signal ended, as shells tell it. */
const INTERRUPTED = 130;

/** Ctrl+C leaves nothing behind either, where the command does not obey signals by itself. Answers what ends the watch. */
export function undoneOnSignals(undo: () => void): () => void {
  const end = (): never => {
    undo();
    process.exit(INTERRUPTED);
  };
  const signals = (['SIGINT', 'SIGTERM'] as const).filter((signal) => process.listenerCount(signal) === 0);
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** Does what the command line says and ends the process. */
export async function runToTheEnd(work: () => Promise<unknown>): Promise<void> {
  process.on('uncaughtException', (error) => void endWith(error));
  process.on('unhandledRejection', (error) => void endWith(error));
  try {
    await work();
    await exit(Number(process.exitCode ?? 0));
  } catch (error) {
    await endWith(error);
  }
}

/** Writes the fault that ends a server into its log, with the place in the code: nobody looks at its terminal. */
export function logFaults(log: Logger): void {
  const tell = (error: unknown): void => {
    log.error('O servidor terminou por um defeito: {fault}', { fault: faultOf(error) });
  };
  process.prependListener('uncaughtException', tell);
  process.prependListener('unhandledRejection', tell);
}

function endWith(error: unknown): Promise<never> {
  // commander has said it already: a misuse, or the help that was asked for.
  if (isOfCommander(error)) return exit(error.exitCode === 0 ? 0 : MISUSED);
  // Whoever read our output has seen enough (`catp event list | head`).
  if (systemCode(error) === 'EPIPE') process.exit(0);
  process.stderr.write(`catp: ${visibleLines(told(error))}\n`);
  return exit(isMisuse(error) ? MISUSED : REFUSED);
}

/** Told by its code: a server has not loaded commander. */
const isOfCommander = (error: unknown): error is CommanderError =>
  error instanceof Error &&
  'exitCode' in error &&
  'code' in error &&
  String(error.code).startsWith('commander.');

/** The command line itself is wrong, or a file that it names cannot be read: no rule of the catalogue was asked yet. */
const isMisuse = (error: unknown): boolean =>
  error instanceof UsageError ||
  error instanceof ConfigError ||
  error instanceof UnreadableFile ||
  (error instanceof DomainError && error.kind === 'malformed');

/** Waits until a pipe has taken all that was written: the runtime would end the process before. */
async function exit(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(taken));
  process.exit(code);
}

const taken = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.end(() => resolve());
  });

const isForPeople = (error: unknown): error is Error =>
  error instanceof OperatorError ||
  error instanceof UnfitSystem ||
  error instanceof ConfigError ||
  error instanceof DomainError ||
  error instanceof UnreadableFile;

/** What happened and what to do. */
export function told(error: unknown): string {
  if (isForPeople(error)) return error instanceof DomainError ? allOf(error) : error.message;
  const details = wantsDetails() && error instanceof Error ? `\n${error.stack}` : '';
  if (systemCode(error) === undefined)
    return `erro inesperado (${reasonOf(error)}). Isto é um defeito do catp: informe-o a quem o mantém; com CATP_LOG_NIVEL=debug ele conta mais.${details}`;
  return `${placeOf(error)}${reasonOf(error)}. ${remedyFor(error, 'Verifique o caminho, as permissões e o disco e tente de novo.')}${details}`;
}

/** Every problem of a refusal, one a line. */
function allOf({ message, problems }: DomainError): string {
  if (problems.length < 2) return message;
  return [
    `${problems.length} problemas:`,
    ...problems.map((problem) => `  - ${oneLine(problem.message)}`),
  ].join('\n');
}

function placeOf(error: unknown): string {
  const { path, syscall, code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('SQLITE_')) return 'O banco de dados: ';
  return path === undefined ? `${syscall ?? 'o sistema'} falhou: ` : `${path}: `;
}
