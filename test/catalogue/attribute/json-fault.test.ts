import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { jsonFault } from '../../../src/catalogue/attribute/json-fault.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with one piece replaced: mostly broken, sometimes not. */
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

describe('the place where a text stops being JSON', () => {
  test('is found exactly when the parser refuses the text', () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        expect(jsonFault(encode(text)) === undefined).toBe(isJson(text.toWellFormed()));
      }),
      { numRuns: 3000 },
    );
  });

  test('comes no later than the first byte that no JSON can have there: all before it can be completed', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const bytes = encode(json.toWellFormed());
        const cut = bytes.subarray(0, at % bytes.length);
        const fault = jsonFault(cut);
        // A prefix of JSON is JSON, ends too early, or ends within a number or word that was just begun.
        if (fault !== undefined && fault.byte < cut.length)
          expect(/^[-+.eE0-9a-z]*$/.test(new TextDecoder().decode(cut.subarray(fault.byte)))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
