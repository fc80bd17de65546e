/**
 * A line to the systemd that started the server (sd_notify): a datagram to the socket that `NOTIFY_SOCKET` names. The
 * runtime has no such sockets, and a program started for every ping would make a watchdog that watches the wrong thing:
 * three calls of the C library do it. Loaded only by a server that systemd started.
 */
import { dlopen, ptr } from 'bun:ffi';

const C_LIBRARY = 'libc.so.6';
/** Of Linux; the last ones: closed in whatever is started, never waited for, no signal where nobody listens. */
const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2_000_000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;

/** Opens the way to the socket at `address`, a path or, after `@`, an abstract name. Throws where there is no such library. */
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

/** `struct sockaddr_un`: the family, then the path up to its NUL; an abstract name begins with one and has none after it. */
function socketAddress(address: string): Buffer {
  const isAbstract = address.startsWith('@');
  const name = Buffer.from(isAbstract ? `\0${address.slice(1)}` : `${address}\0`);
  const family = Buffer.alloc(2);
  new Uint16Array(family.buffer, family.byteOffset, 1)[0] = AF_UNIX;
  return Buffer.concat([family, name]);
}
