/** Two requests whose writes share one group commit. */
import type { TestApp } from './app.ts';

/** Holds the writer until both requests wait in it: they are units of one group, in this order. */
export async function inOneGroup<T>(
  { app }: TestApp,
  first: () => Promise<T>,
  second: () => Promise<T>,
): Promise<readonly [T, T]> {
  const { writer, imports } = app.core;
  // The end of an earlier import writes too, and would be taken for the first request.
  await imports.runner.idle();
  const write = writer.write.bind(writer);
  const bothWait = Promise.withResolvers<void>();
  const firstWaits = Promise.withResolvers<void>();
  let waiting = 0;
  writer.write = (work) => {
    waiting += 1;
    if (waiting === 1) firstWaits.resolve();
    else bothWait.resolve();
    return write(work);
  };
  const held = writer.alone(() => bothWait.promise);
  await Promise.resolve();
  const one = first();
  await firstWaits.promise;
  const replies = await Promise.all([one, second(), held]);
  writer.write = write;
  return [replies[0], replies[1]];
}
