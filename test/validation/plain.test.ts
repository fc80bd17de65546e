/** The quick answer to "is there anything to decode?" never differs from decoding. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { productSchemas } from '../../src/catalogue/product/model.ts';
import { catalogueRules } from '../../src/catalogue/catalogue.ts';
import { readSettings } from '../../src/config.ts';
import { decodeThoroughly } from '../../src/validation/decode.ts';
import { isPlain } from '../../src/validation/plain.ts';
import { type Schema, asSchema } from '../../src/validation/schema.ts';

const rules = catalogueRules(readSettings({ environment: {}, commandLine: [] }));
const PRODUCT = asSchema(productSchemas(rules).Request);

const TEXT: Schema = { type: 'string', minLength: 2, maxLength: 3, pattern: '^[A-Za-z😀]*$' };
const KEYWORDS: Schema = {
  type: 'object',
  required: ['text', 'list'],
  properties: {
    text: TEXT,
    word: { type: 'string', enum: ['SIM', 'NÃO'], 'x-any-case': true },
    value: { type: 'string', 'x-textual': true },
    checked: { type: 'string', 'x-check': (text) => text !== 'xx' },
    faulty: { type: 'string', 'x-faults': (text) => (text === 'yy' ? ['faulty: não.'] : []) },
    kept: { type: 'string', 'x-keeps-empty': true },
    count: { type: 'integer', minimum: 1, maximum: 3 },
    flag: { type: 'boolean' },
    any: {},
    list: { type: 'array', minItems: 1, maxItems: 2, items: TEXT },
    apart: { type: 'array', maxItems: 1, items: TEXT, 'x-items-apart': true },
  },
  'x-ignored': ['old'],
};

/** What may stand anywhere, right or wrong: the values on which the keywords part. */
const leaf = fc.oneof(
  fc.constantFrom(
    '',
    'ab',
    'abc',
    'abcd',
    '😀😀',
    '😀😀😀😀',
    'a1',
    'sim',
    'SIM',
    'xx',
    'yy',
    'a\0',
    '\ud800',
    '07',
  ),
  fc.constantFrom(null, true, false, 0, 1, 3, 4, 1.5, -1),
);
const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.constant({}), fc.constant({ a: null }));

/** The answer of the slow way: nothing wrong, and given back as it came. */
function isUnchanged(schema: Schema, received: unknown): boolean {
  const { value: decoded, problems } = decodeThoroughly(schema, received);
  return problems.length === 0 && Bun.deepEquals(decoded, received, true);
}

describe('a value is plain only when decoding leaves it as it is', () => {
  test('of a schema with every keyword', () => {
    const names = [...Object.keys(KEYWORDS.properties ?? {}), 'old', 'unknown', '__proto__'];
    const body = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 2 });
    let plain = 0;
    fc.assert(
      fc.property(body, (members) => {
        const received = JSON.parse(JSON.stringify({ text: 'ab', list: ['ab'] })) as Record<string, unknown>;
        for (const [name, member] of members)
          Object.defineProperty(received, name, {
            value: member,
            enumerable: true,
            configurable: true,
            writable: true,
          });
        if (!isPlain(KEYWORDS, received)) return;
        plain += 1;
        expect(isUnchanged(KEYWORDS, received)).toBe(true);
      }),
      { numRuns: 10_000 },
    );
    expect(plain).toBeGreaterThan(500);
  });
});

describe('a whole product', () => {
  const whole = {
    denominacao: 'Parafuso',
    descricao: 'Parafuso de aço',
    modalidade: 'IMPORTACAO',
    ncm: '73181500',
    atributos: [{ atributo: 'ATT_1', valor: '01' }],
    atributosMultivalorados: [{ atributo: 'ATT_2', valores: ['01', '02'] }],
    codigosInterno: ['SKU-1'],
  };

  test('is plain', () => {
    expect(isPlain(PRODUCT, whole)).toBe(true);
  });

  test.each([
    ['an unknown member', { ...whole, cor: 'azul' }],
    ['a member that is null', { ...whole, descricao: null }],
    ['an empty text', { ...whole, descricao: '' }],
    ['a number for a text', { ...whole, atributos: [{ atributo: 'ATT_1', valor: 1 }] }],
    ['a member that is missing', { descricao: 'Sem denominação' }],
    ['a text with NUL', { ...whole, denominacao: 'a\0' }],
    ['a text that is too long', { ...whole, denominacao: 'a'.repeat(rules.denominacaoMax + 1) }],
    ['a list for a text', { ...whole, denominacao: ['Parafuso'] }],
    ['an object for a list', { ...whole, atributos: {} }],
    ['a list for an object', []],
    ['nothing', null],
  ])('with %s is not', (_, received) => {
    expect(isPlain(PRODUCT, received)).toBe(false);
  });
});
