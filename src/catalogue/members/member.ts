/**
 * What a member of a record is. Each record has one table of them, in the order of its list form (contract section 4);
 * schemas, columns, what is printed, forms, sheets and headings are made from it. Plain values: the pages read them too.
 */
import type { AttributeLists, ListName } from '../attribute/words/model.ts';

/** The forms of a record: those of the wire, an item of a batch or file, and a row of a page (section 14). */
export type FormName = 'request' | 'response' | 'list' | 'item' | 'page';

/** Several values in one. */
type ListKind = 'codes' | 'attributes' | 'identifications';

/** What a value is. `text` keeps its blanks; `code` loses those at both ends. */
type Kind =
  | 'text'
  | 'code'
  | 'choice'
  | ListKind
  | 'company'
  | 'country'
  | 'version'
  | 'number'
  | 'truth'
  | 'day'
  | 'moment';

/** Limits that the profile sets (validation/company.ts). */
type RuledSize = 'denominacaoMax' | 'nomeMax';

export interface Member {
  readonly kind: Kind;
  /** What people call it: a label, a column, the heading of a sheet. */
  readonly heading: string;
  /** Of the document. */
  readonly description?: string;
  readonly example?: string;
  readonly forms: readonly FormName[];
  /** Must be given: `always`, also of a draft, or only of what is `active`. */
  readonly required?: 'always' | 'active';
  /** The longest, in characters; of `codes` each of them. */
  readonly max?: number | RuledSize;
  readonly pattern?: string;
  /** The pattern in words. */
  readonly domain?: string;
  /** The values of a `choice`, each with its words. */
  readonly choices?: Readonly<Record<string, string>>;
  /** A rectification keeps it. */
  readonly fixed?: true;
  /** Records that differ in nothing else are the same. */
  readonly tellsApart?: false;
}

export type MemberTable = Readonly<Record<string, Member>>;

/** Where what a user writes stands. */
export const CONTENT = ['request', 'response', 'list', 'item', 'page'] as const;
/** Where it stands which version of which record this is. */
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
  readonly truth: boolean;
  readonly day: string;
  readonly moment: string;
}

/** The value of a member that is there. */
export type ValueOf<T extends MemberTable, M extends keyof T> = T[M] extends {
  readonly choices: infer Choices;
}
  ? keyof Choices & string
  : T[M]['kind'] extends keyof ValueOfKind
    ? ValueOfKind[T[M]['kind']]
    : AttributeLists[M & ListName];

/** The members that a user writes. */
export type ContentName<T extends MemberTable> = {
  [M in keyof T]: 'request' extends T[M]['forms'][number] ? M : never;
}[keyof T] &
  string;

/** Which of them may be absent from a record that is kept: lists are there, if empty. */
type Empty<M extends Member> = M extends { readonly required: 'always' }
  ? never
  : M['kind'] extends ListKind
    ? never
    : null;

/** What a user writes, every member there. */
export type ContentOf<T extends MemberTable> = {
  readonly [M in ContentName<T>]: ValueOf<T, M> | Empty<T[M]>;
};

/** The same as a request has it; `Asked`: what must be given. */
export type InputOf<T extends MemberTable, Asked extends string> = {
  readonly [M in ContentName<T> as T[M] extends { readonly required: Asked } ? M : never]: ValueOf<T, M>;
} & {
  readonly [M in ContentName<T> as T[M] extends { readonly required: Asked } ? never : M]?: ValueOf<T, M>;
};

/** The same as it is kept: lists as JSON. */
export type ColumnsOf<T extends MemberTable> = {
  readonly [M in ContentName<T>]: T[M]['kind'] extends ListKind ? string | null : ContentOf<T>[M];
};

/** Several values in one. */
export const isList = ({ kind }: Member): boolean =>
  kind === 'codes' || kind === 'attributes' || kind === 'identifications';

/** A user writes it. */
export const isContent = ({ forms }: Member): boolean => forms.includes('request');

/** The members of a form, in the order of the table. */
export const namesIn = <T extends MemberTable>(table: T, form: FormName): readonly (keyof T & string)[] =>
  Object.keys(table).filter((name) => table[name]?.forms.includes(form) === true);

export const contentNames = <T extends MemberTable>(table: T): readonly ContentName<T>[] =>
  namesIn(table, 'request') as readonly ContentName<T>[]; // by the definition of the type

/** Makes what was received a content: every member there, absent ones empty. */
export function contentBy<T extends MemberTable>(table: T) {
  const members = contentNames(table).map((name) => ({
    name,
    absent: isList(table[name] as Member) ? [] : null,
  }));
  return (received: Readonly<Partial<Record<ContentName<T>, unknown>>>): ContentOf<T> => {
    const content: Record<string, unknown> = {};
    for (const { name, absent } of members) content[name] = received[name] ?? absent;
    return content as ContentOf<T>; // by the names of the table
  };
}

/** What people read of a record, some names in front: neither whose it is nor what takes more than a cell. */
export const readingOf = <T extends MemberTable>(table: T, first: readonly (keyof T & string)[]) =>
  withFirst(
    first,
    namesIn(table, 'page').filter((name) => !UNREAD.includes((table[name] as Member).kind)),
  );

const UNREAD: readonly Kind[] = ['company', 'attributes', 'identifications', 'day'];

/** Some of the names in front, in that order; the others behind. */
export const withFirst = <Name extends string>(
  first: readonly Name[],
  names: readonly Name[],
): readonly Name[] => [
  ...first.filter((name) => names.includes(name)),
  ...names.filter((name) => !first.includes(name)),
];

/** The column that each member of the content lies in. */
export const contentColumns = <T extends MemberTable>(table: T): { readonly [M in ContentName<T>]: string } =>
  Object.fromEntries(contentNames(table).map((name) => [name, columnOf(name)])) as {
    [M in ContentName<T>]: string; // by the names of the table
  };

/** The content of a row `t`, as a query selects it. */
export const contentSelected = (table: MemberTable, t: string): string =>
  contentNames(table)
    .map((name) => `${t}.${columnOf(name)} AS ${name}`)
    .join(', ');

const columnOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
