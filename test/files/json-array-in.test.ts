import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readJsonArray } from '../../src/files/json-array-in.ts';
import { JSON_LIMITS, type JsonLimits } from '../../src/files/file-limits.ts';
import { readJsonText } from '../../src/validation/json.ts';
import { UnreadableFile } from '../../src/files/unreadable-file.ts';
import { allOf, inChunks, refusalOf, utf8 } from './support.ts';

const read = (bytes: Uint8Array, sizes?: readonly number[], limits?: JsonLimits) =>
  readJsonArray(inChunks(bytes, sizes), limits);
const refusal = (text: string | Uint8Array, limits?: JsonLimits) =>
  refusalOf(read(typeof text === 'string' ? utf8(text) : text, undefined, limits));
const valuesOf = async (bytes: Uint8Array, sizes?: readonly number[]): Promise<unknown[]> =>
  (await allOf(read(bytes, sizes))).map(({ value }) => value);

/** A JSON array text, pretty-printed or not. */
const arrayText = fc
  .tuple(
    fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), { maxLength: 8 }),
    fc.constantFrom(0, 2),
  )
  .map(([items, indent]) => JSON.stringify(items, null, indent));
const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe('a file that is not one JSON array is refused', () => {
  const cases: readonly (readonly [what: string, text: string | Uint8Array, reason: string, byte: number])[] =
    [
      ['nothing', '', 'empty', 0],
      ['white space only', ' \r\n\t', 'empty', 4],
      ['a byte order mark only', '\uFEFF', 'empty', 3],
      ['half a byte order mark', new Uint8Array([0xef, 0xbb]), 'invalidUtf8', 0],
      ['an object', '{"seq":1}', 'notArray', 0],
      ['a text', ' "a"', 'notArray', 1],
      ['a number', '-1', 'notArray', 0],
      ['no JSON at all', 'seq;codigo', 'invalidJson', 0],
      ['UTF-16', new Uint8Array([0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00]), 'invalidUtf8', 0],
      ['an array that does not end', '[', 'truncated', 1],
      ['an item that does not end', '[{"a":"b', 'truncated', 8],
      ['an array that ends after a comma', '[1, ', 'truncated', 4],
      ['an escape that does not end', '["\\', 'truncated', 3],
      ['something after the array', '[1] x', 'trailingData', 4],
      ['two arrays', '[1][2]', 'trailingData', 3],
      ['a comma too many', '[1,]', 'invalidJson', 3],
      ['a comma first', '[,1]', 'invalidJson', 1],
      ['no comma', '[1 2]', 'invalidJson', 3],
      ['the wrong bracket at the end', '[1}', 'invalidJson', 2],
      ['the wrong bracket inside', '[{"a":[1}]}]', 'invalidJson', 8],
      ['a missing colon', '[{"a" 1}]', 'invalidJson', 6],
      ['a name without quotation marks', '[{a:1}]', 'invalidJson', 2],
      ['single quotation marks', "[{'a':1}]", 'invalidJson', 2],
      ['a leading zero', '[01]', 'invalidJson', 2],
      ['a number cut short', '[1.]', 'invalidJson', 3],
      ['a plus sign', '[+1]', 'invalidJson', 1],
      ['a word that is none', '[1,trie]', 'invalidJson', 5],
      ['a word cut short', '[nul]', 'invalidJson', 4],
      ['NaN', '[NaN]', 'invalidJson', 1],
      ['a line end in a text', '["a\nb"]', 'invalidJson', 3],
      ['an unknown escape', '["a\\x41"]', 'invalidJson', 4],
      ['a broken \\u', '["\\u12G4"]', 'invalidJson', 6],
      ['a comment', '[1, /* dois */ 2]', 'invalidJson', 4],
      ['a mark inside', '[1,\uFEFF2]', 'invalidJson', 3],
      ['Latin-1', new Uint8Array([0x5b, 0x22, 0x61, 0xe7, 0xe3, 0x6f, 0x22, 0x5d]), 'invalidUtf8', 3],
      ['an encoded surrogate', new Uint8Array([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d]), 'invalidUtf8', 2],
      ['an overlong form', new Uint8Array([0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d]), 'invalidUtf8', 2],
    ];
  test.each([...cases])('%s', async (_what, text, reason, byte) => {
    const refused = await refusal(text);
    expect({ reason: refused.reason, byte: refused.byte }).toEqual({ reason, byte } as never);
    if (reason !== 'empty') expect(refused.message).toStartWith(`JSON inválido no byte ${byte}: `);
    // The result is the same for a stream of single bytes.
    const bytes = typeof text === 'string' ? utf8(text) : text;
    const again = await refusalOf(read(bytes, [1]));
    expect(again.message).toBe(refused.message);
  });

  test('the byte is counted from the start of the file, over earlier items, multi-byte characters and a byte order mark', async () => {
    const text = '\uFEFF[{"a":"ção"},\n{"b":tru}]';
    const refused = await refusal(text);
    expect(refused.byte).toBe(utf8(text.slice(0, text.indexOf('}]'))).length);
    expect(refused.message).toBe(
      `JSON inválido no byte ${refused.byte}: encontrado "}", esperado "true" (item 2 do array; linha 2, coluna 9).`,
    );
  });

  test('the items before the wrong byte have been returned', async () => {
    const values: unknown[] = [];
    const reading = (async () => {
      for await (const { value } of read(utf8('[1,2,x]'))) values.push(value);
    })();
    await expect(reading).rejects.toBeInstanceOf(UnreadableFile);
    expect(values).toEqual([1, 2]);
  });

  test('an error of the source is thrown unchanged', async () => {
    const broken = (async function* () {
      yield utf8('[1,');
      throw new Error('EIO');
    })();
    await expect(allOf(readJsonArray(broken))).rejects.toThrow('EIO');
  });
});

