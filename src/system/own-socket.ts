/** Our end of a TCP connection, past the runtime that owns it. Only Linux shows it (`/proc`). */
import { readFileSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { systemCode } from './errors.ts';

export interface OwnSocket {
  /** `again` resolves when a full connection may have room once more. Rejects when the other side is gone. */
  write(bytes: Uint8Array, again: () => Promise<void>): Promise<void>;
}

const ESTABLISHED = '01';

/** The socket of this process whose other end has that port; `undefined` where that is not to be seen, or not certain. */
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

/** Columns: slot, own address, other address, state, …, inode the tenth. */
function socketsTo(port: number, table: string): readonly string[] {
  const other = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , address = '', state]) => address.endsWith(other) && state === ESTABLISHED)
    .map((columns) => `socket:[${columns[9]}]`);
}

/** A descriptor may be gone since the folder was read. */
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
