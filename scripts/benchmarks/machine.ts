/** The load of the machine, and the cost of a process. Linux only, like the tools of the bench. */
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { percentile } from './statistics.ts';

const SYNC_SAMPLES = 200;
const PAGE_BYTES = 4096;

/** Above this share of the cores, other work distorts the figures. */
const BUSY_SHARE = 0.25;

export interface DiskSync {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Measures the time that the disk under `folder` takes to make one appended page durable. */
export function measureSync(folder: string): DiskSync {
  const path = join(folder, 'sync-probe');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(PAGE_BYTES, 1);
  const took: number[] = [];
  for (let sample = 0; sample < SYNC_SAMPLES; sample += 1) {
    writeSync(file, page);
    const started = performance.now();
    fdatasyncSync(file);
    took.push(performance.now() - started);
  }
  closeSync(file);
  rmSync(path);
  return { p50Ms: percentile(took, 50), p99Ms: percentile(took, 99) };
}

export interface Load {
  /** Runnable processes, mean of the last minute. */
  readonly oneMinute: number;
  readonly cores: number;
  readonly isBusy: boolean;
}

export function currentLoad(): Load {
  const oneMinute = loadavg()[0] ?? 0;
  const cores = availableParallelism();
  return { oneMinute, cores, isBusy: oneMinute > cores * BUSY_SHARE };
}

const MIB_PER_KIB = 1 / 1024;

/**
 * Returns the memory that only this process holds in MiB: anonymous pages, among them every changed page of a
 * private mapping, and memory files. `Private_Dirty` would count the code of an executable that was just
 * copied, whose pages still wait to be written to the disk.
 */
export const ownMib = (pid: number): number =>
  fieldOf(`/proc/${pid}/smaps_rollup`, 'Anonymous') + fieldOf(`/proc/${pid}/smaps_rollup`, 'Pss_Shmem');

/**
 * Returns the resident memory of a process in MiB: the current value, and the peak since its start or the
 * last `forgetPeak`.
 */
export const residentMib = (pid: number): number => memoryField(pid, 'VmRSS');
export const peakMib = (pid: number): number => memoryField(pid, 'VmHWM');

/** Returns a process and its current worker processes. */
export function withWorkers(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ');
  return [pid, ...children.filter((one) => one !== '').map(Number)];
}

/** Returns the sum of a figure over these processes. */
export const sumOf = (pids: readonly number[], figure: (pid: number) => number): number =>
  pids.reduce((sum, pid) => sum + figure(pid), 0);

/** Resets the peak to the current resident memory. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

/** Returns the processor time of a process since its start, including its threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]];
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** Returns the processor time of the main thread of a process since its start, in nanosecond resolution. */
export function mainThreadMs(pid: number): number {
  const [ranNs] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ');
  return Number(ranNs) / NS_PER_MS;
}

const NS_PER_MS = 1_000_000;

const memoryField = (pid: number, field: 'VmRSS' | 'VmHWM'): number => fieldOf(`/proc/${pid}/status`, field);

function fieldOf(file: string, field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(file, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) * MIB_PER_KIB;
}
