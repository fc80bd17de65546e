/** As much of OpenAPI 3.1 as our document uses; a test says when it uses more than the page shows. */

interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  /** Our own: what is accepted, in words. */
  readonly 'x-domain'?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Header {
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Answer {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface RequestBody {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, Answer>>;
  readonly security?: readonly unknown[];
}

type PathItem = Readonly<Partial<Record<(typeof METHODS)[number], Operation>>>;

/** Our own: a code that a problem may have, its cause and what to do. */
export interface ProblemCode {
  /** Some are one for each module: `CATP-ER0404, PLAT-ER0404`. */
  readonly code: string;
  readonly meaning: string;
  readonly remedy: string;
}

export interface ProblemList {
  readonly title: string;
  readonly codes: readonly ProblemCode[];
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly 'x-problems'?: readonly ProblemList[];
  readonly security?: readonly unknown[];
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation with its references followed, ready to be shown. */
export interface Entry {
  /** Anchor in the page. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly answers: readonly (readonly [status: string, answer: Answer])[];
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

export function entriesOf(document: Document): readonly Entry[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        tag: operation.tags?.[0] ?? 'Outras',
        summary: operation.summary ?? '',
        description: operation.description ?? '',
        deprecated: operation.deprecated ?? false,
        secured: (operation.security ?? document.security ?? []).length > 0,
        parameters: operation.parameters ?? [],
        body: operation.requestBody,
        answers: Object.entries(operation.responses ?? {}),
      };
    }),
  );
}

/** What `#/components/…` stands for; anything else stands for itself. */
export function follow<T extends object>(document: Document, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const target = value.$ref
    .replace(/^#\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step], document);
  if (target === undefined) throw new Error(`O documento não tem ${value.$ref}.`);
  return follow(document, target as T | Reference);
}

/** The name of a referenced schema: `Product` of `#/components/schemas/Product`. */
export function nameOf(schema: Schema): string | undefined {
  return schema.$ref?.split('/').at(-1) ?? schema.title;
}

/** Deeper than any form of ours; stops a schema that contains itself. */
const EXAMPLE_MAX_DEPTH = 8;

/** The example that the document gives, else one made from the schema. */
export function exampleOf(document: Document, media: MediaType): unknown {
  if (media.example !== undefined) return media.example;
  return media.schema === undefined ? undefined : sampleOf(document, media.schema);
}

export function sampleOf(document: Document, reference: Schema, depth = 0): unknown {
  const schema = follow<Schema>(document, reference);
  const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined || depth > EXAMPLE_MAX_DEPTH) return given;
  const alternative = schema.anyOf?.find((it) => it.type !== 'null');
  if (alternative !== undefined) return sampleOf(document, alternative, depth + 1);
  const type = [schema.type].flat().find((it) => it !== 'null') ?? (schema.properties ? 'object' : undefined);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, it]) => [
          name,
          sampleOf(document, it, depth + 1),
        ]),
      );
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(document, schema.items, depth + 1)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return 'texto';
    default:
      return null;
  }
}
