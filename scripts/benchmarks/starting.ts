/** Time from the start of a process to its first answer. */
import { executable, freePort, serveCommand } from './programs.ts';

import { mainThreadMs } from './machine.ts';

const GIVE_UP_MS = 60_000;

/** Returns the command of a server on an existing folder. */
export const serving = (data: string) => (port: number) => serveCommand(data, port);

/** Returns the command of a development instance, which creates its folder. */
export const developing = (data: string) => (port: number) => [
  ...[executable(), 'dev', '--empty', '--port', String(port), '--data', data],
];

/** The time from a start to the first 200, and the processor time of the main thread until then. */
interface Started {
  readonly ms: number;
  readonly mainMs: number;
}

/** Starts a program on a free port and polls until it answers 200. */
export async function firstAnswer(
  command: (port: number) => readonly string[],
  path: string,
): Promise<Started> {
  const port = freePort();
  const started = performance.now();
  const child = Bun.spawn([...command(port)], {
    env: { ...process.env, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  try {
    while (performance.now() - started < GIVE_UP_MS) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { keepalive: false }).catch(
        () => undefined,
      );
      if (answer?.status === 200) return { ms: performance.now() - started, mainMs: mainThreadMs(child.pid) };
      await Bun.sleep(1);
    }
    throw new Error(`${command(port).join(' ')} did not answer`);
  } finally {
    child.kill('SIGTERM');
    await child.exited;
  }
}
