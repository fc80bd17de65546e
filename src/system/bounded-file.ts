/** Reads files of other programs, up to a size limit (contract section 16). */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';

export const MIB = 2 ** 20;

/**
 * The file is larger than its limit. The message continues a Portuguese sentence whose subject is the file.
 */
export class BeyondLimit extends Error {}

/** Reads a small file. Throws `BeyondLimit`, or the system error of an unreadable file. */
export function readFileUpTo(path: string, maxBytes: number): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    refuseSize(fstatSync(descriptor).size, maxBytes);
    // The size of a pipe is unknown before its end.
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, null);
      length += count;
      if (count === 0 || length > maxBytes) break;
    }
    refuseSize(length, maxBytes);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

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
