/** Manages one service of the Windows service manager: create, update, start, stop, query, delete. */
import { type Pointer, ptr, read } from 'bun:ffi';
import { REFUSALS, RefusedByWindows, calls, required, withHandle } from './service-calls.ts';
import { STATES, type State } from './service-control.ts';
import { textAt, utf16Of } from './memory.ts';

const MANAGER = { connect: 0x1, create: 0x2 } as const;
const RIGHTS = {
  queryConfig: 0x1,
  changeConfig: 0x2,
  queryStatus: 0x4,
  start: 0x10,
  stop: 0x20,
  remove: 0x1_0000,
} as const;

const OWN_PROCESS = 0x10;
const AUTO_START = 2;
const ERROR_NORMAL = 1;
const CONTROL_STOP = 1;
const LEVELS = { description: 1, failureActions: 2, failuresAreExitCodesToo: 4, privileges: 6 } as const;
const ACTION_RESTART = 1;

export interface ServiceParts {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly line: string;
  readonly account: string;
  readonly privileges: readonly string[];
  /**
   * Delay of the restart after the first, the second, … failure; the last value applies to all later ones.
   */
  readonly restartsMs: readonly number[];
  /** Seconds without a failure that reset the failure count. */
  readonly forgottenSeconds: number;
}

export interface ManagedService {
  readonly state: State | 'other';
  readonly pid: number | null;
  /** Exit code of the last run; 0: success. */
  readonly exitCode: number;
  readonly line: string;
  readonly account: string;
  readonly startsByItself: boolean;
}

/** Creates the service, or updates an existing one. */
export function putService(parts: ServiceParts): void {
  const [name, title, line, account] = [parts.name, parts.title, parts.line, parts.account].map(utf16Of) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const type = [OWN_PROCESS, AUTO_START, ERROR_NORMAL] as const;
  const texts = [ptr(line), null, null, null, ptr(account), null] as const;
  if (serviceOf(parts.name) === undefined)
    withManager(MANAGER.connect + MANAGER.create, (manager) => {
      const rights = RIGHTS.changeConfig + RIGHTS.start;
      const handle = calls().CreateServiceW(manager, ptr(name), ptr(title), rights, ...type, ...texts);
      withHandle(handle, (service) => describe(service, parts));
    });
  else
    withService(parts.name, RIGHTS.changeConfig + RIGHTS.start, (service) => {
      required(calls().ChangeServiceConfigW(service, ...type, ...texts, ptr(title)));
      describe(service, parts);
    });
}

function describe(service: Pointer, { about, privileges, restartsMs, forgottenSeconds }: ServiceParts): void {
  const put = (level: number, value: Uint8Array, but?: number): void =>
    required(calls().ChangeServiceConfig2W(service, level, ptr(value)), but);
  const text = utf16Of(about);
  put(LEVELS.description, pointers(text));
  const actions = new Uint32Array(restartsMs.flatMap((ms) => [ACTION_RESTART, ms]));
  const faults = new BigUint64Array([
    ...[BigInt(forgottenSeconds), 0n, 0n, BigInt(restartsMs.length), BigInt(ptr(actions))],
  ]);
  put(LEVELS.failureActions, bytesOf(faults));
  // A server that stopped with an error code is restarted like one that crashed.
  put(LEVELS.failuresAreExitCodesToo, bytesOf(new Uint32Array([1])), REFUSALS.unknownLevel);
  const list = utf16Of(privileges.map((privilege) => `${privilege}\0`).join(''));
  put(LEVELS.privileges, pointers(list), REFUSALS.unknownLevel);
}

const bytesOf = ({ buffer }: BigUint64Array | Uint32Array): Uint8Array => new Uint8Array(buffer);
const pointers = (text: Buffer): Uint8Array => bytesOf(new BigUint64Array([BigInt(ptr(text))]));

/** Requests the start and does not wait; `serviceOf` returns the result. */
export const startService = (name: string): void =>
  withService(name, RIGHTS.start, (service) =>
    required(calls().StartServiceW(service, 0, null), REFUSALS.alreadyRunning),
  );

/** Requests the stop and does not wait. */
export const stopService = (name: string): void =>
  withService(name, RIGHTS.stop, (service) =>
    required(
      calls().ControlService(service, CONTROL_STOP, ptr(new Uint32Array(STATUS_WORDS))),
      REFUSALS.notActive,
    ),
  );

export const removeService = (name: string): void =>
  withService(name, RIGHTS.remove, (service) => required(calls().DeleteService(service), REFUSALS.goingAway));

const STATUS_PROCESS_INFO = 0;
/**
 * Words of SERVICE_STATUS_PROCESS: type, state, accepted controls, code, own code, checkpoint, hint, process,
 * flags.
 */
const STATUS_WORDS = 9;
const CONFIG_BYTES = 8192;
/** Offsets in QUERY_SERVICE_CONFIGW. */
const CONFIG_PLACES = { startType: 4, line: 16, account: 48 } as const;

/** Returns the service, or `undefined` if none has that name. Any account may query it. */
export function serviceOf(name: string): ManagedService | undefined {
  try {
    return withService(name, RIGHTS.queryStatus + RIGHTS.queryConfig, (service) => ({
      ...statusOf(service),
      ...configOf(service),
    }));
  } catch (error) {
    if (error instanceof RefusedByWindows && error.code === REFUSALS.missing) return undefined;
    throw error;
  }
}

function statusOf(service: Pointer): Pick<ManagedService, 'state' | 'pid' | 'exitCode'> {
  const status = new Uint32Array(STATUS_WORDS);
  const needed = new Uint32Array(1);
  const bytes = status.byteLength;
  required(calls().QueryServiceStatusEx(service, STATUS_PROCESS_INFO, ptr(status), bytes, ptr(needed)));
  const [, state = 0, , code = 0, ownCode = 0, , , pid = 0] = status;
  const name = Object.entries(STATES).find(([, number]) => number === state)?.[0] as State | undefined;
  return { state: name ?? 'other', pid: pid === 0 ? null : pid, exitCode: ownCode === 0 ? code : ownCode };
}

function configOf(service: Pointer): Pick<ManagedService, 'line' | 'account' | 'startsByItself'> {
  const room = new BigUint64Array(CONFIG_BYTES / BigUint64Array.BYTES_PER_ELEMENT);
  const needed = new Uint32Array(1);
  required(calls().QueryServiceConfigW(service, ptr(room), CONFIG_BYTES, ptr(needed)));
  const textIn = (place: number): string => {
    const address = read.ptr(ptr(room), place) as Pointer;
    return address === 0 ? '' : textAt(address);
  };
  return {
    line: textIn(CONFIG_PLACES.line),
    account: textIn(CONFIG_PLACES.account),
    startsByItself: read.u32(ptr(room), CONFIG_PLACES.startType) === AUTO_START,
  };
}

const withManager = <T>(rights: number, work: (manager: Pointer) => T): T =>
  withHandle(calls().OpenSCManagerW(null, null, rights), work);

const withService = <T>(name: string, rights: number, work: (service: Pointer) => T): T =>
  withManager(MANAGER.connect, (manager) =>
    withHandle(calls().OpenServiceW(manager, ptr(utf16Of(name)), rights), work),
  );
