/**
 * The executable for Windows runs it: calls our handler as Windows does, in a separate thread, with an
 * event.
 */
import { dlopen, ptr, type Pointer } from 'bun:ffi';
import { consoleHandler } from '../../src/windows/console.ts';

const STILL_ACTIVE = 259;
const EVENTS = { ctrlC: 0, ctrlBreak: 1, closing: 2 } as const;
/** A thread without a wait has ended by then. */
const PAUSE_MS = 1000;

const { symbols: kernel } = dlopen('kernel32.dll', {
  CreateThread: { args: ['ptr', 'u64', 'ptr', 'u64', 'u32', 'ptr'], returns: 'ptr' },
  GetExitCodeThread: { args: ['ptr', 'ptr'], returns: 'i32' },
});

let calls = 0;
const handler = consoleHandler(() => void (calls += 1));
const came: Record<string, object> = {};
for (const [name, event] of Object.entries(EVENTS)) {
  const thread = kernel.CreateThread(null, 0n, handler, BigInt(event), 0, null);
  await Bun.sleep(PAUSE_MS);
  const code = new Uint32Array(1);
  kernel.GetExitCodeThread(Number(thread) as Pointer, ptr(code));
  came[name] = { calls, answered: code[0] === STILL_ACTIVE ? 'held' : code[0] };
}
console.log(JSON.stringify(came));
process.exit(0);
