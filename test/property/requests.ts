/** Requests to an operation: valid ones from its schemas, and variants by careless or hostile callers. */
import type { TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import type { Operation } from '../../src/http/operation.ts';
import type { Caller } from '../../src/session/model.ts';
import { STRANGE, valueOf } from './values.ts';

export type Who = 'right' | 'stranger' | 'nobody';

export interface SampleRequest {
  readonly who: Who;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

type Anything = Record<string, unknown>;

export function requestsOf(operation: Operation<Caller>): fc.Arbitrary<SampleRequest> {
  return fc
    .record({
      who: fc.oneof(
        { weight: 12, arbitrary: fc.constant<Who>('right') },
        fc.constantFrom<Who>('stranger', 'nobody'),
      ),
      method: fc.oneof(
        { weight: 30, arbitrary: fc.constant(operation.method) },
        fc.constantFrom('PATCH', 'HEAD', 'OPTIONS', 'DELETE'),
      ),
      path: pathOf(operation),
      query: queryOf(operation.query),
      type: contentType(operation),
      body: bodyOf(operation),
    })
    .map(({ who, method, path, query, type, body }) => ({
      who,
      method,
      path: path + query,
      headers: type === undefined ? {} : { 'content-type': type },
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
    }));
}

/** Keeps three in four unchanged. */
const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: bad });

const BAD_STEP = fc.oneof(
  fc.constantFrom(
    '%',
    '%ff',
    '%00',
    '%2F',
    '..',
    '.',
    '',
    '%E0%A4',
    'é',
    '0',
    '-1',
    '1e3',
    'null',
    'undefined',
    '%25',
    '*',
    ':x',
    '__proto__',
  ),
  fc.constantFrom('9'.repeat(40), 'x'.repeat(3000), '2026-02-30', '9999-12-31', '1.1.1'),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);

function pathOf({ path, params }: Operation<Caller>): fc.Arbitrary<string> {
  const members = (params?.['properties'] ?? {}) as Record<string, TSchema>;
  const steps = path.split('/').map((step) => {
    if (!step.startsWith(':')) return fc.constant(step);
    const good = valueOf(members[step.slice(1)] ?? ({ type: 'string' } as never), step.slice(1));
    return mostly(
      good.map((value) => encodeURIComponent(String(value).toWellFormed())),
      BAD_STEP,
    );
  });
  return fc.tuple(...steps).chain((parts) => {
    const whole = fc.constant(parts.join('/'));
    return fc.oneof(
      { weight: 40, arbitrary: whole },
      whole.map((one) => `${one}/`),
      whole.map((one) => `${one}//x`),
      whole.map((one) => one.toUpperCase()),
    );
  });
}

const BAD_QUERY = fc.constantFrom(
  '%',
  '%00',
  '%ff',
  '&&=&',
  '=x',
  'a=b',
  '__proto__=1',
  'constructor=1',
  '%5B%5D=1',
  'x'.repeat(5000),
  '#',
);

function queryOf(schema: TSchema | undefined): fc.Arbitrary<string> {
  const members = (schema?.['properties'] ?? {}) as Record<string, TSchema>;
  const required = (schema?.['required'] as string[] | undefined) ?? [];
  const parameters = Object.entries(members).map(([name, member]) =>
    fc
      .record({
        shown: required.includes(name) ? fc.integer({ min: 0, max: 30 }) : fc.integer({ min: 0, max: 3 }),
        value: mostly(valueOf(member, name), STRANGE),
        times: fc.integer({ min: 0, max: 25 }),
      })
      .map(({ shown, value, times }) => {
        if (required.includes(name) ? shown === 0 : shown < 3) return [];
        const text = `${name}=${encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed())}`;
        return times === 0 ? [text, text] : [text];
      }),
  );
  return fc
    .tuple(fc.tuple(...parameters), fc.oneof({ weight: 20, arbitrary: fc.constant('') }, BAD_QUERY))
    .map(([pairs, bad]) => [...pairs.flat(), ...(bad === '' ? [] : [bad])].join('&'))
    .map((query) => (query === '' ? '' : `?${query}`));
}

const BAD_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  'multipart/form-data',
  '*/*',
  ';',
  'x',
  'application/json; charset=utf-16',
];

