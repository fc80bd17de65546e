/** Bindings to the service manager's functions, and the Windows messages for their failures. */
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

/** Loads the library on first use, because it exists only on Windows. */
export const calls = (): ReturnType<typeof load> => (loaded ??= load());

/** Windows error numbers with special handling. */
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

/** Throws the Windows error if a call returned 0. `but`: an error number that counts as success. */
export function required(answer: number, but?: number): void {
  if (answer !== 0) return;
  const code = calls().GetLastError();
  if (code !== but) throw new RefusedByWindows(code);
}

/** Runs `work` with an opened handle and closes it. Throws the Windows error if the handle was not opened. */
export function withHandle<T>(opened: bigint | Pointer | null, work: (handle: Pointer) => T): T {
  const handle = addressOf(opened);
  if (handle === null) throw new RefusedByWindows(calls().GetLastError());
  try {
    return work(handle);
  } finally {
    calls().CloseServiceHandle(handle);
  }
}
