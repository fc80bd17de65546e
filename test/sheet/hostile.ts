/** Spreadsheets that are small files and large when they are read, written part by part. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A part of a zip: its bytes, repeated and compressed without holding them in memory. */
export interface HostilePart {
  readonly name: string;
  readonly head?: string;
  readonly body?: string;
  readonly times?: number;
  readonly tail?: string;
  /** Stored without compression. */
  readonly isStored?: boolean;
}

function bytesOf({ head = '', body = '', times = 1, tail = '' }: HostilePart): Buffer {
  return Buffer.from(head + body.repeat(times) + tail);
}

/** Returns a zip of the parts. */
export function zipOf(parts: readonly HostilePart[]): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const content = bytesOf(part);
    const packed = part.isStored === true ? content : deflateRawSync(content, { level: 9 });
    const name = Buffer.from(part.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(part.isStored === true ? 0 : 8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([signature(0x04034b50), common, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    centrals.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, place, name]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return new Uint8Array(Buffer.concat([...locals, directory, signature(0x06054b50), end]));
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export interface HostileXlsx {
  /** Number of `<sheet>` elements, all of the one part. */
  readonly sheets?: number;
  /** Content of `sheetData`. */
  readonly rows: Omit<HostilePart, 'name'>;
  readonly strings?: Omit<HostilePart, 'name'>;
  readonly styles?: string;
  readonly others?: readonly HostilePart[];
}

const inside = (name: string, tag: string, { head = '', tail = '', ...part }: Omit<HostilePart, 'name'>) => ({
  ...part,
  name,
  head: `<${tag}>${head}`,
  tail: `${tail}</${tag.split(' ')[0]}>`,
});

export function hostileXlsx({ sheets = 1, rows, strings, styles = '', others = [] }: HostileXlsx) {
  const named = Array.from({ length: sheets }, (_, at) => `<sheet name="S${at}" r:id="r"/>`).join('');
  const { head = '', tail = '', ...body } = rows;
  return zipOf([
    { name: 'xl/workbook.xml', body: `<workbook xmlns:r="r"><sheets>${named}</sheets></workbook>` },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: '<Relationships><Relationship Id="r" Type="/worksheet" Target="worksheets/s.xml"/></Relationships>',
    },
    { name: 'xl/styles.xml', body: `<styleSheet>${styles}</styleSheet>` },
    ...(strings === undefined ? [] : [inside('xl/sharedStrings.xml', 'sst', strings)]),
    {
      ...body,
      name: 'xl/worksheets/s.xml',
      head: `<worksheet><sheetData>${head}`,
      tail: `${tail}</sheetData></worksheet>`,
    },
    ...others,
  ]);
}
