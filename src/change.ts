/** A change as the audit keeps it (contract section 16): told by the unit of work that makes it, kept in its transaction. */

export interface Change {
  /** Who did it, as `madeBy` names them (contract section 14). */
  readonly by: string;
  /** Where it is not told by who did it: items of files. */
  readonly channel?: 'import';
  /** What was done, in the words of the events where there is one. */
  readonly action: string;
  readonly kind: SubjectKind;
  /** Within the kind: `12345678/7`. */
  readonly key: string;
  /** Versions; never a content, never a secret. */
  readonly before?: string | null;
  readonly after?: string | null;
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
  'tabela',
  'backup',
  'trilha',
] as const;

export type SubjectKind = (typeof SUBJECT_KINDS)[number];
