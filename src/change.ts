/** A change as the audit keeps it (contract section 16): told by the unit of work that makes it, kept in its transaction. */

/** Who changes something: a person, with the key or certificate that opened the session, or whom a name says (contract section 14). */
export type Actor = string | { readonly documento: string; readonly key: string | null };

/** As `madeBy` names them. */
export const nameOf = (by: Actor): string => (typeof by === 'string' ? by : by.documento);

/** What an account, a remote or a subscription has, or had. */
export type Members = Readonly<Record<string, string | number | boolean | null>>;

export interface MembersChanged {
  readonly before: Members | null;
  readonly after: Members | null;
}

/** Stands for a secret that is another one now. */
export const CHANGED_SECRET = 'mudado';

/** The members that differ; `null`: there was no record, or is none any more. */
export const membersChanged = (before: object | undefined, after: object | undefined): MembersChanged => ({
  before: differing(before as Members | undefined, after as Members | undefined),
  after: differing(after as Members | undefined, before as Members | undefined),
});

function differing(one: Members | undefined, other: Members = {}): Members | null {
  if (one === undefined) return null;
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => value !== (other[name] ?? null)));
}

export interface Change {
  readonly by: Actor;
  /** Where it is not told by who did it: items of files, and what is fetched from a remote. */
  readonly channel?: 'import' | 'remote';
  /** What was done, in the words of the events where there is one. */
  readonly action: string;
  readonly kind: SubjectKind;
  /** Within the kind: `12345678/7`. */
  readonly key: string;
  /** Versions, or the members that changed; never a content, never a secret. */
  readonly before?: string | Members | null;
  readonly after?: string | Members | null;
  /** Of a record: how it was found and left. An import keeps it, to be taken back by; the audit does not. */
  readonly found?: () => Found;
}

/** How a change found a record and left it; `null`: it was not, or is no more. */
export interface Found {
  readonly was: string | null;
  readonly is: string | null;
  /** What it had in it, where nothing else keeps that. */
  readonly held?: unknown;
  /** The change was not of what is current, and is not taken back. */
  readonly isPast?: true;
}

export const SUBJECT_KINDS = [
  'produto',
  'operador',
  'vinculo',
  'ato-concessorio',
  'empresa',
  'usuario',
  'representacao',
  'chave',
  'assinatura',
  'importacao',
  'atencao',
  'tabela',
  'nomenclatura',
  'remoto',
  'backup',
  'trilha',
  'epoca',
] as const;

export type SubjectKind = (typeof SUBJECT_KINDS)[number];
