/** Builds the schemas of a record's written members from its table of members (contract section 4). */
import type { SchemaOptions, TOptional, TProperties, TSchema, TUnsafe } from '@sinclair/typebox';
import type { CatalogueRules } from '../validation/company.ts';
import {
  type ContentName,
  type Member,
  type MemberTable,
  type ValueOf,
  contentNames,
} from './members/member.ts';
import { CountryCode } from './model.ts';
import { nullable } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

/** Schemas of a request. `Level`: the level of its required members. */
type InputProperties<T extends MemberTable, Level> = {
  [M in ContentName<T>]: T[M] extends { readonly required: Level }
    ? TUnsafe<ValueOf<T, M>>
    : TOptional<TUnsafe<ValueOf<T, M>>>;
};

export class ContentSchemas<T extends MemberTable> {
  readonly #table: T;
  readonly #rules: CatalogueRules;
  /** The record's own schemas: its lists, and codes of other records. */
  readonly #own: Readonly<Partial<Record<ContentName<T>, TSchema>>> | undefined;
  /** Additional schema options of a member. */
  readonly #more: Readonly<Partial<Record<ContentName<T>, SchemaOptions>>> | undefined;
  readonly #names: readonly ContentName<T>[];

  constructor(
    table: T,
    rules: CatalogueRules,
    own?: Readonly<Partial<Record<ContentName<T>, TSchema>>>,
    more?: Readonly<Partial<Record<ContentName<T>, SchemaOptions>>>,
  ) {
    this.#table = table;
    this.#rules = rules;
    this.#own = own;
    this.#more = more;
    this.#names = contentNames(table);
  }

  /** Returns the schemas of a request: members of a level in `levels` are required, the others optional. */
  input<Level extends Member['required']>(...levels: readonly Level[]): InputProperties<T, Level> {
    const isRequired = ({ required }: Member): boolean => levels.some((level) => level === required);
    return this.#each((name, member) => {
      const schema = this.#own?.[name] ?? this.#inputOf(name, member);
      return isRequired(member) ? schema : t.Optional(schema);
    }) as InputProperties<T, Level>;
  }

  /**
   * Returns the schemas of a response: all members are present, without limits, which may have been
   * different.
   */
  output(): TProperties {
    return this.#each((name, { kind, required, description = '', example }) => {
      const own = this.#own?.[name];
      if (own !== undefined) return own;
      if (kind === 'country') return CountryCode;
      if (kind === 'boolean') return t.Boolean({ description });
      const fullDescription =
        required === 'active' ? `${description} Em um rascunho pode ser null.` : description;
      const text = t.String({ description: fullDescription, examples: [example] });
      return required === 'always' ? text : nullable(text);
    });
  }

  /** Returns the schemas of a deactivation, which ignores the content. */
  ignored(): TProperties {
    return this.#each(() => t.Optional(t.Unknown({ description: 'Ignorado na desativação.' })));
  }

  #inputOf(
    name: ContentName<T>,
    { kind, max, required, pattern, domain, choices, description = '', example = '' }: Member,
  ): TSchema {
    if (kind === 'country') return CountryCode;
    const options = {
      ...(kind !== 'text' && { 'x-code': true }),
      ...(domain !== undefined && { 'x-domain': domain }),
      description,
      examples: [example],
      ...this.#more?.[name],
    };
    if (kind === 'boolean') return t.Boolean({ description });
    if (choices !== undefined) return t.Unsafe({ type: 'string', enum: Object.keys(choices), ...options });
    return t.String({
      ...(pattern === undefined &&
        (required === undefined ? { 'x-absent-or-filled': kind !== 'text' } : { minLength: 1 })),
      ...(max !== undefined && { maxLength: typeof max === 'number' ? max : this.#rules[max] }),
      ...(pattern !== undefined && { pattern }),
      ...options,
    });
  }

  #each(schemaOf: (name: ContentName<T>, member: Member) => TSchema): TProperties {
    return Object.fromEntries(this.#names.map((name) => [name, schemaOf(name, this.#table[name] as Member)]));
  }
}

/** Returns the members in the order of a form. */
export const inOrder = (names: readonly string[], schemas: TProperties): TProperties =>
  Object.fromEntries(names.map((name) => [name, schemas[name] as TSchema]));
