import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import fc from 'fast-check';
import { FILE_LIMITS, type FileLimits } from '../../src/files/file-limits.ts';
import { jsonMembers, readItems } from '../../src/files/json-members.ts';
import { zipOf } from '../../src/files/zip-out.ts';
import { allOf, inChunks, refusalOf, utf8 } from './support.ts';

const MADE_AT = Date.UTC(2026, 10, 20, 13, 31, 7);
const valuesOf = async (source: string | Uint8Array, limits?: FileLimits): Promise<unknown[]> =>
  (await allOf(readItems(source, limits))).map(({ value }) => value);
const refusal = (source: string | Uint8Array, limits?: FileLimits) => refusalOf(readItems(source, limits));

/** Writes a zip with another library, and overwrites fields of its directory and local header. */
function zipWith(members: Record<string, string>, ...patches: readonly Patch[]): Uint8Array {
  const zip = zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, utf8(text)])));
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const directory = view.getUint32(zip.length - 22 + 16, true);
  for (const { local, central, bits, value } of patches) {
    for (const at of [local, directory + central]) {
      if (bits === 16) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
    }
  }
  return zip;
}

/** Returns the offsets of a field of the first member in its local header and in its directory record. */
interface Patch {
  readonly local: number;
  readonly central: number;
  readonly bits: 16 | 32;
  readonly value: number;
}
const flags = (value: number): Patch => ({ local: 6, central: 8, bits: 16, value });
const method = (value: number): Patch => ({ local: 8, central: 10, bits: 16, value });
const checksum = (value: number): Patch => ({ local: 14, central: 16, bits: 32, value });
const compressedSize = (value: number): Patch => ({ local: 18, central: 20, bits: 32, value });
const size = (value: number): Patch => ({ local: 22, central: 24, bits: 32, value });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catp-json-members-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a file that grows while it is read ends at the limit', async () => {
  const file = join(folder, 'cresce.json');
  const item = '{"seq":1},';
  const text = `[${item.repeat(20_000)}`;
  const limits = { ...FILE_LIMITS, maxBytes: text.length + 1 };
  await writeFile(file, `${text}1`);
  const items = readItems(file, limits);
  await items.next();
  await writeFile(file, ',1]', { flag: 'a' });
  expect(await refusalOf(items)).toMatchObject({ reason: 'tooLarge' });
  expect(await valuesOf(file, { ...limits, maxBytes: text.length + 4 })).toHaveLength(20_002);
});

describe('a zip is refused', () => {
  const text = JSON.stringify(
    Array.from({ length: 50 }, (_, seq) => ({ seq, denominacao: `Parafuso ${seq}` })),
  );
  const cases: readonly (readonly [what: string, zip: Uint8Array, reason: string])[] = [
    ['protected by a password', zipWith({ 'a.json': text }, flags(0x0001)), 'encrypted'],
    ['strongly encrypted', zipWith({ 'a.json': text }, flags(0x0041)), 'encrypted'],
    ['packed by a method we do not know', zipWith({ 'a.json': text }, method(14)), 'unsupportedMethod'],
    ['of another checksum', zipWith({ 'a.json': text }, checksum(1)), 'corrupt'],
    ['with less in a member than it says', zipWith({ 'a.json': text }, size(text.length + 1)), 'corrupt'],
    ['with more in a member than it says', zipWith({ 'a.json': text }, size(10)), 'corrupt'],
    ['with a member beyond its end', zipWith({ 'a.json': text }, compressedSize(1_000_000)), 'corrupt'],
    ['with a member cut short', zipWith({ 'a.json': text }, compressedSize(20)), 'corrupt'],
    ['without a directory', zipWith({ 'a.json': text }).subarray(0, -30), 'corrupt'],
    ['without any member', zipWith({}), 'noJsonMember'],
    ['without a JSON member', zipWith({ 'a.txt': text, 'json/': '' }), 'noJsonMember'],
    ['that is only its first bytes', utf8('PK'), 'corrupt'],
  ];
  test.each([...cases])('%s', async (_what, zip, reason) => {
    const refused = await refusal(zip);
    expect(refused.reason as string).toBe(reason);
    const path = join(folder, `${crypto.randomUUID()}.zip`);
    await writeFile(path, zip);
    expect((await refusal(path)).message).toBe(refused.message);
  });

  test('for invalid JSON, with its name when there are several members', async () => {
    expect((await refusal(zipWith({ 'a.json': '[1,]' }))).message).toStartWith('JSON inválido no byte 3: ');
    const refused = await refusal(zipWith({ 'a.json': '[1]', 'pasta/b.json': '[1,]' }));
    expect(refused.message).toStartWith('"pasta/b.json": JSON inválido no byte 3: ');
    expect({ reason: refused.reason, byte: refused.byte }).toEqual({ reason: 'invalidJson', byte: 3 });
  });

  test('with any one byte changed it is either read as before or refused', async () => {
    const zip = zipWith({ 'a.json': text });
    const change = fc.tuple(fc.nat({ max: zip.length - 1 }), fc.integer({ min: 1, max: 255 }));
    const counts = { read: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(change, async ([at, flip]) => {
        const changed = zip.slice();
        changed[at] = (changed[at] as number) ^ flip;
        const values = await valuesOf(changed).catch(async () => void (await refusal(changed)));
        if (values !== undefined) expect(values).toEqual(JSON.parse(text) as unknown[]);
        counts[values === undefined ? 'refused' : 'read'] += 1;
      }),
      { numRuns: 400 },
    );
    // A changed byte of a date has no effect, a changed byte of content does: both cases occur.
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(0);
  });
});

