import { describe, expect, test } from 'bun:test';
import { rateOf, remainingInWords, seenToo } from '../../../src/web/importar/importacao/pace.ts';
import { itemsOf, textOfItems } from '../../../src/web/importar/importacao/sent-items.ts';
import { zipSync } from 'fflate';

const upload = (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  ({ kind: 'produto', mode: 'lote', file: new File([content], name) }) as const;

describe('the pace of an import', () => {
  test('is told once two moments were seen', () => {
    const first = seenToo([], { at: 1000, processed: 500 });
    expect(rateOf(first)).toBeUndefined();
    const second = seenToo(first, { at: 3000, processed: 1500 });
    expect(rateOf(second)).toBe(500);
    expect(seenToo(second, { at: 9000, processed: 1500 })).toBe(second);
  });

  test.each([
    [10, 10, 'menos de 5 segundos'],
    [50, 10, 'cerca de 5 segundos'],
    [890, 10, 'cerca de 90 segundos'],
    [900, 10, 'cerca de 2 minutos'],
    [36_000 * 3, 10, 'cerca de 3 horas'],
  ])('%d left at %d a second: %s', (left, rate, words) => expect(remainingInWords(left, rate)).toBe(words));
});

describe('the items that were sent', () => {
  test('are read from JSON and from all members of a zip, in their order', async () => {
    const encode = (items: unknown) => new TextEncoder().encode(JSON.stringify(items));
    expect(await itemsOf(upload('a.json', '[{"seq":1}]'))).toEqual([{ seq: 1 }]);
    const zip = zipSync({
      'a.json': encode([{ seq: 1 }]),
      'b.json': encode([{ seq: 2 }, { seq: 3 }]),
      'leia.txt': encode('x'),
    });
    expect(await itemsOf(upload('a.zip', zip))).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }]);
    expect(await itemsOf(upload('a.json', '[{'))).toBeUndefined();
  });

  test('stand in their lines again when some are sent again', () => {
    const text = textOfItems([
      { line: 3, item: { seq: 1 } },
      { line: 3, item: { seq: 2 } },
      { line: 7, item: { seq: 3 } },
    ]);
    expect(JSON.parse(text)).toHaveLength(3);
    expect(text.split('\n').map((line) => line.includes('seq'))).toEqual([
      false,
      false,
      true,
      false,
      false,
      false,
      true,
    ]);
  });
});
