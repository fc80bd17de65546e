/**
 * Defines a member of a record. Each record has one table of members, in the order of its list form
 * (contract section 4); schemas, columns, printed forms, screens, sheets and headings derive from it. Plain
 * values: the pages read them too.
 */
import type { AttributeLists, ListName } from '../attribute/words/model.ts';

/** Forms of a record: those of the wire, an item of a batch or file, and a row of a page (section 14). */
export type FormName = 'request' | 'response' | 'list' | 'item' | 'page';

/** Kinds with several values. */
type ListKind = 'codes' | 'attributes' | 'identifications';

/** Kind of a value. `text` keeps its blanks; `code` loses those at both ends. */
type Kind =
  | 'text'
  | 'code'
  | 'choice'
  | ListKind
  | 'company'
  | 'country'
  | 'version'
  | 'number'
  | 'boolean'
  | 'day'
  | 'moment';

/** Limits that the profile sets (validation/company.ts). */
type RuledSize = 'denominacaoMax' | 'nomeMax';

export interface Member {
  readonly kind: Kind;
  /** Name for people: a label, a column, the heading of a sheet. */
  readonly heading: string;
  /** Description in the API document. */
  readonly description?: string;
  readonly example?: string;
  readonly forms: readonly FormName[];
  /** Required `always`, also in a draft, or only in an `active` record. */
  readonly required?: 'always' | 'active';
  /** Maximum length in characters; for `codes`, of each code. */
  readonly max?: number | RuledSize;
  readonly pattern?: string;
  /** Pattern in words. */
  readonly domain?: string;
  /** Values of a `choice`, each with its words. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Set if a rectification must keep it. */
  readonly fixed?: true;
  /** False if records that differ only in this member are identical. */
  readonly countsForIdentity?: false;
}

export type MemberTable = Readonly<Record<string, Member>>;

/** Forms of members that a user writes. */
export const CONTENT = ['request', 'response', 'list', 'item', 'page'] as const;
/** Forms of members that identify the record and its version. */
export const IDENTITY = ['response', 'list', 'item', 'page'] as const;

export const SITUACAO_WORDS = { ATIVADO: 'Ativado', DESATIVADO: 'Desativado', RASCUNHO: 'Rascunho' } as const;

export interface Identification {
  readonly numero: string;
  readonly codigo: string;
}

interface ValueOfKind {
  readonly text: string;
  readonly code: string;
  readonly codes: readonly string[];
  readonly identifications: readonly Identification[];
  readonly company: string;
  readonly country: string;
  readonly version: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly day: string;
  readonly moment: string;
}

/** Type of a member's value. */
export type ValueOf<T extends MemberTable, M extends keyof T> = T[M] extends {
  readonly choices: infer Choices;
}
  ? keyof Choices & string
  : T[M]['kind'] extends keyof ValueOfKind
    ? ValueOfKind[T[M]['kind']]
    : AttributeLists[M & ListName];

/** Names of the members that a user writes. */
export type ContentName<T extends MemberTable> = {
  [M in keyof T]: 'request' extends T[M]['forms'][number] ? M : never;
}[keyof T] &
  string;

/** Empty value of a member in a stored record: lists are always present, possibly empty. */
type Empty<M extends Member> = M extends { readonly required: 'always' }
  ? never
  : M['kind'] extends ListKind
    ? never
    : null;

/** Content that a user writes, with every member present. */
export type ContentOf<T extends MemberTable> = {
  readonly [M in ContentName<T>]: ValueOf<T, M> | Empty<T[M]>;
};

/** Content of a request; `Level`: the level of its required members. */
export type InputOf<T extends MemberTable, Level extends string> = {
  readonly [M in ContentName<T> as T[M] extends { readonly required: Level } ? M : never]: ValueOf<T, M>;
} & {
  readonly [M in ContentName<T> as T[M] extends { readonly required: Level } ? never : M]?: ValueOf<T, M>;
};

/** Stored content: lists as JSON. */
export type ColumnsOf<T extends MemberTable> = {
  readonly [M in ContentName<T>]: T[M]['kind'] extends ListKind ? string | null : ContentOf<T>[M];
};

/** Returns true if the member has several values. */
export const isList = ({ kind }: Member): boolean =>
  kind === 'codes' || kind === 'attributes' || kind === 'identifications';

/** Returns true if a user writes the member. */
export const isContent = ({ forms }: Member): boolean => forms.includes('request');

/** Returns the members of a form, in the order of the table. */
export const namesIn = <T extends MemberTable>(table: T, form: FormName): readonly (keyof T & string)[] =>
  Object.keys(table).filter((name) => table[name]?.forms.includes(form) === true);

export const contentNames = <T extends MemberTable>(table: T): readonly ContentName<T>[] =>
  namesIn(table, 'request') as readonly ContentName<T>[]; // by the definition of the type

/** Returns a function that converts input to content: every member is present, absent ones empty. */
export function contentBy<T extends MemberTable>(table: T) {
  const members = contentNames(table).map((name) => ({
    name,
    emptyValue: isList(table[name] as Member) ? [] : null,
  }));
  return (received: Readonly<Partial<Record<ContentName<T>, unknown>>>): ContentOf<T> => {
    const content: Record<string, unknown> = {};
    for (const { name, emptyValue } of members) content[name] = received[name] ?? emptyValue;
    return content as ContentOf<T>; // by the names of the table
  };
}

/**
 * Returns the members that screens show, the given names first: without the company and without members that
 * do not fit into a cell.
 */
export const readingOf = <T extends MemberTable>(table: T, first: readonly (keyof T & string)[]) =>
  withFirst(
    first,
    namesIn(table, 'page').filter((name) => !UNREADABLE_KINDS.includes((table[name] as Member).kind)),
  );

const UNREADABLE_KINDS: readonly Kind[] = ['company', 'attributes', 'identifications', 'day'];

/** Returns the names with the given ones first, in that order; the others follow. */
export const withFirst = <Name extends string>(
  first: readonly Name[],
  names: readonly Name[],
): readonly Name[] => [
  ...first.filter((name) => names.includes(name)),
  ...names.filter((name) => !first.includes(name)),
];

/** Returns the column of each member of the content. */
export const contentColumns = <T extends MemberTable>(table: T): { readonly [M in ContentName<T>]: string } =>
  Object.fromEntries(contentNames(table).map((name) => [name, columnOf(name)])) as {
    [M in ContentName<T>]: string; // by the names of the table
  };

/** Returns the content columns of a row `t`, for a SELECT. */
export const contentSelected = (table: MemberTable, t: string): string =>
  contentNames(table)
    .map((name) => `${t}.${columnOf(name)} AS ${name}`)
    .join(', ');

const columnOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