describe('a file that is too large is refused before it is read', () => {
  const spaces = (bytes: number): string => `[${' '.repeat(bytes - 2)}]`;
  const noRatio = { ...FILE_LIMITS, maxRatio: Infinity };

  test('the defaults are 200 MiB and 1:200', () => {
    expect(FILE_LIMITS).toMatchObject({ maxBytes: 209_715_200, maxRatio: 200, maxMembers: 10_000 });
  });

  test('a plain file of the largest size is read, one byte more is not', async () => {
    const limits = { ...FILE_LIMITS, maxBytes: 1000 };
    for (const [bytes, isRead] of [
      [1000, true],
      [1001, false],
    ] as const) {
      const path = join(folder, `${bytes}.json`);
      await writeFile(path, spaces(bytes));
      for (const source of [path, utf8(spaces(bytes))]) {
        if (isRead) expect(await valuesOf(source, limits)).toEqual([]);
        else expect((await refusal(source, limits)).reason).toBe('tooLarge');
      }
    }
    expect((await refusal(utf8(spaces(1001)), limits)).message).toBe(
      'O arquivo tem 1.001 bytes; são aceitos até 1.000 bytes.',
    );
  });

  test('the members of a zip count together, unpacked; other files do not count', async () => {
    const limits = { ...noRatio, maxBytes: 2000 };
    const others = { 'leia-me.txt': ' '.repeat(5000) };
    expect(
      await valuesOf(zipWith({ 'a.json': spaces(1000), 'b.json': spaces(1000), ...others }), limits),
    ).toEqual([]);
    const refused = await refusal(zipWith({ 'a.json': spaces(1000), 'b.json': spaces(1001) }), limits);
    expect(refused.reason).toBe('zipBomb');
    expect(refused.message).toBe('O arquivo tem 2.001 bytes descompactado; são aceitos até 2.000 bytes.');
  });

  test('a member with the greatest allowed ratio is read, a greater one is not', async () => {
    const zip = zipWith({ 'a.json': spaces(100_000) });
    const packed = new DataView(zip.buffer, zip.byteOffset).getUint32(18, true);
    const ratio = 100_000 / packed;
    expect(ratio).toBeGreaterThan(FILE_LIMITS.maxRatio);
    expect(await valuesOf(zip, { ...FILE_LIMITS, maxRatio: ratio })).toEqual([]);
    expect((await refusal(zip, { ...FILE_LIMITS, maxRatio: ratio - 0.01 })).reason).toBe('zipBomb');
    const refused = await refusal(zip);
    expect(refused.message).toStartWith('"a.json": compressão de mais de 1:200 (');
    expect(refused.message).toEndWith('parece uma bomba zip.');
  });

  test('reading a bomb with a false size stops at that size', async () => {
    const zip = zipWith({ 'a.json': spaces(5_000_000) }, size(5000));
    let unpacked = 0;
    const reading = (async () => {
      for await (const { chunks } of jsonMembers(zip))
        for await (const chunk of chunks) unpacked += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ reason: 'corrupt' });
    expect(unpacked).toBeLessThanOrEqual(5000);
  });

  test('a zip of too many files', async () => {
    const limits = { ...FILE_LIMITS, maxMembers: 2 };
    expect(await valuesOf(zipWith({ 'a.json': '[1]', b: '' }), limits)).toEqual([1]);
    expect((await refusal(zipWith({ 'a.json': '[1]', b: '', c: '' }), limits)).reason).toBe('tooManyMembers');
  });
});

