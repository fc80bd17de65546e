/**
 * The socket on which systemd receives messages of a service (sd_notify): the runtime has no datagrams of
 * this kind, the C library does.
 */
import { dlopen, ptr } from 'bun:ffi';

const AF_UNIX = 1;
const SOCK_DGRAM_NONBLOCK = 2 + 0o4000;
const EACH_MAX_BYTES = 4096;
const LOOK_EVERY_MS = 10;

export interface NotifySocket {
  /** Returns all messages received until now. */
  messages(): readonly string[];
  /** Waits for a message with this prefix, after those that earlier calls returned. Returns it. */
  next(beginning: string): Promise<string>;
  close(): void;
}

/** Opens the socket. `path`: at most 107 bytes. */
export function notifySocket(path: string): NotifySocket {
  const { symbols } = dlopen('libc.so.6', {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    bind: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  });
  const socket = symbols.socket(AF_UNIX, SOCK_DGRAM_NONBLOCK, 0);
  const address = Buffer.from(`\u0001\0${path}\0`);
  if (symbols.bind(socket, ptr(address), address.length) !== 0) throw new Error(`${path} cannot be bound`);
  const all: string[] = [];
  let position = 0;
  const take = (): void => {
    const buffer = Buffer.alloc(EACH_MAX_BYTES);
    for (;;) {
      const size = Number(symbols.recv(socket, ptr(buffer), buffer.length, 0));
      if (size < 0) return;
      all.push(buffer.toString('utf8', 0, size));
    }
  };
  return {
    messages: () => {
      take();
      return all;
    },
    next: async (beginning) => {
      for (;;) {
        take();
        while (position < all.length) {
          const message = all[position++] ?? '';
          if (message.startsWith(beginning)) return message;
        }
        await Bun.sleep(LOOK_EVERY_MS);
      }
    },
    close: () => void symbols.close(socket),
  };
}
