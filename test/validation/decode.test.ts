/** Reading a value against a schema: every problem at once, absent members left out (contract sections 3 and 4). */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { decode } from '../../src/validation/decode.ts';
import { asSchema } from '../../src/validation/schema.ts';
import { t } from '../../src/validation/type.ts';

const Person = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 5 }),
    age: t.Optional(t.Integer({ minimum: 0, maximum: 150 })),
    tags: t.Optional(t.Array(t.String({ maxLength: 3 }), { maxItems: 2 })),
    kind: t.Optional(t.Unsafe<string>({ type: 'string', enum: ['ONE', 'TWO'], 'x-any-case': true })),
    value: t.Optional(t.String({ 'x-textual': true })),
    active: t.Optional(t.Boolean()),
  },
  { additionalProperties: false, 'x-ignored': ['dropped'] },
);

const problemPaths = (schema: TSchema, value: unknown): (string | null)[] =>
  decode(asSchema(schema), value).problems.map(({ path }) => path);
const read = (value: unknown): unknown => decode(asSchema(Person), value).value;

describe('problems', () => {
  test('of all members are reported at once, each with its pointer', () => {
    const value = {
      name: 'too long',
      age: -1,
      tags: ['long one', 'x'],
      kind: 'THREE',
      active: 'true',
      'a/b': 1,
    };
    expect(problemPaths(Person, value)).toEqual(['/name', '/age', '/tags/0', '/kind', '/active', '/a~1b']);
    expect(problemPaths(Person, { name: 'a', tags: ['x', 'y', 'z'] })).toEqual(['/tags']);
  });

  test('describe the size of a text in words', () => {
    const messages = (value: unknown): string[] =>
      decode(asSchema(Person), value).problems.map(({ message }) => message);
    expect(messages({ tags: [1] })).toEqual([
      'tags: recebido 1; aceita um texto com no máximo 3 caracteres.',
      'name: membro obrigatório ausente; informe um texto de 1 a 5 caracteres.',
    ]);
  });

  test('of a missing member point to its place', () => {
    for (const value of [{}, { name: null }, { name: '' }])
      expect(problemPaths(Person, value)).toEqual(['/name']);
  });

  test.each([[null], [[]], ['x'], [1], [true]])('the body %p is no object', (value) => {
    expect(problemPaths(Person, value)).toEqual(['']);
  });

  test.each([1.5, '1.0', '-1', '+1', ' 1', '1e1', '', '151', '0'.repeat(17), Number.NaN, 151, -1, 2 ** 53])(
    '%p is no age',
    (age) => {
      expect(problemPaths(Person, { name: 'a', age })).toEqual(['/age']);
    },
  );

  test.each([
    ['12', 12],
    ['0', 0],
    ['0000000000000150', 150],
  ])('%p is the age %p', (age, read) => {
    expect(decode(asSchema(Person), { name: 'a', age })).toEqual({
      value: { name: 'a', age: read },
      problems: [],
    });
  });

  test('lengths are counted in code points', () => {
    expect(problemPaths(Person, { name: '𝄞𝄞𝄞𝄞𝄞' })).toEqual([]);
    expect(problemPaths(Person, { name: '𝄞𝄞𝄞𝄞𝄞x' })).toEqual(['/name']);
  });

  test.each(['a\0', '\ud800', '\udc00a'])('%p cannot be stored unchanged', (name) => {
    expect(problemPaths(Person, { name })).toEqual(['/name']);
  });

  test('suggest the nearest of the known members and values', () => {
    const { problems } = decode(asSchema(Person), { nam: 'a', name: 'a', kind: 'TWOO' });
    expect(problems.map(({ message }) => message)).toEqual([
      'Membro desconhecido "nam". Você quis dizer \'name\'?',
      'kind: recebido "TWOO"; aceita ONE, TWO. Você quis dizer TWO?',
    ]);
  });

  test('show at most 100 characters of the received value, however large or deep it is', () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    for (const name of [
      'x'.repeat(1_000_000),
      deep,
      Array(1_000_000).fill(1),
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [index, index])),
    ]) {
      const [problem] = decode(asSchema(Person), { name }).problems;
      expect(problem?.message.length).toBeLessThan(200);
    }
  });
});

describe('a decoded value', () => {
  test('omits absent and ignored members, and no others', () => {
    expect(read({ name: 'a', age: null, kind: '', tags: [], dropped: 1 })).toEqual({ name: 'a', tags: [] });
  });

  test('accepts an enumeration in any case if the schema allows it, and numbers as their text', () => {
    expect(read({ name: 'a', kind: 'one', value: 1.5 })).toEqual({ name: 'a', kind: 'ONE', value: '1.5' });
    expect(read({ name: 'a', value: false })).toEqual({ name: 'a', value: 'false' });
  });

  test('has no member of the prototype', () => {
    const value = JSON.parse('{"name":"a","__proto__":{"age":1},"constructor":1}') as unknown;
    expect(problemPaths(Person, value)).toEqual(['/__proto__', '/constructor']);
    expect(({} as Record<string, unknown>)['age']).toBeUndefined();
  });

  test('decodes to the same again, and never throws', () => {
    const lawful = fc.record({ name: fc.string({ minLength: 1, maxLength: 3 }) });
    const nearly = fc.record({ name: fc.jsonValue(), tags: fc.jsonValue() });
    const counts = { read: 0, refused: 0 };
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearly, lawful), (value) => {
        const first = decode(asSchema(Person), value);
        counts[first.problems.length === 0 ? 'read' : 'refused'] += 1;
        if (first.problems.length === 0) expect(decode(asSchema(Person), first.value)).toEqual(first);
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(0);
  });
});
