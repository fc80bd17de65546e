/** A signature never excludes a text that contains the searched one: it can only match too many. */
import { describe, expect, test } from 'bun:test';
import { SeededRandom } from '../../src/seeded-random.ts';
import { type Signature, signatureOf } from '../../src/validation/trigrams.ts';

const holds = (whole: Signature, part: Signature): boolean =>
  (whole.low & part.low) === part.low && (whole.high & part.high) === part.high;

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz0123456789 -"\\çß中𝒳');

function randomText(random: SeededRandom, most: number): string {
  return Array.from({ length: random.below(most) }, () => random.pick(LETTERS)).join('');
}

describe('the signature of a text', () => {
  test('has every bit of each of its parts', () => {
    for (let round = 0; round < 500; round += 1) {
      const random = new SeededRandom('signature', 'text', round);
      const text = randomText(random, 80);
      const from = random.below(text.length + 1);
      const part = text.slice(from, from + random.below(20));
      expect([text, part, holds(signatureOf([text]), signatureOf([part]))]).toEqual([text, part, true]);
      expect(holds(signatureOf(['outro', text]), signatureOf([part]))).toBe(true);
    }
  });

  test('lacks a bit of nearly every word that it does not contain', () => {
    const text = signatureOf(['parafuso sextavado de aco inoxidavel', '73181500']);
    const words = Array.from({ length: 1000 }, (_, index) => {
      const random = new SeededRandom('signature', 'word', index);
      return Array.from({ length: 8 }, () => random.pick(LETTERS)).join('');
    });
    expect(words.filter((word) => holds(text, signatureOf([word]))).length).toBeLessThan(20);
  });

  test.each(['', 'a', 'ab'])('of %p is empty, of three letters it is not', (short) => {
    expect(signatureOf([short])).toEqual({ low: 0n, high: 0n });
    expect(signatureOf([`${short}abc`.slice(0, 3)])).not.toEqual({ low: 0n, high: 0n });
  });
});
