/** The faults injected into the running executable, and the required result. */

export interface FaultCase {
  readonly name: string;
  /**
   * The file whose calls fail: the write-ahead log, its index (which grows with the log), the database (at
   * checkpoints), the outer seal of the audit.
   */
  readonly file: 'wal' | 'shm' | 'database' | 'seal';
  /** System calls in the syntax of strace's `inject`. */
  readonly calls: 'fsync,fdatasync' | 'pwrite64';
  readonly error: 'EIO' | 'ENOSPC';
  /** `3`: the third call alone; `3+`: the third and all later ones, until the fault is removed. */
  readonly when: string;
  /**
   * `halts`: writes stop until a restart. `recovers`: writes continue after the fault. `carries on`: no write
   * is refused, and the log reports the fault.
   */
  readonly sequel: 'halts' | 'recovers' | 'carries on';
  /**
   * The end of the server before the restart: a stop checkpoints the log into the database, a kill leaves the
   * log.
   */
  readonly end: 'SIGTERM' | 'SIGKILL';
}

const WHERE: Readonly<Record<FaultCase['file'], string>> = {
  wal: 'WAL',
  shm: 'índice do WAL',
  database: 'banco (checkpoint)',
  seal: 'selo da auditoria',
};

/** After a failed fsync the content of the disk is unknown, for every error code. */
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

/**
 * Faults of the outer seal. It may lag, because no answer depends on it. The next page or start completes it.
 */
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
