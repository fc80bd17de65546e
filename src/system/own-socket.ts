/** Writes to the local end of a TCP connection that the runtime owns. Only Linux exposes it (`/proc`). */
import { readFileSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { systemCode } from './errors.ts';

export interface OwnSocket {
  /**
   * `again` resolves when a full connection may accept more bytes. Rejects when the peer has closed the
   * connection.
   */
  write(bytes: Uint8Array, again: () => Promise<void>): Promise<void>;
}

const ESTABLISHED = '01';

/**
 * Returns the socket of this process whose peer has that port, or `undefined` if it is not visible or not
 * unique.
 */
export function ownSocketTo(port: number): OwnSocket | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => socketsTo(port, `/proc/self/net/${table}`)));
    const [found, ...others] = readdirSync('/proc/self/fd').filter((fd) => sockets.has(linkOf(fd)));
    return found === undefined || others.length > 0 ? undefined : { write: writerTo(Number(found)) };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Reads the columns: slot, local address, remote address, state, …; the tenth is the inode. */
function socketsTo(port: number, table: string): readonly string[] {
  const other = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , address = '', state]) => address.endsWith(other) && state === ESTABLISHED)
    .map((columns) => `socket:[${columns[9]}]`);
}

/** Reads the link of a descriptor, which may be closed since the folder was read. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

function writerTo(fd: number): OwnSocket['write'] {
  return async (bytes, again) => {
    let rest = bytes;
    while (rest.length > 0)
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (error) {
        if (systemCode(error) !== 'EAGAIN') throw error;
        await again();
      }
  };
}
