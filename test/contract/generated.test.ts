/** Requirements of client generators for several languages on the document (contract section 12). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';
import type { Document } from './document.ts';

let server: TestApp;
let document: Document;
beforeAll(async () => {
  server = await openApp({});
  document = (await server.anybody.call('GET', '/openapi.json')).json;
});
afterAll(() => server.close());

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Yields each object of the document with the names that lead to it. */
function* objectsIn(
  value: unknown,
  path = '',
): Generator<readonly [string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Readonly<Record<string, unknown>>];
  for (const [name, one] of Object.entries(value)) yield* objectsIn(one, `${path}/${name}`);
}

test('no enumeration has a value without a name, or one called name', () => {
  const wrong = [...objectsIn(document)].filter(
    ([, { enum: values }]) => Array.isArray(values) && (values.includes('') || values.includes('name')),
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test('no member has two texts or several classes as alternatives: generators create one class of them', () => {
  const unions = [...objectsIn(document)].filter(([, { anyOf }]) => {
    const named = (anyOf as { readonly type?: string }[] | undefined)?.filter(({ type }) => type !== 'null');
    return named !== undefined && named.length > 1;
  });
  expect(unions.map(([path]) => path)).toEqual([]);
  const { email } = document.components.schemas['ForeignOperatorRequest']?.properties ?? {};
  expect(email).toMatchObject({ type: ['string', 'null'], format: 'email' });
});

test('bytes are binary strings, in requests and in answers; texts are plain strings', () => {
  const contents = operations().flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((one) =>
      Object.entries(one?.content ?? {}).map(([type, { schema }]) => ({ operationId, type, schema })),
    ),
  );
  const bytes = contents.filter(({ type }) => /zip|spreadsheet|octet-stream|pkcs/.test(type));
  expect(bytes.length).toBeGreaterThan(15);
  for (const one of bytes) expect(one).toMatchObject({ schema: { type: 'string', format: 'binary' } });
  for (const one of contents.filter(({ type }) => type === 'text/csv'))
    expect(one.schema.type).toBe('string');
});

test('every operation has a unique identifier in camel case, also without regard to case', () => {
  const ids = operations().map(({ operationId }) => operationId);
  expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
});
