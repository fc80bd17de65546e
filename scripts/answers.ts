/**
 * Generates the API document as TypeScript types for the pages: `.generated/answers.ts`, which
 * `src/web/api/answers.ts` re-exports. scripts/setup runs it, and so do lint and types, so that it is never
 * older than the routes.
 */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { $ } from 'bun';

/** The part of a JSON schema that our document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * Keywords that do not affect the type. A keyword outside of this set and of `Schema` is refused, so that no
 * keyword is ignored silently.
 */
const OTHER_WORDS = new Set([
  ...[
    'description',
    'examples',
    'default',
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
  ],
  ...['minItems', 'maxItems', 'uniqueItems', 'not', 'x-domain'],
]);
const TYPE_WORDS = new Set([
  ...['$ref', 'type', 'enum', 'anyOf', 'oneOf', 'items', 'properties', 'required', 'additionalProperties'],
]);

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

export function typeOf(schema: Schema): string {
  const unknown = Object.keys(schema).filter((word) => !OTHER_WORDS.has(word) && !TYPE_WORDS.has(word));
  if (unknown.length > 0) throw new Error(`answers: no type is known for ${unknown.join(', ')}`);
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return alternatives.map(typeOf).join(' | ');
  if (schema.type === undefined) return 'unknown';
  return [schema.type]
    .flat()
    .map((type) => PRIMITIVES[type] ?? (type === 'array' ? listOf(schema) : objectOf(schema)))
    .join(' | ');
}

const listOf = ({ items = {} }: Schema): string => `readonly (${typeOf(items)})[]`;

function objectOf({ properties, required = [], additionalProperties = false }: Schema): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `  readonly ${JSON.stringify(name)}${mark}: ${typeOf(schema)};\n`;
  });
  return `{\n${members.join('')}}`;
}

/** Returns the type of a success: `undefined` without a body, a string for a body that is not JSON. */
function answerOf({ responses }: Operation): string {
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => {
      if (content === undefined) return 'undefined';
      const json = content['application/json'];
      return json === undefined ? 'string' : typeOf(json.schema);
    });
  return [...new Set(answers)].join(' | ');
}

export function typesOf({ paths, components }: Document): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};\n`,
  );
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => `  readonly ${operation.operationId}: ${answerOf(operation)};\n`);
  return `${schemas.join('')}export interface Answers {\n${answers.join('')}}\n`;
}

if (import.meta.main) {
  const root = dirname(import.meta.dir);
  const file = join(root, '.generated/answers.ts');
  const document = (await $`${process.execPath} run src/main.ts openapi --dev`.cwd(root).json()) as Document;
  const types = typesOf(document);
  const before = await Bun.file(file)
    .text()
    .catch(() => undefined);
  if (types !== before) {
    mkdirSync(dirname(file), { recursive: true });
    await Bun.write(file, types);
  }
}
