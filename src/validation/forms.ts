/** The forms that schemas are made of again and again, each with what the document says of it (Portuguese). */
import {
  type IntegerOptions,
  type SchemaOptions,
  type StringOptions,
  type TProperties,
  type TSchema,
  Type as t,
} from '@sinclair/typebox';

/** `further`, here and below: what else a schema says of it. */
export const text = (description: string, example: string, further: StringOptions = {}) =>
  t.String({ ...further, description, examples: [example] });

export const whole = (description: string, example: number, further: IntegerOptions = {}) =>
  t.Integer({ ...further, description, examples: [example] });

/** The number that we gave to something. */
export const idOf = (description: string) =>
  whole(description, 1, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** How many of a list are asked for. */
export const limitOf = (description: string, maximum: number, byDefault: number) =>
  t.Integer({ minimum: 1, maximum, default: byDefault, description });

/** One of some words. */
export const choice = <T extends string>(
  words: readonly T[],
  description: string,
  example?: T,
  further: SchemaOptions = {},
) =>
  t.Unsafe<T>({
    type: 'string',
    enum: [...words],
    ...further,
    description,
    ...(example !== undefined && { examples: [example] }),
  });

export const nullable = <S extends TSchema>(schema: S, options: SchemaOptions = {}) =>
  t.Union([schema, t.Null()], options);

/** Makes records that the document gives a name and a place of their own; `words`: what else their schemas say. */
export const formOf =
  (words: SchemaOptions) =>
  <M extends TProperties>(name: string, description: string, members: M) =>
    t.Object(members, { ...words, 'x-form': name, description });

export const form = formOf({});

/** One that is sent to us, and has no other members. */
export const closedForm = formOf({ additionalProperties: false });
