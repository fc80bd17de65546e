/** Finds the part of a request that a problem is about: its schema and the received value. */
import { tryParseJson } from '../../validation/json.ts';
import { asSchema, type Schema } from '../../validation/schema.ts';
import type { JournalOperation } from './entry.ts';

export interface RequestPart {
  /** `undefined` when the operation declares no schema for this part. */
  readonly schema: Schema | undefined;
  readonly received: unknown;
  /** The whole body. */
  readonly body?: unknown;
}

/** Finds the part of a body. `undefined`: the operation has no body. `pointer` is a JSON Pointer (RFC 6901). */
export function partOfBody(
  { body: schema }: JournalOperation,
  text: string | null,
  pointer: string,
): RequestPart | undefined {
  if (schema === undefined) return undefined;
  const body = text === null ? undefined : tryParseJson(text);
  let part: RequestPart = { schema: asSchema(schema), received: body };
  for (const step of pointer.split('/').slice(1)) part = stepInto(part, unescapeStep(step));
  return { ...part, body };
}

/** Finds a parameter. Its schema comes from the query, the path or the headers, the first that declares the name. */
export function partOfParameters(
  { query, params, headers }: JournalOperation,
  received: URLSearchParams,
  name: string,
): RequestPart {
  const memberOf = (schema: typeof query): Schema | undefined =>
    schema === undefined ? undefined : ownMember(asSchema(schema).properties, name);
  const header = ownMember(headers, name);
  return {
    schema: memberOf(query) ?? memberOf(params) ?? (header && asSchema(header)),
    received: received.get(name) ?? undefined,
  };
}

function stepInto({ schema, received }: RequestPart, step: string): RequestPart {
  const container = typeof received === 'object' && received !== null ? received : {};
  return {
    schema: schema?.type === 'array' ? schema.items : ownMember(schema?.properties, step),
    received: ownMember(container as Readonly<Record<string, unknown>>, step),
  };
}

const ownMember = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;

/** Decodes one step of a JSON Pointer. */
const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
