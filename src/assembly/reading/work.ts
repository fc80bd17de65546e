/** Worker process: it hosts the reading Worker and watches its memory. */
import { setPriority } from 'node:os';
import { writeFileSync } from 'node:fs';
import { REAL_TIME, type Timer } from '../../clock.ts';
import type { FromReader, ToWork } from '../../reading/protocol.ts';
import { MEMORY_EXIT } from '../../reading/work-process.ts';
import type { AnyReadRequest } from './texts.ts';

/** Interval of the memory check. Memory grows by some MiB in this time. */
const WATCH_MS = 20;

/** Priority of the process, below the server. */
const BEHIND_OTHERS = 10;

/** Runs the worker process. Never resolves: the process ends with its parent. */
export function workForAnother(): Promise<never> {
  stepBehind();
  // A terminal and systemd send these signals to every process of a service. The parent decides about its
  // work.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const worker = new Worker(new URL('./reading.worker.ts', import.meta.url).href, { smol: true });
  let most = Number.POSITIVE_INFINITY;
  let watching: Timer | undefined;
  const watch = (): void => {
    if (process.memoryUsage.rss() > most) process.exit(MEMORY_EXIT);
    watching = REAL_TIME.after(WATCH_MS, watch);
  };
  worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
    if (data.type !== 'chunk') watching?.cancel(); // an idle process does not grow
    process.send?.(data.type === 'chunk' ? data : { ...data, rss: process.memoryUsage.rss() });
  };
  worker.onerror = ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  };
  process.on('message', (message: ToWork<AnyReadRequest>) => {
    if (message.type === 'memory') {
      most = message.bytes;
      watching?.cancel();
      watch();
    } else worker.postMessage(message);
  });
  // The parent process has ended, so the result is not needed.
  process.on('disconnect', () => process.exit(0));
  return new Promise(() => undefined);
}

/**
 * Lowers the priority where the system allows it. When memory runs out, the kernel ends this process
 * instead of the server.
 */
function stepBehind(): void {
  try {
    setPriority(BEHIND_OTHERS);
  } catch {
    // Not permitted: the priority stays equal.
  }
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // The system has no /proc.
  }
}
