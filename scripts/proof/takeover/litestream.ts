/** The real Litestream as separate processes: one that replicates, and one that follows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { REAL_TIME } from '../../../src/clock.ts';
import { syncBy } from '../../../src/replica/socket.ts';

const BUILT = join(import.meta.dir, '../../../.tools/litestream/litestream');
/** Its path, or `undefined` when this machine lacks it: `scripts/proof/need-litestream` builds it. */
export const litestreamPath: string | undefined = existsSync(BUILT)
  ? BUILT
  : (Bun.which('litestream') ?? undefined);

const READY_WITHIN_MS = 30_000;
const TURN_MS = 20;
const SYNC_WITHIN_MS = 2000;

export interface Litestream {
  /** Its output, once it has ended. */
  readonly said: Promise<string>;
  /** The exit code after a signal is ignored. */
  readonly exited: Promise<unknown>;
  kill9(): Promise<void>;
  stop(): Promise<void>;
}

/** The paths of a replicating Litestream, as in the handbook. */
export interface Place {
  readonly database: string;
  readonly socket: string;
  readonly url: string;
}

export const configText = ({ database, socket, url }: Place): string => `socket:
  enabled: true
  path: ${socket}
dbs:
  - path: ${database}
    replica:
      url: ${url}
`;

export const replicateBy = (config: string): Litestream => start(['replicate', '-config', config]);

export const follow = (database: string, url: string): Litestream =>
  start(['restore', '-f', '-o', database, url]);

function start(words: readonly string[]): Litestream {
  const program = litestreamPath ?? 'litestream';
  const child = Bun.spawn([program, ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const streams = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await child.exited;
  };
  return {
    said: Promise.all(streams).then((texts) => texts.join('')),
    exited: child.exited,
    kill9: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Resolves when the replica contains the whole database. */
export async function inStep({ socket, database }: Omit<Place, 'url'>): Promise<void> {
  let message = '';
  await until(async () => {
    const synced = await syncBy({ socketPath: socket, database, waitMs: SYNC_WITHIN_MS, time: REAL_TIME });
    message = synced.ok ? '' : synced.message;
    return synced.ok;
  }).catch(() => {
    throw new Error(`a réplica não ficou em dia: ${message}`);
  });
}

/** Resolves when the follower has read the replica once. */
export const followed = (database: string): Promise<void> =>
  until(() => Promise.resolve(existsSync(`${database}-txid`)));

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`não aconteceu em ${READY_WITHIN_MS / 1000} s`);
    await Bun.sleep(TURN_MS);
  }
}
