/** The subset of OpenAPI 3.1 that our document uses. A test fails when it uses more than the page shows. */
import type { ProblemCode } from '../../docs/trial.ts';

export interface Schema {
  readonly type?: string | readonly string[];
  /** Name of a form in the document. */
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  /** Extension: the accepted values, in words. */
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
  readonly not?: { readonly type: 'null' };
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
  readonly headers?: Readonly<Record<string, Header>>;
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
  /** Requests that the server sends later, by name and by the expression of their address. */
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, { readonly post: SentRequest }>>>>;
}

/** A request that a receiver gets. */
export interface SentRequest {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody;
}

type PathItem = Readonly<Partial<Record<(typeof METHODS)[number], Operation>>>;

/** Extension: the problem codes of one kind. */
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
}

/** An operation, prepared for display. */
export interface ListedOperation {
  /** Name of its page `/docs/{id}`, and its anchor in the list of operations. */
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
  readonly callbacks: readonly (readonly [name: string, sent: SentRequest])[];
}

const METHODS = ['get', 'post', 'put', 'delete'] as const;

export const entriesOf = (document: Document): readonly ListedOperation[] =>
  Object.entries(withoutReferences(document).paths).flatMap(([path, item]) =>
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
        callbacks: Object.entries(operation.callbacks ?? {}).flatMap(([name, byAddress]) =>
          Object.values(byAddress).map(({ post }) => [name, post] as const),
        ),
      };
    }),
  );

/**
 * Replaces references by their targets, and names the forms. A form that contains itself becomes a cyclic
 * object.
 */
function withoutReferences(document: Document): Document {
  const formByReference = new Map<string, object>();
  const targetOf = (reference: string): object => {
    const before = formByReference.get(reference);
    if (before !== undefined) return before;
    const steps = reference
      .slice('#/'.length)
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const target = steps.reduce<unknown>(
      (at, step) => (at as Readonly<Record<string, unknown>> | undefined)?.[step],
      document,
    );
    if (target === undefined) throw new Error(`O documento não tem ${reference}.`);
    const form = {};
    formByReference.set(reference, form);
    return Object.assign(form, withTargets(target), { title: steps.at(-1) });
  };
  const withTargets = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withTargets);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value && typeof value.$ref === 'string') return targetOf(value.$ref);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTargets(member)]));
  };
  return withTargets(document) as Document;
}

/** Maximum depth of an example. Every form of the document is shallower; a schema may contain itself. */
const EXAMPLE_MAX_DEPTH = 8;

/** Returns the example of the document, or one that is built from the schema. */
export const exampleOf = ({ example, schema }: MediaType): unknown =>
  example === undefined ? schema && sampleOf(schema) : example;

/** Returns the forms of which a value has one; none for a plain form. */
export const alternativesOf = ({ anyOf = [] }: Schema): readonly Schema[] => anyOf;

export function sampleOf(schema: Schema, depth = 0): unknown {
  const example = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (example !== undefined || depth > EXAMPLE_MAX_DEPTH) return example;
  const nonNull = alternativesOf(schema).find((alternative) => alternative.type !== 'null');
  if (nonNull !== undefined) return sampleOf(nonNull, depth + 1);
  const type =
    [schema.type].flat().find((name) => name !== 'null') ?? (schema.properties ? 'object' : undefined);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sampleOf(member, depth + 1)]),
      );
    case 'array':
      return schema.items === undefined ? [] : [sampleOf(schema.items, depth + 1)];
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
