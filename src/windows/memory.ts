/** Texts and addresses as Windows takes and gives them: UTF-16 up to a NUL, 64 bits. */
import { type Pointer, read } from 'bun:ffi';

const UNIT_BYTES = 2;

export const wide = (text: string): Buffer => Buffer.from(`${text}\0`, 'utf16le');

/** The text at an address that Windows gave us. */
export function textAt(address: Pointer): string {
  const units: number[] = [];
  for (let at = 0; ; at += UNIT_BYTES) {
    const unit = read.u16(address, at);
    if (unit === 0) return String.fromCharCode(...units);
    units.push(unit);
  }
}

/** Room for an address, which a call writes into. */
export const addressRoom = (): BigUint64Array => new BigUint64Array(1);

/** What a call answered, or wrote into its room; `null`: nothing. Addresses of processes have 47 bits. */
export const addressOf = (answer: bigint | Pointer | null): Pointer | null =>
  answer === null || BigInt(answer) === 0n ? null : (Number(answer) as Pointer);

export const addressIn = ([address = 0n]: BigUint64Array): Pointer | null => addressOf(address);
