/** The faults that are put under the running executable, and what must follow. */

export interface FaultCase {
  readonly name: string;
  /** Which file's calls fail: the write-ahead log, its index (which grows when the log does), the database (at checkpoints), the outer seal of the audit. */
  readonly file: 'wal' | 'shm' | 'database' | 'seal';
  /** As strace's `inject` takes them. */
  readonly calls: 'fsync,fdatasync' | 'pwrite64';
  readonly error: 'EIO' | 'ENOSPC';
  /** `3`: the third call alone; `3+`: it and all that follow, until the fault is taken away. */
  readonly when: string;
  /** `halts`: writes stop until a restart. `recovers`: writes go on when the fault is gone. `carries on`: none is refused; the log tells. */
  readonly sequel: 'halts' | 'recovers' | 'carries on';
  /** How the server ends before the restart: a stop folds the log into the database, a kill leaves it as it lies. */
  readonly end: 'SIGTERM' | 'SIGKILL';
}

const WHERE: Readonly<Record<FaultCase['file'], string>> = {
  wal: 'WAL',
  shm: 'índice do WAL',
  database: 'banco (checkpoint)',
  seal: 'selo da auditoria',
};

/** A failed fsync leaves nobody knowing what the disk holds, whatever the error was called. */
const SYNCS: readonly FaultCase[] = (['EIO', 'ENOSPC'] as const).flatMap((error) => [
  ...['1', '2', '9', '40'].map((when) => fault('wal', 'fsync,fdatasync', error, when, 'halts')),
  ...['1', '2'].map((when) => fault('database', 'fsync,fdatasync', error, when, 'halts')),
]);

const FAILED_WRITES: readonly FaultCase[] = [
  ...['1', '2', '9', '60'].map((when) => fault('wal', 'pwrite64', 'EIO', when, 'halts')),
  ...['1', '30'].map((when) => fault('database', 'pwrite64', 'EIO', when, 'halts')),
];

const NO_ROOM: readonly FaultCase[] = [
  ...['1', '2', '9', '60', '1+', '9+'].map((when) => fault('wal', 'pwrite64', 'ENOSPC', when, 'recovers')),
  ...['1', '30', '1+', '30+'].map((when) => fault('database', 'pwrite64', 'ENOSPC', when, 'recovers')),
  ...['1', '1+'].map((when) => fault('shm', 'pwrite64', 'ENOSPC', when, 'recovers')),
];

/** The seal may lag, for nothing was acknowledged by it; it is made up for with the next page, or at the next start. */
const SEALS: readonly FaultCase[] = [
  ...['1', '1+'].map((when) => fault('seal', 'fsync,fdatasync', 'EIO', when, 'carries on')),
  ...['1', '1+'].map((when) => fault('seal', 'pwrite64', 'ENOSPC', when, 'carries on')),
];

export const FAULT_CASES: readonly FaultCase[] = [...SYNCS, ...FAILED_WRITES, ...NO_ROOM, ...SEALS];

function fault(
  file: FaultCase['file'],
  calls: FaultCase['calls'],
  error: FaultCase['error'],
  when: string,
  sequel: FaultCase['sequel'],
): FaultCase {
  const what = calls === 'pwrite64' ? 'escrita' : 'fsync';
  const which = when.endsWith('+') ? `da ${when.slice(0, -1)}ª em diante` : `só a ${when}ª`;
  const end = error === 'EIO' && calls !== 'pwrite64' ? 'SIGKILL' : 'SIGTERM';
  return { name: `${error} em ${what} do ${WHERE[file]}, ${which}`, file, calls, error, when, sequel, end };
}
