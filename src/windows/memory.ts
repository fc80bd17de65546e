/** Converts texts and addresses to and from the Windows forms: UTF-16 up to a NUL, 64 bits. */
import { type Pointer, read } from 'bun:ffi';

const UNIT_BYTES = 2;

/** Returns the UTF-16 bytes of a text with the final NUL that Windows expects. */
export const utf16Of = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');

/** Returns the text at an address that Windows returned. */
export function textAt(address: Pointer): string {
  const units: number[] = [];
  for (let offset = 0; ; offset += UNIT_BYTES) {
    const unit = read.u16(address, offset);
    if (unit === 0) return String.fromCharCode(...units);
    units.push(unit);
  }
}

/** Allocates a buffer of 64 bits for an address that a call writes. */
export const addressBuffer = (): BigUint64Array => new BigUint64Array(1);

/**
 * Returns the address that a call returned or wrote; `null` when there is none. Process addresses have 47
 * bits.
 */
export const addressOf = (answer: bigint | Pointer | null): Pointer | null =>
  answer === null || BigInt(answer) === 0n ? null : (Number(answer) as Pointer);

export const addressIn = ([address = 0n]: BigUint64Array): Pointer | null => addressOf(address);
