/** The API document for tests. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
}

export interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface Answer {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Documented {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
  /** Callbacks by name and address. */
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: Callback }>>>>;
}

type Callback = Pick<Documented, 'summary' | 'description' | 'parameters'> &
  Required<Pick<Documented, 'requestBody'>>;

export interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, { readonly in: string; readonly name: string }>>;
  };
}

export interface Entry extends Documented {
  readonly method: string;
  readonly path: string;
}

export const entriesOf = ({ paths }: Document): readonly Entry[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );

/** Yields every schema of the document, with its position. */
export function* schemasOf(document: Document): Generator<readonly [place: string, schema: JsonSchema]> {
  for (const [name, schema] of Object.entries(document.components.schemas)) yield* within(name, schema);
  for (const { operationId, parameters, requestBody, responses } of entriesOf(document)) {
    for (const { name, schema } of parameters) yield* within(`${operationId} ${name}`, schema);
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      yield* within(`${operationId} body`, schema);
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const { schema } of Object.values(content)) yield* within(`${operationId} ${status}`, schema);
  }
}

function* within(place: string, schema: JsonSchema): Generator<readonly [string, JsonSchema]> {
  yield [place, schema];
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* within(`${place}.${name}`, member);
  if (schema.items !== undefined) yield* within(`${place}[]`, schema.items);
  for (const one of schema.oneOf ?? schema.anyOf ?? []) yield* within(`${place}|`, one);
  if (typeof schema.additionalProperties === 'object')
    yield* within(`${place}.*`, schema.additionalProperties);
}

/** Returns the target of a reference, or the schema itself. */
export function resolvedReference(document: Document, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const target = document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
  if (target === undefined) throw new Error(`The document has no ${schema.$ref}`);
  return target;
}

/** Returns the schema with all references resolved; a recursive form stays recursive. */
export function resolved(document: Document, schema: JsonSchema): JsonSchema {
  const copies = new Map<JsonSchema, JsonSchema>();
  const build = (reference: JsonSchema): JsonSchema => {
    const one = resolvedReference(document, reference);
    const earlierCopy = copies.get(one);
    if (earlierCopy !== undefined) return earlierCopy;
    const copy: Record<string, unknown> = { ...one };
    copies.set(one, copy);
    if (one.properties !== undefined)
      copy['properties'] = Object.fromEntries(
        Object.entries(one.properties).map(([name, member]) => [name, build(member)]),
      );
    if (one.items !== undefined) copy['items'] = build(one.items);
    if (one.anyOf !== undefined) copy['anyOf'] = one.anyOf.map(build);
    if (one.oneOf !== undefined) copy['oneOf'] = one.oneOf.map(build);
    return copy;
  };
  return build(schema);
}
