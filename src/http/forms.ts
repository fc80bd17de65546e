/**
 * Prints the forms of the document. A schema with `x-form` is one component, printed once and referenced
 * everywhere, so that a generated client has a name for each. Keywords that only our decoder reads are left
 * out.
 */
import type { TSchema } from '@sinclair/typebox';

export type Json = Readonly<Record<string, unknown>>;

/**
 * Direction of a value. When sent, an optional member may be `null`, and a text `""` (contract section 4). When
 * answered, the value has its exact schema.
 */
export type Direction = 'sent' | 'answered';

/** Generators create as many items as a limit allows: a longer limit is described in words. */
const PRINTED_MAX_ITEMS = 100;

export class Forms {
  readonly #components = new Map<string, Json>();

  components(): Json {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Returns the schema as the document prints it: a reference when it is a form. */
  printed(schema: TSchema, direction: Direction): Json {
    if (schema['x-ref'] !== undefined) return refTo(schema['x-ref'] as string);
    const name = schema['x-form'] as string | undefined;
    return name === undefined ? this.#inPlace(schema, direction) : this.#referred(name, schema, direction);
  }

  #referred(name: string, schema: TSchema, direction: Direction): Json {
    const registered = this.#components.get(name);
    const component = this.#inPlace(schema, direction);
    if (registered !== undefined && !Bun.deepEquals(registered, component))
      throw new Error(
        `Two forms are called ${name}: ${JSON.stringify(registered)} ${JSON.stringify(component)}`,
      );
    this.#components.set(name, component);
    return refTo(name);
  }

  #inPlace(schema: TSchema, direction: Direction): Json {
    const { properties, items, anyOf, patternProperties, ...words } = schema as unknown as Words;
    const result: Record<string, unknown> = { ...printable(words) };
    const notes = notesOf(words, direction);
    if (notes.length > 0) result['description'] = [words.description, ...notes].filter(Boolean).join(' ');
    if (anyOf !== undefined) return this.#alternatives(anyOf, result, direction);
    if (properties !== undefined) result['properties'] = this.#members(schema, properties, direction);
    if (patternProperties !== undefined)
      result['additionalProperties'] = this.printed(
        Object.values(patternProperties)[0] as TSchema,
        direction,
      );
    if (items !== undefined) result['items'] = this.printed(items, direction);
    return result;
  }

  #members(schema: TSchema, properties: Readonly<Record<string, TSchema>>, direction: Direction): Json {
    const required = (schema['required'] as readonly string[] | undefined) ?? [];
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => {
        const printed = this.printed(member, direction);
        if (direction !== 'sent' || required.includes(name)) return [name, printed];
        // A form has its own description: the note about absence goes around the reference.
        const { description } = member;
        return [name, { ...absentable(printed), ...('$ref' in printed && { description }) }];
      }),
    );
  }

  #alternatives(anyOf: readonly TSchema[], words: Json, direction: Direction): Json {
    const [only, another] = anyOf.filter(({ type }) => type !== 'null');
    // Generators of strict languages create one class for alternatives, which fits only one of them.
    if (only === undefined || another !== undefined) throw new Error('A form is one schema, or null');
    return { ...orNull(this.printed(only, direction)), ...words };
  }
}

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

interface Words {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly maxItems?: number;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maximum?: number;
  /** Replaces keywords that are no ECMA 262 for every reader. */
  readonly 'x-printed'?: Json;
  readonly 'x-any-case'?: boolean;
  readonly 'x-textual'?: boolean;
  readonly 'x-ignored'?: readonly string[];
}

function printable({ 'x-printed': instead, maxItems, ...words }: Words): Json {
  const keywords = Object.entries({ ...words, ...instead }).filter(
    ([name, value]) => (!name.startsWith('x-') || name === 'x-domain') && value !== undefined,
  );
  return {
    ...Object.fromEntries(keywords),
    ...(isWide(words) && { format: 'int64' }),
    ...(maxItems !== undefined && maxItems <= PRINTED_MAX_ITEMS && { maxItems }),
  };
}

/** Most generators use 32 bits for an integer without format. Our codes have up to ten digits. */
const MAX_INT32 = 2 ** 31 - 1;

const isWide = ({ type, enum: choices, maximum = Infinity }: Words): boolean =>
  type === 'integer' && choices === undefined && maximum > MAX_INT32;

function notesOf(words: Words, direction: Direction): readonly string[] {
  const { maxItems = 0 } = words;
  const notes = [];
  if (maxItems > PRINTED_MAX_ITEMS) notes.push(`No máximo ${maxItems.toLocaleString('pt-BR')} itens.`);
  if (direction === 'sent' && words['x-any-case'] === true)
    notes.push('Maiúsculas e minúsculas valem o mesmo.');
  if (words['x-textual'] === true) notes.push('Um número ou booleano JSON enviado vale como o seu texto.');
  const ignored = words['x-ignored'] ?? [];
  if (ignored.length > 0) notes.push(`Aceitos e ignorados: ${ignored.join(', ')}.`);
  return notes;
}

/** Returns the schema or `null`, as one type when the schema allows it. */
function orNull(schema: Json): Json {
  const { type, enum: choices, description } = schema;
  if (typeof type === 'string' && type !== 'null')
    return {
      ...schema,
      type: [type, 'null'],
      ...(Array.isArray(choices) && { enum: [...(choices as unknown[]), null] }),
    };
  if (Array.isArray(schema['anyOf']))
    return { ...schema, anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }] };
  if (schema['$ref'] === undefined) return schema; // any JSON, null included
  return { anyOf: [schema, { type: 'null' }], ...(description !== undefined && { description }) };
}

/** Returns the schema of an optional sent member. */
function absentable(schema: Json): Json {
  return orNull(schema['type'] === 'string' ? orEmpty(schema) : schema);
}

/**
 * Returns the text schema that also accepts `""`, where one keyword says so. An enumeration and a format stay as they
 * are: a generated enumeration has no nameless value, and of two alternatives generators create an empty class.
 */
function orEmpty({ minLength: _, ...schema }: Json): Json {
  const { pattern, enum: choices } = schema;
  if (Array.isArray(choices) || typeof pattern !== 'string') return schema;
  return { ...schema, pattern: `^(?:${pattern.replace(/^\^/, '').replace(/\$$/, '')})?$` };
}
