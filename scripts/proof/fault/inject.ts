/** Makes system calls of a running process fail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEAL_FILE } from '../../../src/db/folder.ts';
import type { FaultCase } from './cases.ts';

export interface Injection {
  /** Number of failed calls until now. */
  readonly injected: () => number;
  /** Removes the fault; the process continues. */
  remove(): Promise<void>;
}

const FILES: Readonly<Record<FaultCase['file'], string>> = {
  wal: 'catp.sqlite-wal',
  shm: 'catp.sqlite-shm',
  database: 'catp.sqlite',
  seal: SEAL_FILE,
};

const ATTACHED_WITHIN_MS = 5000;

/** Attaches strace to `pid`. Throws when that is not permitted. */
export async function inject(pid: number, data: string, fault: FaultCase, log: string): Promise<Injection> {
  const file = join(data, FILES[fault.file]);
  const child = Bun.spawn(
    [
      'strace',
      ...['-f', '-qq', '-p', String(pid), '-P', file, '-o', log, '-e', `trace=${fault.calls}`],
      ...['-e', `inject=${fault.calls}:error=${fault.error}:when=${fault.when}`],
    ],
    { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  );
  const until = Date.now() + ATTACHED_WITHIN_MS;
  while (!isTraced(pid)) {
    if (child.exitCode !== null || Date.now() > until)
      throw new Error(`strace não pôde acompanhar o processo: ${await new Response(child.stderr).text()}`);
    await Bun.sleep(10);
  }
  await Bun.sleep(50); // its other threads
  return {
    injected: () => readFileSync(log, 'latin1').split('(INJECTED)').length - 1,
    remove: async () => {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

function isTraced(pid: number): boolean {
  const [, tracer] = /^TracerPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
  return tracer !== undefined && tracer !== '0';
}
