/**
 * Sends states to systemd (sd_notify): a datagram to the socket that `NOTIFY_SOCKET` names. The runtime has
 * no such sockets, and a program started per ping would make the watchdog supervise the wrong process, so it
 * calls three functions of the C library. Loaded only when systemd started the server.
 */
import { dlopen, ptr } from 'bun:ffi';

const C_LIBRARY = 'libc.so.6';
/** Linux constants. The last ones: close on exec, do not block, no signal without a receiver. */
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2_000_000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

/**
 * Opens the socket at `address`, a path or, after `@`, an abstract name. Throws if the library is missing.
 */
export function lineToSystemd(address: string): (state: string) => boolean {
  const { symbols } = dlopen(C_LIBRARY, {
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
  });
  const socket = symbols.socket(AF_UNIX, SOCK_DGRAM + SOCK_CLOEXEC, 0);
  const to = socketAddress(address);
  return (state) => {
    const bytes = Buffer.from(state);
    const flags = MSG_DONTWAIT + MSG_NOSIGNAL;
    return (
      symbols.sendto(socket, ptr(bytes), bytes.length, flags, ptr(to), to.length) === BigInt(bytes.length)
    );
  };
}

/**
 * Returns `struct sockaddr_un`: the family, then the path up to its NUL. An abstract name starts with a NUL
 * and has none at its end.
 */
function socketAddress(address: string): Buffer {
  const isAbstract = address.startsWith('@');
  const name = Buffer.from(isAbstract ? `\0${address.slice(1)}` : `${address}\0`);
  const family = Buffer.alloc(2);
  new Uint16Array(family.buffer, family.byteOffset, 1)[0] = AF_UNIX;
  return Buffer.concat([family, name]);
}