describe('limits', () => {
  const nested = (depth: number): string => `[${'['.repeat(depth)}${']'.repeat(depth)}]`;

  test('100 levels in an item are read, 101 are refused at the last opening bracket', async () => {
    expect(await valuesOf(utf8(nested(100)))).toHaveLength(1);
    const refused = await refusal(nested(101));
    expect({ reason: refused.reason, byte: refused.byte }).toEqual({ reason: 'tooDeep', byte: 101 });
    expect(refused.message).toContain('mais de 100 níveis');
  });

  test('an earlier mistake is reported before the depth', async () => {
    expect((await refusal(`[[1 2,${'['.repeat(200)}`)).byte).toBe(4);
  });

  test.each([[[1]], [[7]], [[1000]]])(
    'an item of the largest size is read, one byte more is refused (%p)',
    async (sizes) => {
      const limits = { ...JSON_LIMITS, maxItemBytes: 20 };
      const item = JSON.stringify('x'.repeat(18));
      expect(await allOf(read(utf8(`[1,${item},2]`), sizes, limits))).toHaveLength(3);
      const refused = await refusalOf(read(utf8(`[1,"x${item.slice(1)},2]`), sizes, limits));
      expect({ reason: refused.reason, byte: refused.byte }).toEqual({ reason: 'itemTooLarge', byte: 3 });
      expect(refused.message).toBe('O item 2 do array, que começa no byte 3, tem mais de 20 bytes.');
    },
  );

  test('a missing quotation mark is reported by its consequence, not as a large item', async () => {
    const limits = { ...JSON_LIMITS, maxItemBytes: 50 };
    const text = `[{"a":"x},\n${'{"a":"y"},\n'.repeat(20)}1]`;
    const refused = await refusal(text, limits);
    expect({ reason: refused.reason, byte: refused.byte }).toEqual({ reason: 'invalidJson', byte: 10 });
  });

  test('the defaults are 10 MiB and 100 levels', () => {
    expect(JSON_LIMITS).toEqual({ maxItemBytes: 10_485_760, maxDepth: 100 });
  });
});

