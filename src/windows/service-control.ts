/**
 * Connects this process to the service manager: reports states and receives the stop request (contract
 * section 23). The dispatcher call does not return while the service lives, so it has a thread of its own;
 * the main loop runs its two callbacks.
 */
import { JSCallback, type Pointer, dlopen, ptr } from 'bun:ffi';
import { addressOf, utf16Of } from './memory.ts';

const SERVICE_WIN32_OWN_PROCESS = 0x10;
const SERVICE_ACCEPT_STOP = 0x1;
const SERVICE_ACCEPT_SHUTDOWN = 0x4;
const SERVICE_CONTROL_STOP = 1;
const SERVICE_CONTROL_SHUTDOWN = 5;
/** Indicates that the service ended with a code of its own, which the next field contains. */
const ERROR_SERVICE_SPECIFIC_ERROR = 1066;

/** State numbers of the service manager. */
export const STATES = { stopped: 1, starting: 2, stopping: 3, running: 4 } as const;
export type State = keyof typeof STATES;

export interface ServiceControl {
  /** Resolves when the manager requests a stop, or the machine shuts down. */
  readonly stopped: Promise<void>;
  /**
   * `hintMs`: how long the manager may wait for the next state. `code`: the error code of a failed service
   * that stopped.
   */
  report(state: State, hintMs?: number, code?: number): void;
}

/** Resolves when the manager has connected. Throws when the manager did not start this process. */
export async function answerServiceManager(name: string): Promise<ServiceControl> {
  const { symbols: services } = dlopen('advapi32.dll', {
    RegisterServiceCtrlHandlerW: { args: ['ptr', 'ptr'], returns: 'ptr' },
    SetServiceStatus: { args: ['ptr', 'ptr'], returns: 'i32' },
  });
  const stop = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  const serviceName = utf16Of(name);
  let handle: Pointer | null = null;
  const report: ServiceControl['report'] = (state, hintMs = 0, code = 0) => {
    const accepted = state === 'running' ? SERVICE_ACCEPT_STOP + SERVICE_ACCEPT_SHUTDOWN : 0;
    const failed = code === 0 ? 0 : ERROR_SERVICE_SPECIFIC_ERROR;
    const status = new Uint32Array([
      ...[SERVICE_WIN32_OWN_PROCESS, STATES[state], accepted, failed, code, 0, hintMs],
    ]);
    services.SetServiceStatus(handle, ptr(status));
  };
  // Objects whose address the manager holds live as long as the process.
  const handler = new JSCallback(
    (control: number) => {
      if (control === SERVICE_CONTROL_STOP || control === SERVICE_CONTROL_SHUTDOWN) stop.resolve();
    },
    { args: ['u32'], returns: 'void', threadsafe: true },
  );
  const main = new JSCallback(
    () => {
      handle = addressOf(services.RegisterServiceCtrlHandlerW(ptr(serviceName), handler.ptr));
      greeted.resolve();
    },
    { args: ['u32', 'ptr'], returns: 'void', threadsafe: true },
  );
  const table = new BigUint64Array([BigInt(ptr(serviceName)), BigInt(main.ptr ?? 0), 0n, 0n]);
  waitAside(table);
  KEPT.push(serviceName, table, handler, main);
  await greeted.promise;
  return { stopped: stop.promise, report };
}

const KEPT: unknown[] = [];

/**
 * Runs `StartServiceCtrlDispatcherW` in a thread. The function has the form of a thread function: one address
 * in, one number out.
 */
function waitAside(table: BigUint64Array): void {
  const { symbols: kernel } = dlopen('kernel32.dll', {
    LoadLibraryW: { args: ['ptr'], returns: 'ptr' },
    GetProcAddress: { args: ['ptr', 'ptr'], returns: 'ptr' },
    CreateThread: { args: ['ptr', 'u64', 'ptr', 'ptr', 'u32', 'ptr'], returns: 'ptr' },
  });
  const library = kernel.LoadLibraryW(ptr(utf16Of('advapi32.dll')));
  const dispatcher = kernel.GetProcAddress(library, ptr(Buffer.from('StartServiceCtrlDispatcherW\0')));
  if (dispatcher === null || kernel.CreateThread(null, 0n, dispatcher, ptr(table), 0, null) === null)
    throw new Error('StartServiceCtrlDispatcherW could not be called');
}
