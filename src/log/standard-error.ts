/**
 * Standard error for the lines of a server. It writes through the sink that `process.stderr` uses too, but
 * does not load the streams of the runtime, which take 3 ms of a start.
 */
const DESCRIPTOR = 2;

let sink: Bun.FileSink | undefined;

/**
 * Writes a line and does not wait for a slow reader. If the reader has gone, a promise without a listener fails,
 * which ends the process.
 */
export const writeToStandardError = (line: string): void => void write(line);

async function write(line: string): Promise<void> {
  sink ??= Bun.file(DESCRIPTOR).writer();
  await Promise.all([sink.write(line), sink.flush()]);
}

/** Resolves when all lines are written, or when their reader has gone. */
export async function standardErrorWritten(): Promise<void> {
  try {
    await sink?.flush();
  } catch {
    // `write` has reported it.
  }
}