describe('every array is read', () => {
  test.each([['[]'], [' [ ] '], ['\uFEFF[]'], ['\uFEFF \n[1]\n']])('%j', async (text) => {
    for (const size of [1, 2, 100]) {
      expect(await valuesOf(utf8(text), [size])).toEqual(JSON.parse(text.replace('\uFEFF', '')) as unknown[]);
    }
  });

  test('items are numbered from 0', async () => {
    expect(await allOf(read(utf8('[null,{"seq":7}]')))).toEqual([
      { index: 0, value: null, line: 1, end: 5, endLine: 1 },
      { index: 1, value: { seq: 7 }, line: 1, end: 15, endLine: 1 },
    ]);
  });

  test.each([
    ...['0', '-0', '-7', '1.10', '2.50e1', '0.0000001', '1e5', '1E5', '12e-3', '5e+2'],
    ...['999999999999999', '1234567890123456', '9007199254740993', '100000000000000000000'],
    ...['{"a":1,"b":true,"a":2}', '[{"a":[{"b":1,"b":2}]},false]', '{"a":"1.10, \\"b\\": 1e5"}'],
  ])('%s keeps its digits and reports its repeated members, for any chunks', async (text) => {
    const whole = readJsonText(text);
    for (const size of [1, 2, 3, 1000]) {
      const items = await allOf(read(utf8(`[${text},{"x":${text}},1234, ${text} ]`), [size]));
      expect(items.map(({ value }) => JSON.stringify(value))).toEqual([
        JSON.stringify(whole.value),
        JSON.stringify({ x: whole.value }),
        '1234',
        JSON.stringify(whole.value),
      ]);
      expect(items.map(({ repeated = [] }) => repeated.length)).toEqual([
        whole.repeated.length,
        whole.repeated.length,
        0,
        whole.repeated.length,
      ]);
    }
  });

  test('each with the line in which it starts, for any chunks of the file', async () => {
    const text = '\uFEFF\r\n[\r\n  {\n"a": 1\n}\n,\n\n 2, "ç\\n",\n[\n]]';
    for (const size of [1, 2, 7, 1000]) {
      const items = await allOf(read(utf8(text), [size]));
      expect(items.map(({ line, endLine }) => [line, endLine])).toEqual([
        [3, 6],
        [8, 8],
        [8, 8],
        [9, 10],
      ]);
    }
  });

  test('after any of its items, with the same result as from its start', async () => {
    await fc.assert(
      fc.asyncProperty(arrayText, chunkSizes, fc.boolean(), async (text, sizes, isMarked) => {
        const bytes = utf8(isMarked ? `\uFEFF${text}` : text);
        const items = await allOf(read(bytes));
        for (const [at, behind] of items.entries()) {
          const rest = readJsonArray(inChunks(bytes.subarray(behind.end), sizes), JSON_LIMITS, { behind });
          expect(await allOf(rest)).toEqual(items.slice(at + 1));
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a reading that continues where no item ended, or after the end, is refused', async () => {
    const from = (end: number) =>
      refusalOf(
        readJsonArray(inChunks(utf8('[1,2]').subarray(end)), JSON_LIMITS, {
          behind: { index: 0, end, endLine: 1 },
        }),
      );
    expect(await from(1)).toMatchObject({ reason: 'invalidJson', byte: 1 });
    expect(await from(5)).toMatchObject({ reason: 'truncated', byte: 5 });
  });

  test('an array that is only checked is refused for the same reasons', async () => {
    const judged = (text: string) =>
      allOf(readJsonArray(inChunks(utf8(text)), JSON_LIMITS, { judgesOnly: true })).then(
        (items) => items.length,
        (failure: UnreadableFile) => failure.message,
      );
    expect(await judged('[{"a":1,"a":2},1.10]')).toBe(2);
    for (const text of ['[1,]', '[{"a":}]', '[1 2]', '[1', '["\n"]'])
      expect(await judged(text)).toBe((await refusal(text)).message);
  });

  test('with any content, for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(arrayText, chunkSizes, async (text, sizes) => {
        expect(await valuesOf(utf8(text), sizes)).toEqual(JSON.parse(text) as unknown[]);
      }),
      { numRuns: 400 },
    );
  });

  test('an item larger than any chunk or window', async () => {
    const items = ['a'.repeat(1_000_000), 'ç"\\'.repeat(300_000), 1];
    expect(await valuesOf(utf8(JSON.stringify(items)), [65_536])).toEqual(items);
  });

  test('a reader that stops ends the source', async () => {
    let ended = false;
    const source = (async function* () {
      try {
        for (;;) yield utf8('[1,2,3,');
      } finally {
        ended = true;
      }
    })();
    for await (const { index } of readJsonArray(source)) if (index === 1) break;
    expect(ended).toBe(true);
  });
});

