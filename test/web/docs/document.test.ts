import { describe, expect, test } from 'bun:test';
import {
  entriesOf,
  exampleOf,
  sampleOf,
  type Document,
} from '../../../src/web/serving/reference/document.ts';

const NODE = {
  type: 'object',
  properties: { name: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
};

const document: Document = {
  info: { title: 'T', version: '1' },
  security: [{ token: [] }],
  paths: {
    '/a/{id}': {
      get: {
        operationId: 'findA',
        tags: ['A'],
        parameters: [{ name: 'id', in: 'path', required: true }],
        responses: { 200: { description: 'fine' } },
      },
      delete: { operationId: 'removeA', security: [], responses: {} },
    },
  },
};

/** Returns a document whose only operation takes a form, which may refer to others. */
const taking = (schema: object): Document =>
  ({
    ...document,
    paths: {
      '/a': { post: { operationId: 'a', requestBody: { content: { 'application/json': { schema } } } } },
    },
    components: { schemas: { Node: NODE, 'a/b': { default: 7 } } },
  }) as Document;

const sampled = (schema: object): unknown => {
  const [entry] = entriesOf(taking(schema));
  return sampleOf(entry?.body?.content?.['application/json']?.schema ?? {});
};

describe('the entries of a document', () => {
  test('a missing target of a reference is named', () => {
    expect(() => entriesOf(taking({ $ref: '#/components/schemas/Missing' }))).toThrow(
      '#/components/schemas/Missing',
    );
  });

  test('are its operations, with any other members omitted', () => {
    const [find, remove] = entriesOf(document);
    expect(find).toMatchObject({ id: 'findA', method: 'GET', tag: 'A', secured: true, summary: '' });
    expect(find?.parameters.map(({ name }) => name)).toEqual(['id']);
    expect(find?.answers).toEqual([['200', { description: 'fine' }]]);
    expect(remove).toMatchObject({ id: 'removeA', method: 'DELETE', tag: 'Outras', secured: false });
  });
});

describe('the example of a form', () => {
  test('is the one of the document, in preference to a generated one', () => {
    expect(exampleOf({ example: 1, schema: { type: 'string' } })).toBe(1);
    expect(exampleOf({ schema: { type: 'string', examples: ['x'] } })).toBe('x');
  });

  test('is generated from the members and alternatives of its schema', () => {
    expect(
      sampled({
        properties: {
          a: { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 3 }] },
          b: { type: 'array', items: { enum: ['x', 'y'] } },
          c: { $ref: '#/components/schemas/a~1b' },
        },
      }),
    ).toEqual({ a: 3, b: ['x'], c: 7 });
  });

  test('ends where a schema contains itself', () => {
    expect(JSON.stringify(sampled({ $ref: '#/components/schemas/Node' }))).toStartWith(
      '{"name":"texto","next":{"name":"texto"',
    );
  });
});
