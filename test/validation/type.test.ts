/** The schemas of `t` are those of TypeBox. */
import { expect, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { t } from '../../src/validation/type.ts';

test('each builder makes the schema that TypeBox makes, in the same order', () => {
  const formsOf = (by: typeof t) => {
    const record = by.Object(
      { a: by.String({ minLength: 1 }), b: by.Optional(by.Integer({ minimum: 0 })), c: by.Null() },
      { description: 'record', additionalProperties: false },
    );
    return [
      record,
      by.Object({ a: by.Optional(by.Boolean()) }),
      by.Array(record, { maxItems: 3 }),
      by.Omit(record, ['a']),
      by.Pick(record, ['b']),
      by.Partial(record, { description: 'partial' }),
      by.Required(record),
      by.Record(by.String(), by.Number(), { description: 'by name' }),
      by.Union([by.String(), by.Null()], { description: 'either' }),
      by.Unknown(),
      by.Unsafe<'x'>({ type: 'string', enum: ['x'] }),
    ].map((form) => JSON.stringify(form));
  };
  expect(formsOf(t)).toEqual(formsOf(Type));
});