describe('a changed byte', () => {
  /** Returns the result of a reader that holds the whole file. */
  function readWhole(bytes: Uint8Array): unknown {
    try {
      const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      return Array.isArray(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }

  const changed = fc
    .tuple(
      arrayText,
      fc.nat(),
      fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...utf8('[]{},:"\\ -0e.tn'))),
    )
    .map(([text, at, byte]) => {
      const bytes = utf8(text);
      bytes[at % bytes.length] = byte;
      return bytes;
    });

  /** Converts preserved digits back to numbers. */
  const asNumbers = (values: unknown[]): unknown => JSON.parse(JSON.stringify(values));

  test('is read exactly as JSON.parse reads it, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(changed, chunkSizes, async (bytes, sizes) => {
        const expected = readWhole(bytes);
        if (expected === undefined) expect((await refusalOf(read(bytes, sizes))).message).not.toBe('');
        else expect(asNumbers(await valuesOf(bytes, sizes))).toEqual(expected as unknown[]);
      }),
      { numRuns: 1500 },
    );
  });

  /**
   * Returns true if some JSON array begins with `text`: tries to complete a token, then a member, then the
   * brackets.
   */
  function canGoOn(text: string): boolean {
    const tokens = [
      '',
      '"',
      '0',
      '\\"',
      'n"',
      '0"',
      '00"',
      '000"',
      '0000"',
      'rue',
      'ue',
      'e',
      'alse',
      'lse',
      'se',
      'ull',
      'll',
      'l',
    ];
    const members = ['', '1', ':1', '"":1', 'null'];
    const open: string[] = [];
    for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{}]/gs)) {
      if (sign === '{' || sign === '[') open.push(sign === '{' ? '}' : ']');
      else if (sign === '}' || sign === ']') open.pop();
    }
    const closed = open.reverse().join('');
    return tokens.some((token) =>
      members.some((member) => {
        try {
          return Array.isArray(JSON.parse(text + token + member + closed));
        } catch {
          return false;
        }
      }),
    );
  }

  test('is reported at the first byte after which no text could be valid', async () => {
    const ascii = fc
      .tuple(
        fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
        fc.nat(),
        fc.constantFrom(...Array.from('[]{},:"\\ -0e.tnx1\n')),
      )
      .map(([items, at, character]) => {
        const text = JSON.stringify(items).replace(/[^\x20-\x7e]/g, '?');
        return text.slice(0, at % text.length) + character + text.slice((at % text.length) + 1);
      })
      .filter((text) => readWhole(utf8(text)) === undefined && text.startsWith('['));
    await fc.assert(
      fc.asyncProperty(ascii, async (text) => {
        const { byte = -1, reason } = await refusal(text);
        if (reason === 'truncated') return expect(byte).toBe(text.length);
        expect({ text, byte, before: canGoOn(text.slice(0, byte)) }).toMatchObject({ before: true });
        expect({
          text,
          byte,
          with: canGoOn(text.slice(0, byte + 1)) && reason !== 'trailingData',
        }).toMatchObject({ with: false });
      }),
      { numRuns: 600 },
    );
  });
});

test('other work gets its turn while a large file is read', async () => {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, seq) => ({ seq, denominacao: 'Parafuso' })));
  let turns = 0;
  let isReading = true;
  const tick = (): void => {
    turns++;
    if (isReading) setImmediate(tick);
  };
  setImmediate(tick);
  await allOf(read(utf8(text)));
  isReading = false;
  expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / (128 * 1024)));
});
