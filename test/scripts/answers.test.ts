/**
 * scripts/answers.ts: the schemas of the document as types. `bun run types` checks that the pages agree
 * with them.
 */
import { expect, test } from 'bun:test';
import { typeOf, typesOf } from '../../scripts/answers.ts';

test('texts, numbers, nullable values, lists and names of other schemas become types', () => {
  expect(typeOf({ type: 'string' })).toBe('string');
  expect(typeOf({ type: ['integer', 'null'] })).toBe('number | null');
  expect(typeOf({ type: ['array', 'null'], items: { $ref: '#/components/schemas/Problem' } })).toBe(
    'readonly (Problem)[] | null',
  );
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('string | null');
  expect(typeOf({ type: 'string', enum: ['PRIV', 'PUBL'] })).toBe('"PRIV" | "PUBL"');
  expect(typeOf({})).toBe('unknown');
});

test('an object has its optional members, and a map the type of its values', () => {
  const object = { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: {} } };
  expect(typeOf(object)).toBe('{\n  readonly "a": string;\n  readonly "b"?: unknown;\n}');
  expect(typeOf({ type: 'object', additionalProperties: { type: 'number' } })).toBe(
    'Readonly<Record<string, number>>',
  );
});

test('an unknown keyword is refused', () => {
  const schema: object = { allOf: [{ type: 'string' }] };
  expect(() => typeOf(schema)).toThrow('no type is known for allOf');
});

test('an operation has the type of its successes, and none of its refusals', () => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const responses = { 200: json({ type: 'string' }), 204: {}, 400: json({ type: 'number' }) };
  const zip = { 200: { content: { 'application/zip': { schema: {} } } } };
  expect(
    typesOf({
      paths: {
        '/a': { get: { operationId: 'getA', responses }, post: { operationId: 'zipA', responses: zip } },
      },
      components: { schemas: { A: { type: 'boolean' } } },
    }),
  ).toBe(
    'export type A = boolean;\nexport interface Answers {\n  readonly getA: string | undefined;\n  readonly zipA: string;\n}\n',
  );
});
