/**
 * Builds schemas as TypeBox does, with its types. The library itself would be a fifth of the modules of a start,
 * and schemas are plain JSON Schema, which decode.ts reads.
 */
import type { TSchema, Type } from '@sinclair/typebox';

type Fields = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Fields>>;
type ObjectSchema = Fields & { readonly properties: Properties };

/** Marks an optional member. */
const IS_OPTIONAL = Symbol('optional');

const withOptions = (schema: object, options?: object): object =>
  options === undefined ? schema : { ...options, ...schema };

function object(properties: Properties, options?: object): object {
  const required = Object.keys(properties).filter(
    (name) => properties[name]?.[IS_OPTIONAL as never] !== true,
  );
  return withOptions({ type: 'object', ...(required.length > 0 && { required }), properties }, options);
}

const optional = (schema: object): object => ({ ...schema, [IS_OPTIONAL]: true });

/** Returns an object schema with other properties, and the options of the first. */
function withProperties(
  { required: _, properties: __, ...options }: ObjectSchema,
  properties: Properties,
  more?: object,
) {
  return { ...object(properties, options), ...more };
}

const mapped = (properties: Properties, change: (schema: object) => object): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, change(one) as Fields]));

const builders = {
  Array: (items: TSchema, options?: object) => withOptions({ type: 'array', items }, options),
  Boolean: (options?: object) => withOptions({ type: 'boolean' }, options),
  Integer: (options?: object) => withOptions({ type: 'integer' }, options),
  Null: (options?: object) => withOptions({ type: 'null' }, options),
  Number: (options?: object) => withOptions({ type: 'number' }, options),
  Object: object,
  Omit: (schema: ObjectSchema, names: readonly string[], options?: object) =>
    withProperties(
      schema,
      Object.fromEntries(Object.entries(schema.properties).filter(([name]) => !names.includes(name))),
      options,
    ),
  Optional: optional,
  Partial: (schema: ObjectSchema, options?: object) =>
    withProperties(schema, mapped(schema.properties, optional), options),
  Pick: (schema: ObjectSchema, names: readonly string[], options?: object) =>
    withProperties(
      schema,
      Object.fromEntries(names.map((name) => [name, schema.properties[name] as Fields])),
      options,
    ),
  Record: (_: TSchema, value: TSchema, options: object = {}) =>
    withOptions({ type: 'object', patternProperties: { '^(.*)$': value } }, options),
  Required: (schema: ObjectSchema, options?: object) =>
    withProperties(
      schema,
      mapped(schema.properties, (one) => {
        const { [IS_OPTIONAL as never]: _isOptional, ...rest } = one;
        return rest;
      }),
      options,
    ),
  String: (options?: object) => withOptions({ type: 'string' }, options),
  Union: (anyOf: readonly TSchema[], options?: object) => withOptions({ anyOf }, options),
  Unknown: (options?: object) => withOptions({}, options),
  Unsafe: (options: object = {}) => ({ ...options }),
};

/** Builds the schemas of this program: the part of TypeBox's `Type` that it uses. */
export const t = builders as unknown as Pick<typeof Type, keyof typeof builders>;
