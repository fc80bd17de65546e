/** Check digits of CPF and CNPJ (contract section 1). */
import { describe, expect, test } from 'bun:test';
import { hasValidCheckDigits } from '../../src/validation/check-digits.ts';

const VALID = {
  CPF: ['00000000191', '00000000272', '52998224725', '12345678909'],
  CNPJ: ['12345678000195', '11222333000181', '00000000000191', '87654321000198'],
  'alphanumeric CNPJ': ['12ABC34501DE35'],
} as const;

for (const [kind, documents] of Object.entries(VALID)) {
  describe(kind, () => {
    test('any other pair of check digits is refused', () => {
      for (const documento of documents) {
        const rest = documento.slice(0, -2);
        const accepted = Array.from(
          { length: 100 },
          (_, pair) => rest + String(pair).padStart(2, '0'),
        ).filter(hasValidCheckDigits);
        expect(accepted).toEqual([documento]);
      }
    });
  });
}

test('a number of one repeated digit is refused, though its sum is valid', () => {
  for (const digit of '0123456789') {
    expect(hasValidCheckDigits(digit.repeat(11))).toBe(false);
    expect(hasValidCheckDigits(digit.repeat(14))).toBe(false);
  }
});

test('a remainder of 1 gives the digit 0, one of 2 the digit 9', () => {
  expect(hasValidCheckDigits('00000000604')).toBe(true); // 6 × 2 = 12
  expect(hasValidCheckDigits('00000000191')).toBe(true); // 1 × 2 = 2
});
