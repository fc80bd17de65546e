/** Values for a schema, mostly valid, so that requests pass the first check. */
import type { TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import type { Schema } from '../../src/validation/schema.ts';

type Form = Schema & { readonly examples?: readonly unknown[]; readonly anyOf?: readonly Form[] };

/** Values that match records of other requests. No user that signs in during the test is among them. */
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  cpfCnpjRaiz: ['12345678', '12345678', '87654321', '11222333'],
  codigoPais: ['DE', 'DE', 'BR', 'FR', 'XX'],
  paisOrigem: ['DE', 'BR'],
  codigoProduto: [1, 1, 2, 3, 50],
  codigoOperadorEstrangeiro: ['OPE_1', 'OPE_2', '000'],
  operadorEstrangeiroCodigo: ['OPE_1', 'TIN'],
  codigoSubdivisaoPais: ['DE-BY', 'BR-SP', 'XX'],
  cpfCnpjFabricante: ['12345678000195', '00000000000'],
  versao: ['1', '1', '1.1', '2', '9'],
  dataReferencia: ['2026-01-15', '2026-01-14', '2025-02-28', '2026-01-16', '9999-12-31', '0001-01-01'],
  documento: ['00000000272', '52998224725', '12345678000195'],
  clientId: ['demo2', 'other'],
  tin: ['TIN', 'TIN2'],
  ncm: ['73181500', '73181500', '39269090'],
  email: ['a@muster.example', 'a'],
  endpoint: ['https://erp.invalid/x', 'https://erp.invalid:443', 'http://erp.invalid', 'https://127.0.0.1/'],
  evento: ['made-up-event', 'another'],
  id: [1, 1, 2, 3, 9999999999],
  outcome: ['failed', 'created'],
  set: ['2026-01-15T12:00:00Z'],
  advance: ['PT0S', 'PT1S'],
};

const NUMBERED = ['OPE_1', 'OPE_1', 'OPE_2', 'OPE_9'];
const DAYS = ['2026-01-15', '2026-01-14', '2026-01-31', '2024-02-29', '0001-01-01', '9999-12-31'];

export const valueOf = (schema: TSchema, name = ''): fc.Arbitrary<unknown> => formed(schema, name);

function formed(form: Form, name: string): fc.Arbitrary<unknown> {
  if (name === 'codigo')
    return form.type === 'integer' ? fc.integer({ min: 1, max: 30 }) : fc.constantFrom(...NUMBERED);
  if (name === 'seq') return fc.integer({ min: 1, max: 999 });
  const examples = KNOWN[name];
  if (examples !== undefined) return fc.constantFrom(...examples);
  if (form.anyOf !== undefined) return fc.oneof(...form.anyOf.map((one) => formed(one, '')));
  if (form.enum !== undefined) return fc.constantFrom(...form.enum);
  switch (form.type) {
    case 'object':
      return objectOf(form);
    case 'array':
      return fc.array(formed(form.items ?? {}, ''), { maxLength: 4 });
    case 'integer':
      return fc.integer({ min: form.minimum ?? 0, max: Math.min(form.maximum ?? 1000, 2 ** 31 - 1) });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(form);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(form: Form): fc.Arbitrary<unknown> {
  const members = Object.entries(form.properties ?? {}).map(
    ([name, member]) => [name, formed(member, name)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: [...(form.required ?? [])] });
}

function textOf(form: Form): fc.Arbitrary<unknown> {
  if (form.pattern !== undefined) return fc.stringMatching(new RegExp(form.pattern));
  if (form['x-check'] !== undefined) return fc.constantFrom(...DAYS, ...((form.examples ?? []) as string[]));
  const text = fc.string({
    unit: 'grapheme',
    minLength: form.minLength ?? 0,
    maxLength: Math.min(form.maxLength ?? 20, 20),
  });
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom('A', 'B', 'Parafuso', 'á%_') }, text);
}

/** Values that no member accepts. */
export const STRANGE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    [],
    {},
    [[]],
    true,
    -0,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    9_999_999_999,
    10_000_000_000,
  ),
  fc.constantFrom<unknown>(
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '%00',
    "' OR 1=1 --",
    'NaN',
    '1e999',
    '-0',
    '١',
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(61),
    'x'.repeat(3701),
    '𝄞'.repeat(3700),
    '9'.repeat(400),
    '2026-02-30',
    '0000-00-00',
  ),
  fc.constantFrom<unknown>(
    { __proto__: null, toString: 1 },
    { constructor: { prototype: {} } },
    [null],
    ['', ''],
    [[[[1]]]],
  ),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
);