describe('a file is read', () => {
  test('that does not exist: the error is ENOENT, not a refusal of the file', async () => {
    await expect(allOf(readItems(join(folder, 'nenhum.json')))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('as JSON or zip by its content, whatever its name', async () => {
    await writeFile(join(folder, 'json.zip'), '\uFEFF[1,2]');
    await writeFile(join(folder, 'zip.json'), zipWith({ 'a.json': '[3]' }));
    await writeFile(join(folder, 'vazio.json'), '');
    expect(await valuesOf(join(folder, 'json.zip'))).toEqual([1, 2]);
    expect(await valuesOf(join(folder, 'zip.json'))).toEqual([3]);
    expect((await refusal(join(folder, 'vazio.json'))).reason).toBe('empty');
  });

  test('member after member, numbered consecutively, without folders, and whatever the case of the extension', async () => {
    const zip = zipWith({
      'pasta/a.JSON': '[1,2]',
      'leia-me.txt': 'não é JSON',
      '__MACOSX/pasta/._a.JSON': 'não é JSON',
      '../../b.json': '\uFEFF\n[3]',
    });
    expect(await allOf(readItems(zip))).toEqual([
      { index: 0, value: 1, file: 'pasta/a.JSON', member: 0, indexInMember: 0, line: 1, end: 2, endLine: 1 },
      { index: 1, value: 2, file: 'pasta/a.JSON', member: 0, indexInMember: 1, line: 1, end: 4, endLine: 1 },
      { index: 2, value: 3, file: '../../b.json', member: 1, indexInMember: 0, line: 2, end: 6, endLine: 2 },
    ]);
  });

  test('after any item: the rest is the same, for a plain file, on disk and for a zip of several', async () => {
    const path = join(folder, 'continua.json');
    const text = JSON.stringify(
      Array.from({ length: 30 }, (_, seq) => ({ seq, nome: 'ação'.repeat(seq) })),
      null,
      1,
    );
    await writeFile(path, text);
    for (const source of [utf8(text), path, zipWith({ 'a.json': '[1,2]', 'b.json': '[]', 'c.json': text })]) {
      const items = await allOf(readItems(source));
      for (const [at, behind] of items.entries())
        expect(await allOf(readItems(source, FILE_LIMITS, { behind }))).toEqual(items.slice(at + 1));
    }
  });

  test('stored or deflated, also when its bytes look like the signatures of a zip', async () => {
    const text = JSON.stringify(
      ['PK\x03\x04', 'PK\x07\x08', 'PK\x01\x02', 'PK\x05\x06'].map((sign) => sign.repeat(5)),
      null,
      2,
    ).replace(/\\u000(.)/g, '\\u000$1');
    const raw = '["PK\u0007\b"]'; // control characters are invalid JSON, but the bytes of the member must be unchanged
    for (const level of [0, 6] as const) {
      const zip = zipSync({ 'a.json': utf8(text), 'b.json': utf8(raw) }, { level });
      const contents: string[] = [];
      for await (const { chunks } of jsonMembers(zip)) {
        contents.push(new TextDecoder().decode(await new Response(chunks as never).bytes()));
      }
      expect(contents).toEqual([text, raw]);
    }
  });

  test.skipIf(process.platform !== 'linux')('and closed when the reader stops early', async () => {
    const path = join(folder, 'grande.zip');
    const text = JSON.stringify(Array.from({ length: 20_000 }, (_, seq) => ({ seq, at: Math.sin(seq) })));
    await writeFile(path, zipWith({ 'a.json': text }));
    const openNow = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const before = await openNow();
    for (let round = 0; round < 5; round++) {
      for await (const { index } of readItems(path)) if (index === 3) break;
    }
    for (let turn = 0; turn < 1000 && (await openNow()) > before; turn++) await new Promise(setImmediate);
    expect(await openNow()).toBeLessThanOrEqual(before);
  });
});

test('a zip that zipOf wrote is read back unchanged', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 3 });
  const items = fc.array(fc.jsonValue({ stringUnit: 'binary' }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 0, max: 3000 }), sizes, async (some, copies, cut) => {
      const text = JSON.stringify([
        ...some,
        ...Array.from({ length: copies }, (_, seq) => ({ seq, at: Math.sin(seq) })),
      ]);
      const zip = await new Response(zipOf('CATALOGO', inChunks(utf8(text), cut), MADE_AT)).bytes();
      expect(await valuesOf(zip)).toEqual(JSON.parse(text) as unknown[]);
    }),
    { numRuns: 40 },
  );
});

test('the name of a member has 255 characters at most; of a longer name the end remains', async () => {
  const readNamed = async (length: number): Promise<string | undefined> => {
    const name = `${'p'.repeat(length - '/itens.json'.length)}/itens.json`;
    return (await allOf(jsonMembers(zipWith({ [name]: '[1]' }))))[0]?.name;
  };
  expect(await readNamed(255)).toHaveLength(255);
  const cut = await readNamed(256);
  expect([cut?.length, cut?.startsWith('…p'), cut?.endsWith('/itens.json')]).toEqual([255, true, true]);
});