function contentType({ bodyForm, accepts }: Operation<Caller>): fc.Arbitrary<string | undefined> {
  const good =
    bodyForm === 'raw' && accepts.length > 0
      ? accepts
      : ['application/json', 'application/json; charset=utf-8', undefined];
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom<string | undefined>(...good) },
    { weight: 1, arbitrary: fc.constantFrom<string | undefined>(...BAD_TYPES, undefined) },
  );
}

type Body = string | Uint8Array<ArrayBuffer> | undefined;

function bodyOf({ body, bodyForm }: Operation<Caller>): fc.Arbitrary<Body> {
  if (bodyForm === 'raw') return fc.oneof(fc.constant(undefined), GARBAGE, fc.jsonValue().map(printed));
  if (body === undefined) return mostly<Body>(fc.constant(undefined), GARBAGE);
  const value = valueOf(itemsGiven(body));
  return fc.oneof<[fc.WeightedArbitrary<Body>, ...fc.WeightedArbitrary<Body>[]]>(
    { weight: 6, arbitrary: value.map(printed) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(value, fc.array(CHANGE, { minLength: 1, maxLength: 3 }))
        .map(withChanges)
        .map(printed),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          value.map(printed),
          fc.nat(),
          fc.constantFrom('', ',', '}', '"', '\\', '\u0000', '1e999', ']', '-'),
        )
        .map(cut),
    },
    { weight: 1, arbitrary: GARBAGE },
  );
}

/** Limits a list to a few items. */
const itemsGiven = (schema: TSchema): TSchema => ({ ...schema, minItems: 0 });

const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

const GARBAGE: fc.Arbitrary<Body> = fc.oneof(
  fc.constantFrom<Body>(
    '',
    ' ',
    'null',
    '[]',
    '{}',
    '"',
    '{"a":',
    'NaN',
    '1e999',
    '-0',
    '\ufeff{}',
    '[1,]',
    '{"__proto__":{}}',
    '{"a":1,"a":2}',
  ),
  fc.constantFrom<Body>(
    deep('[', ']', 5000),
    deep('{"a":', '}', 1000),
    '['.repeat(100_000),
    deep('[', ']', 100_000),
  ),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => new Uint8Array(bytes)),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
);

interface Change {
  readonly kind: 'replace' | 'remove' | 'add' | 'wrap' | 'alias';
  readonly where: number;
  readonly name: string;
  readonly value: unknown;
}

const CHANGE: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'alias'),
  where: fc.nat(),
  name: fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'Denominacao',
    'a/b~c',
    '',
    '\u0000',
    'x'.repeat(300),
    'length',
    'inicioVigencia',
  ),
  value: STRANGE,
});

/** Changes parts of a value: members and items are numbered in document order. */
function withChanges([value, changes]: [unknown, readonly Change[]]): unknown {
  const root = { value: structuredClone(value) } as Anything;
  for (const change of changes) {
    const places = [...placesIn(root)];
    const [holder, key] = places[change.where % places.length] ?? [root, 'value'];
    apply(change, holder, key);
  }
  return root['value'];
}

function* placesIn(holder: Anything | unknown[]): Generator<readonly [Anything, string]> {
  for (const key of Object.keys(holder)) {
    yield [holder as Anything, key];
    const inside = (holder as Anything)[key];
    if (typeof inside === 'object' && inside !== null) yield* placesIn(inside as Anything);
  }
}

function apply({ kind, name, value: drawn }: Change, holder: Anything, key: string): void {
  const value = structuredClone(drawn);
  if (kind === 'replace') holder[key] = value;
  else if (kind === 'remove') delete holder[key];
  else if (kind === 'wrap') holder[key] = [holder[key]];
  else if (kind === 'alias' && !Array.isArray(holder))
    Object.defineProperty(holder, key.toUpperCase(), {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else if (!Array.isArray(holder))
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

const printed = (value: unknown): string => JSON.stringify(value) ?? 'null';

function cut([text, where, inserted]: [string, number, string]): string {
  const at = where % (text.length + 1);
  return inserted === '' ? text.slice(0, at) : text.slice(0, at) + inserted + text.slice(at);
}
