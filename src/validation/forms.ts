/** Building blocks of schemas, each with its description in the document (Portuguese). */
import type { IntegerOptions, SchemaOptions, StringOptions, TProperties, TSchema } from '@sinclair/typebox';
import { t } from './type.ts';

/** `extra`, also below: additional keywords of the schema. */
export const text = (description: string, example: string, extra: StringOptions = {}) =>
  t.String({ ...extra, description, examples: [example] });

export const integerForm = (description: string, example: number, extra: IntegerOptions = {}) =>
  t.Integer({ ...extra, description, examples: [example] });

/** Describes a number that the product assigned. */
export const idOf = (description: string) =>
  integerForm(description, 1, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Describes the requested length of a list. */
export const limitOf = (description: string, maximum: number, byDefault: number) =>
  t.Integer({ minimum: 1, maximum, default: byDefault, description });

/** Describes an enumeration of words. */
export const choice = <T extends string>(
  words: readonly T[],
  description: string,
  example?: T,
  extra: SchemaOptions = {},
) =>
  t.Unsafe<T>({
    type: 'string',
    enum: [...words],
    ...extra,
    description,
    ...(example !== undefined && { examples: [example] }),
  });

/** Describes the members of a record that were not recorded (contract section 16); absent: all were. */
export const notRecordedOf = <T extends string>(members: readonly T[]) =>
  t.Optional(
    t.Array(t.Unsafe<T>({ type: 'string', enum: [...members] }), {
      description:
        'Os membros que não foram registrados, em geral por uma versão anterior do catp: o seu vazio não diz “nada”. Ausente onde todos foram.',
    }),
  );

export const nullable = <S extends TSchema>(schema: S, options: SchemaOptions = {}) =>
  t.Union([schema, t.Null()], options);

/**
 * Returns a function that builds records which the document prints as named components. `words`: additional
 * keywords of their schemas.
 */
export const formOf =
  (words: SchemaOptions) =>
  <M extends TProperties>(name: string, description: string, members: M) =>
    t.Object(members, { ...words, 'x-form': name, description });

export const form = formOf({});

/** Builds a received record that accepts no other members. */
export const closedForm = formOf({ additionalProperties: false });
