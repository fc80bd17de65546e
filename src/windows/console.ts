/**
 * Handles Ctrl+Break and the closing of the console window, which the runtime does not report (contract
 * section 23). Windows calls the handler on its own thread and ends the process when it returns. So a few
 * bytes of machine code notify the main loop and then hold that thread for the longest clean shutdown.
 */
import { JSCallback, type Pointer, dlopen, ptr } from 'bun:ffi';
import { addressOf, utf16Of } from './memory.ts';

const MEM_COMMIT_AND_RESERVE = 0x3000;
const PAGE_READWRITE = 0x4;
const PAGE_EXECUTE_READ = 0x20;

/** Longer than a shutdown takes. Windows waits 5 s when the window is closed. */
const HELD_MS = 10_000;

/**
 * Calls `end` on Ctrl+Break, close, sign-off and shutdown. The runtime handles Ctrl+C. Returns true if the
 * handler was installed.
 */
export function onConsoleEnd(end: () => void): boolean {
  const handler = consoleHandler(end);
  return handler !== null && windows().SetConsoleCtrlHandler(handler, 1) !== 0;
}

/** Returns the handler for `end`, or `null` on another processor or without executable memory. */
export function consoleHandler(end: () => void): Pointer | null {
  if (process.platform !== 'win32' || process.arch !== 'x64') return null;
  const kernel = windows();
  const library = addressOf(kernel.GetModuleHandleW(ptr(utf16Of('kernel32.dll'))));
  const sleep = addressOf(kernel.GetProcAddress(library, ptr(Buffer.from('Sleep\0'))));
  const callback = new JSCallback(end, { args: [], returns: 'void', threadsafe: true });
  if (sleep === null || callback.ptr === null) return null;
  KEPT.push(callback);
  const code = handlerCode(callback.ptr, sleep);
  const bytes = BigInt(code.length);
  const place = addressOf(kernel.VirtualAlloc(null, bytes, MEM_COMMIT_AND_RESERVE, PAGE_READWRITE));
  if (place === null) return null;
  kernel.RtlMoveMemory(place, ptr(code), bytes);
  kernel.VirtualProtect(place, bytes, PAGE_EXECUTE_READ, ptr(new Uint32Array(1)));
  return place;
}

const windows = () =>
  dlopen('kernel32.dll', {
    GetModuleHandleW: { args: ['ptr'], returns: 'ptr' },
    GetProcAddress: { args: ['ptr', 'ptr'], returns: 'ptr' },
    VirtualAlloc: { args: ['ptr', 'u64', 'u32', 'u32'], returns: 'ptr' },
    VirtualProtect: { args: ['ptr', 'u64', 'u32', 'ptr'], returns: 'i32' },
    RtlMoveMemory: { args: ['ptr', 'ptr', 'u64'], returns: 'void' },
    SetConsoleCtrlHandler: { args: ['ptr', 'i32'], returns: 'i32' },
  }).symbols;

/** Keeps objects whose address Windows holds. */
const KEPT: unknown[] = [];

/**
 * Machine code of `BOOL handler(DWORD event)`. It leaves event 0, Ctrl+C, to other handlers. For every other
 * event it notifies, sleeps, and returns true.
 */
function handlerCode(notifier: Pointer, sleep: Pointer): Buffer {
  const address = (value: Pointer): number[] => [
    ...new Uint8Array(new BigUint64Array([BigInt(value)]).buffer),
  ];
  const number = (value: number): number[] => [...new Uint8Array(new Uint32Array([value]).buffer)];
  return Buffer.from([
    ...[0x85, 0xc9], // test ecx, ecx
    ...[0x75, 0x03], // jnz over the next two
    ...[0x31, 0xc0], // xor eax, eax
    ...[0xc3], // ret
    ...[0x48, 0x83, 0xec, 0x28], // sub rsp, 40: shadow space for the callee, and stack alignment
    ...[0x48, 0xb8, ...address(notifier)], // mov rax, notifier
    ...[0xff, 0xd0], // call rax
    ...[0xb9, ...number(HELD_MS)], // mov ecx, HELD_MS
    ...[0x48, 0xb8, ...address(sleep)], // mov rax, Sleep
    ...[0xff, 0xd0], // call rax
    ...[0xb8, ...number(1)], // mov eax, 1
    ...[0x48, 0x83, 0xc4, 0x28], // add rsp, 40
    ...[0xc3], // ret
  ]);
}
