/**
 * A zip around what is deflated already: nothing is packed anew, and nothing but a few headers is made. `zip-out.ts` packs
 * what is not. A library that takes a deflated member writes its sizes behind it and the host's time (`fflate`), or is many
 * times this file and speaks in web streams (`zip.js`).
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

/** Beyond them a zip takes other headers. */
const MAX_BYTES = 0xffff_fffe;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** "2.0", with which deflate came. */
const VERSION = 20;
/** Names are UTF-8. */
const FLAGS = 1 << 11;
const DEFLATE = 8;

/** The bytes of a zip with one member, given its deflated bytes in parts. Throws when they are not as many as were told. */
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
  // After the common part: comment length, disk, two sorts of attributes, and where the member begins: all 0.
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

/** What both headers of a member have. */
function commonHeader({ bytes, crc32, deflatedBytes, madeAt }: DeflatedMember, nameBytes: number): Buffer {
  const { time, date } = dosTime(madeAt);
  return Buffer.concat([
    ...[VERSION, FLAGS, DEFLATE, time, date].map(uint16),
    ...[crc32, deflatedBytes, bytes].map(uint32),
    ...[nameBytes, 0].map(uint16),
  ]);
}

/** Two seconds are the finest that a zip knows. */
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
