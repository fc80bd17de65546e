import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { judgeJson } from '../../src/validation/json-fault.ts';
import { parseJson } from '../../src/files/json-file.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Generates JSON with one piece replaced: mostly invalid, sometimes valid. */
const nearlyJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '"', ',', ':', '{', '}', '[', ']', '0', '-', '\\', ' ', 'e1', '\n', 'é'),
  )
  .map(([json, at, cut, piece]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + piece + json.slice(place + cut);
  });

describe('the position at which a text stops being JSON', () => {
  test('is found exactly if the parser refuses the text', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        expect(judgeJson(encode(text)) === 'complete').toBe(isJson(text.toWellFormed()));
      }),
      { numRuns: 3000 },
    );
  });

  test('is not found in a beginning of a JSON text, which is only incomplete', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const bytes = encode(json.toWellFormed());
        const cut = bytes.subarray(0, at % bytes.length);
        expect(['complete', 'incomplete']).toContain(judgeJson(cut) as string);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a JSON file', () => {
  test('counts its byte order mark in the position of a fault', () => {
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...encode('[1,2}')]);
    expect(parseJson(marked)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^JSON inválido no byte 7: /),
    });
    expect(parseJson(marked.subarray(0, 7))).toEqual({
      ok: false,
      reason: 'JSON inválido no byte 7: o arquivo termina antes do fim do valor (linha 1, coluna 5).',
    });
  });

  test('that is not UTF-8 is refused at the first byte of the invalid character', () => {
    expect(parseJson(new Uint8Array([0x5b, 0x22, 0xc3, 0x22, 0x5d]))).toEqual({
      ok: false,
      reason: expect.stringContaining('no byte 2'),
    });
  });
});
