/** The location of a problem: its schema and the received value. */
import { jsonIn } from '../../validation/json.ts';
import { asSchema, type Schema } from '../../validation/schema.ts';
import type { JournalOperation } from './entry.ts';

export interface ProblemPlace {
  /** `undefined` when no schema is known for the location. */
  readonly schema: Schema | undefined;
  readonly received: unknown;
  /** The whole body. */
  readonly body?: unknown;
}

/** Locates a problem in a body. `pointer` is a JSON Pointer (RFC 6901). */
export function placeInBody(
  { body: schema }: JournalOperation,
  text: string | null,
  pointer: string,
): ProblemPlace | undefined {
  if (schema === undefined) return undefined;
  const body = text === null ? undefined : jsonIn(text);
  let place: ProblemPlace = { schema: asSchema(schema), received: body };
  for (const step of pointer.split('/').slice(1)) place = stepInto(place, unescaped(step));
  return { ...place, body };
}

/** Locates a parameter in the first of query, path and headers that defines the name. */
export function placeInParameters(
  { query, params, headers }: JournalOperation,
  received: URLSearchParams,
  name: string,
): ProblemPlace {
  const memberOf = (schema: typeof query): Schema | undefined =>
    schema === undefined ? undefined : ownOf(asSchema(schema).properties, name);
  const header = ownOf(headers, name);
  return {
    schema: memberOf(query) ?? memberOf(params) ?? (header && asSchema(header)),
    received: received.get(name) ?? undefined,
  };
}

function stepInto({ schema, received }: ProblemPlace, step: string): ProblemPlace {
  const inside = typeof received === 'object' && received !== null ? received : {};
  return {
    schema: schema?.type === 'array' ? schema.items : ownOf(schema?.properties, step),
    received: ownOf(inside as Readonly<Record<string, unknown>>, step),
  };
}

const ownOf = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
