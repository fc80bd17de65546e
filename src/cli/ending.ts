/** The end of a command, and of the process. The message of a failure is loaded with it: most commands succeed. */

import { standardErrorWritten } from '../log/standard-error.ts';

/** The exit code of a command that a signal ended, as shells expect it. */
const INTERRUPTED = 130;

/**
 * Undoes the work when a signal ends the process, unless the command handles signals itself. Returns the
 * function that removes the handlers.
 */
export function undoOnSignals(undo: () => void): () => void {
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

/** Runs the command line and ends the process. */
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

async function endWith(error: unknown): Promise<never> {
  // The reader of the output has closed the pipe (`catp event list | head`).
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(0);
  const { report } = await import('./failure.ts');
  await standardErrorWritten(); // the message comes after the log
  return exit(report(error));
}

/** Waits until all output is written to the pipes: the runtime would end the process earlier. */
async function exit(code: number): Promise<never> {
  await standardErrorWritten();
  await Promise.all([process.stdout, process.stderr].map(flush));
  process.exit(code);
}

const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.end(() => resolve());
  });
