/** The forms that schemas are made of again and again, each with what the document says of it (Portuguese). */
import { type SchemaOptions, type TProperties, type TSchema, Type as t } from '@sinclair/typebox';

export const text = (description: string, example: string) => t.String({ description, examples: [example] });

export const whole = (description: string, example: number) =>
  t.Integer({ description, examples: [example] });

/** One of some words. `further`: what else a schema says of it. */
export const choice = <T extends string>(
  words: readonly T[],
  description: string,
  example?: T,
  further: SchemaOptions = {},
) =>
  t.Unsafe<T>({
    ...{ type: 'string', enum: [...words], ...further, description },
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
