/**
 * Builds a zip around deflated bytes: it compresses nothing and creates only a few headers. `zip-out.ts`
 * compresses. A library that accepts a deflated member writes its sizes after it and the host's time
 * (`fflate`), or is many times this file and uses web streams (`zip.js`).
 */
import type { EpochMs } from '../clock.ts';
import { brasiliaWallTime } from './zip-out.ts';

export interface DeflatedMember {
  readonly name: string;
  readonly bytes: number;
  readonly crc32: number;
  readonly deflatedBytes: number;
  readonly madeAt: EpochMs;
}

/** A larger zip needs other headers. */
const MAX_BYTES = 0xffff_fffe;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** Version 2.0, the first with deflate. */
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 1 << 11;
const DEFLATE = 8;

/**
 * Yields the bytes of a zip with one member, whose deflated bytes come in parts. Throws when their number
 * differs from the declared one.
 */
export function* zipAround(member: DeflatedMember, parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  if (Math.max(member.bytes, member.deflatedBytes) > MAX_BYTES)
    throw new RangeError(`zip: ${member.name} is too long for a plain zip.`);
  const name = Buffer.from(member.name);
  const common = commonHeader(member, name.length);
  const local = Buffer.concat([uint32(LOCAL_HEADER), common, name]);
  yield local;
  let sent = 0;
  for (const part of parts) {
    sent += part.length;
    yield part;
  }
  if (sent !== member.deflatedBytes)
    throw new Error(`zip: ${member.name} has ${sent} deflated bytes instead of ${member.deflatedBytes}.`);
  // After the common part: comment length, disk, two kinds of attributes, and the offset of the member: all
  // 0.
  const central = Buffer.concat([uint32(CENTRAL_HEADER), uint16(VERSION), common, Buffer.alloc(14), name]);
  yield central;
  yield Buffer.concat([
    uint32(END),
    Buffer.alloc(4),
    uint16(1),
    uint16(1),
    uint32(central.length),
    uint32(local.length + sent),
    Buffer.alloc(2),
  ]);
}

/** Returns the part that both headers of a member share. */
function commonHeader({ bytes, crc32, deflatedBytes, madeAt }: DeflatedMember, nameBytes: number): Buffer {
  const { time, date } = dosTime(madeAt);
  return Buffer.concat([
    ...[VERSION, FLAGS, DEFLATE, time, date].map(uint16),
    ...[crc32, deflatedBytes, bytes].map(uint32),
    ...[nameBytes, 0].map(uint16),
  ]);
}

/** Converts a moment to the zip's resolution of two seconds. */
function dosTime(madeAt: EpochMs): { readonly time: number; readonly date: number } {
  const wall = brasiliaWallTime(madeAt);
  return {
    time: (wall.getUTCHours() << 11) | (wall.getUTCMinutes() << 5) | (wall.getUTCSeconds() >> 1),
    date: ((wall.getUTCFullYear() - 1980) << 9) | ((wall.getUTCMonth() + 1) << 5) | wall.getUTCDate(),
  };
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
