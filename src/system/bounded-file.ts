/** Reads files up to a size limit (contract section 16). */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';

export const MIB = 2 ** 20;

/**
 * The file is larger than its limit. The message continues a Portuguese sentence whose subject is the file.
 */
export class BeyondLimit extends Error {}

/** Reads a small file. Throws `BeyondLimit`, or the system error of an unreadable file. */
export function readFileUpTo(path: string, maxBytes: number): Buffer {
  refuseSize(statSync(path).size, maxBytes);
  const bytes = readStart(path, maxBytes + 1); // the size of a pipe is unknown before its end
  refuseSize(bytes.length, maxBytes);
  return bytes;
}

/** Reads the first bytes of a file, all of a shorter one. Throws system errors. */
export function readStart(path: string, bytes: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const start = Buffer.alloc(bytes);
    let length = 0;
    while (length < bytes) {
      const count = readSync(descriptor, start, length, bytes - length, null);
      if (count === 0) break;
      length += count;
    }
    return start.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

/** Far more than a key, a secret or a mark of a data folder has. */
const SMALL_TEXT_MAX_BYTES = 64 * 1024;

/** Reads a small text. A longer file is cut, and so has no valid content. Throws system errors. */
export const readSmallText = (path: string): string => readStart(path, SMALL_TEXT_MAX_BYTES).toString('utf8');

/**
 * Reads a file of megabytes without blocking requests. Rejects with the errors that `readFileUpTo` throws.
 */
export async function readLargeFileUpTo(path: string, maxBytes: number): Promise<Buffer> {
  refuseSize(statSync(path).size, maxBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { end: maxBytes, highWaterMark: MIB })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
  }
  refuseSize(length, maxBytes);
  return Buffer.concat(chunks);
}

function refuseSize(size: number, maxBytes: number): void {
  if (size > maxBytes)
    throw new BeyondLimit(`tem ao menos ${size} bytes; são aceitos até ${maxBytes} (${maxBytes / MIB} MiB)`);
}
