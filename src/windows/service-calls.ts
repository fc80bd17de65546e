/** The service manager's calls, one to one; and what Windows says where one of them is refused. */
import { type Pointer, dlopen } from 'bun:ffi';
import { addressOf } from './memory.ts';

const SIGNATURES = {
  OpenSCManagerW: { args: ['ptr', 'ptr', 'u32'], returns: 'ptr' },
  OpenServiceW: { args: ['ptr', 'ptr', 'u32'], returns: 'ptr' },
  CreateServiceW: {
    args: ['ptr', 'ptr', 'ptr', 'u32', 'u32', 'u32', 'u32', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr'],
    returns: 'ptr',
  },
  ChangeServiceConfigW: {
    args: ['ptr', 'u32', 'u32', 'u32', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr'],
    returns: 'i32',
  },
  ChangeServiceConfig2W: { args: ['ptr', 'u32', 'ptr'], returns: 'i32' },
  QueryServiceStatusEx: { args: ['ptr', 'u32', 'ptr', 'u32', 'ptr'], returns: 'i32' },
  QueryServiceConfigW: { args: ['ptr', 'ptr', 'u32', 'ptr'], returns: 'i32' },
  StartServiceW: { args: ['ptr', 'u32', 'ptr'], returns: 'i32' },
  ControlService: { args: ['ptr', 'u32', 'ptr'], returns: 'i32' },
  DeleteService: { args: ['ptr'], returns: 'i32' },
  CloseServiceHandle: { args: ['ptr'], returns: 'i32' },
} as const;

function load() {
  const { GetLastError } = dlopen('kernel32.dll', { GetLastError: { args: [], returns: 'u32' } }).symbols;
  return { ...dlopen('advapi32.dll', SIGNATURES).symbols, GetLastError };
}

let loaded: ReturnType<typeof load> | undefined;

/** Loaded by the first who asks: there is no such library elsewhere. */
export const calls = (): ReturnType<typeof load> => (loaded ??= load());

/** The numbers of Windows that we know what to do about. */
export const REFUSALS = {
  denied: 5,
  unknownLevel: 124,
  alreadyRunning: 1056,
  missing: 1060,
  notActive: 1062,
  goingAway: 1072,
} as const;

export class RefusedByWindows extends Error {
  override readonly name = 'RefusedByWindows';
  readonly code: number;

  constructor(code: number) {
    super(`Windows: ${code}`);
    this.code = code;
  }
}

/** Throws what Windows says where a call answered nothing; `but`: a refusal that is as good as an answer. */
export function required(answer: number, but?: number): void {
  if (answer !== 0) return;
  const code = calls().GetLastError();
  if (code !== but) throw new RefusedByWindows(code);
}

/** Does `work` with what was opened, and closes it. Throws what Windows says where it was not. */
export function withHandle<T>(opened: bigint | Pointer | null, work: (handle: Pointer) => T): T {
  const handle = addressOf(opened);
  if (handle === null) throw new RefusedByWindows(calls().GetLastError());
  try {
    return work(handle);
  } finally {
    calls().CloseServiceHandle(handle);
  }
}
