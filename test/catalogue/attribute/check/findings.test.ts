import { describe, expect, test } from 'bun:test';
import { ATTRIBUTE_CODES, TABLE_CODES } from '../../../../src/catalogue/attribute/words/codes.ts';
import { MAX_PROBLEMS } from '../../../../src/catalogue/attribute/check/findings.ts';
import { prepare } from '../../../../src/catalogue/attribute/check/prepare.ts';
import { check } from '../../../../src/catalogue/attribute/check/rules.ts';
import { NO_ATTRIBUTES } from '../support.ts';

const noPairs = prepare({ codigoNcm: '05040011', listaAtributos: [] }, new Map());
const unknownAttributes = (count: number) => ({
  ...NO_ATTRIBUTES,
  atributos: Array.from({ length: count }, (_, index) => ({ atributo: `ATT_${index}`, valor: 'x' })),
});

describe('the problems of a product', () => {
  test('are cut at the limit, and complete up to it', () => {
    for (const [count, expected] of [
      [MAX_PROBLEMS - 1, MAX_PROBLEMS - 1],
      [MAX_PROBLEMS, MAX_PROBLEMS],
      [MAX_PROBLEMS + 1, MAX_PROBLEMS],
      [100_000, MAX_PROBLEMS],
    ] as const)
      expect(check(noPairs, '2026-11-20', 'AMBOS', unknownAttributes(count))).toHaveLength(expected);
  });

  test('have codes of their own, within their range', () => {
    const codes = [...Object.values(ATTRIBUTE_CODES), ...Object.values(TABLE_CODES)].map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^CATP-ER11\d\d$/);
  });
});
