/**
 * Bounds the schema of a received database before SQLite opens it: opening takes quadratic time in the objects
 * of the schema, and the memory of all its texts (contract section 16).
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { bytesText, withCount } from '../validation/text.ts';

/** Limits of objects and bytes, many times those of the product's own schema. */
const OBJECTS_MAX = 2000;
const BYTES_MAX = 2 ** 22;

/** The format of SQLite, "Database File Format": all our databases have this page size, and UTF-8. */
const PAGE_BYTES = 4096;
const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const ENCODING_AT = 56;
const UTF8 = 1;
const [INTERIOR, LEAF] = [5, 13];
const POINTER_BYTES = 4;
const VARINT_BYTES = 9;

/** Throws an `OperatorError` for a database that is none of ours by its header, or whose schema is too large. */
export function requireSmallSchema(file: string): void {
  const descriptor = openSync(file, 'r');
  const pageAt = (number: number): Buffer => {
    const page = Buffer.alloc(PAGE_BYTES);
    readSync(descriptor, page, 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
    return page;
  };
  try {
    const first = pageAt(1);
    if (!first.toString('latin1').startsWith(MAGIC)) return; // SQLite says what it is
    if (first.readUInt16BE(PAGE_SIZE_AT) !== PAGE_BYTES || first.readUInt32BE(ENCODING_AT) !== UTF8)
      throw new OperatorError(
        `o banco de dados não tem páginas de ${bytesText(PAGE_BYTES)} e textos em UTF-8, como todo banco do catp`,
      );
    requireSmall(first, pageAt);
  } finally {
    closeSync(descriptor);
  }
}

/** Walks the tree of the schema, whose root is the first page. A fault of the tree is left to SQLite. */
function requireSmall(first: Buffer, pageAt: (number: number) => Buffer): void {
  let [objects, bytes, pages] = [0, 0, 0];
  const waiting = [{ page: first, start: HEADER_BYTES }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { page, start } = next;
    const type = page[start];
    if (type !== LEAF && type !== INTERIOR) continue;
    const cells = page.readUInt16BE(start + 3);
    const pointers = start + (type === LEAF ? 8 : 12);
    for (let cell = 0; cell < cells && pointers + cell * 2 < PAGE_BYTES - 1; cell += 1) {
      const offset = page.readUInt16BE(pointers + cell * 2);
      if (offset > PAGE_BYTES - POINTER_BYTES) continue;
      if (type === LEAF) {
        objects += 1;
        bytes += varintAt(page, offset);
      } else waiting.push({ page: pageAt(page.readUInt32BE(offset)), start: 0 });
    }
    if (type === INTERIOR) waiting.push({ page: pageAt(page.readUInt32BE(start + 8)), start: 0 });
    pages += 1;
    if (objects > OBJECTS_MAX || bytes > BYTES_MAX || pages > OBJECTS_MAX)
      throw new OperatorError(
        `o banco de dados tem um esquema maior que o de qualquer banco do catp: aceita até ${withCount(OBJECTS_MAX, 'objeto')} e ${bytesText(BYTES_MAX)}`,
      );
  }
}

function varintAt(page: Buffer, start: number): number {
  let value = 0;
  for (let offset = start; offset < start + VARINT_BYTES; offset += 1) {
    const byte = page[offset] ?? 0;
    if (offset === start + VARINT_BYTES - 1) return value * 256 + byte;
    value = value * 128 + (byte % 128);
    if (byte < 128) return value;
  }
  return value;
}
