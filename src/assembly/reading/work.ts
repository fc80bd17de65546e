/** A process that works for another one: it hosts the Worker that reads, and watches what that takes. */
import { setPriority } from 'node:os';
import { writeFileSync } from 'node:fs';
import { REAL_TIME } from '../../clock.ts';
import type { FromReader, ToWork } from '../../reading/protocol.ts';
import { MEMORY_EXIT } from '../../reading/work-process.ts';
import type { KnownRead } from './texts.ts';

/** Memory grows by some MiB in this time. */
const WATCH_MS = 20;

/** Others go before it: whoever serves requests above all. */
const BEHIND_OTHERS = 10;

/** Never resolves: the process ends with the one that it works for. */
export function workForAnother(): Promise<never> {
  stepBehind();
  // A terminal and systemd send these to every process of a service; that one decides what becomes of its work.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const worker = new Worker(new URL('./reading.worker.ts', import.meta.url).href, { smol: true });
  let most = Number.POSITIVE_INFINITY;
  const watch = (): void => {
    if (process.memoryUsage.rss() > most) process.exit(MEMORY_EXIT);
    REAL_TIME.after(WATCH_MS, watch);
  };
  watch();
  worker.onmessage = ({ data }: MessageEvent<FromReader>) => {
    process.send?.(data.type === 'chunk' ? data : { ...data, rss: process.memoryUsage.rss() });
  };
  worker.onerror = ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  };
  process.on('message', (message: ToWork<KnownRead>) => {
    if (message.type === 'memory') most = message.bytes;
    else worker.postMessage(message);
  });
  // Whoever it works for is gone: nobody wants what it makes.
  process.on('disconnect', () => process.exit(0));
  return new Promise(() => undefined);
}

/** Best effort, on every system that can. Where memory runs out, the kernel ends this process and not the one that serves. */
function stepBehind(): void {
  try {
    setPriority(BEHIND_OTHERS);
  } catch {
    // It is forbidden: they are equals.
  }
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // No /proc.
  }
}
