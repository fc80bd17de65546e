/**
 * A change as the audit keeps it (contract section 16). The unit of work reports it, and its transaction
 * stores it.
 */

/**
 * The author of a change: a person, with the key, the certificate or the kind of sign-in that opened the
 * session, or a name (contract section 14).
 */
export type Actor =
  | string
  | {
      readonly documento: string;
      readonly key: string | null;
      readonly proposal?: Proposed | undefined;
      /** Throws 403 unless the actor is still an administrator. Present when the change requires one. */
      readonly requireAdministrator?: (() => void) | undefined;
    };

/** The approved proposal that a change carries out (contract section 27): its import, and its author. */
export interface Proposed {
  readonly id: number;
  readonly by: string;
}

/** Returns the name of an actor for `madeBy`. */
export const nameOf = (by: Actor): string => (typeof by === 'string' ? by : by.documento);

/** Returns the proposal that an actor carries out. `undefined`: none. */
export const proposalOf = (by: Actor): Proposed | undefined =>
  typeof by === 'string' ? undefined : by.proposal;

/** Members of an account, a remote or a subscription, before or after a change. */
export type Members = Readonly<Record<string, string | number | boolean | null>>;

export interface MembersChanged {
  readonly before: Members | null;
  readonly after: Members | null;
}

/** Stands for a changed secret. */
export const CHANGED_SECRET = 'mudado';

/** Returns the members that differ. `null`: the record did not exist before, or does not exist after. */
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
  /** The channel of changes that no user makes directly: items of files, and data fetched from a remote. */
  readonly channel?: 'import' | 'remote';
  readonly action: ChangeAction;
  readonly kind: SubjectKind;
  /** The key within the kind: `12345678/7`. */
  readonly key: string;
  /**
   * Versions, or the changed members; never a content, never a secret. Both are required, so that a new
   * action says what it changes; `null`: nothing.
   */
  readonly before: string | Members | null;
  readonly after: string | Members | null;
  /** For a record: its state before and after. An import keeps it for its rollback; the audit does not. */
  readonly states?: () => StatesOfChange;
}

/** The state of a record before and after a change. `null`: it did not exist. */
export interface StatesOfChange {
  readonly was: string | null;
  readonly is: string | null;
  /** The previous content, when it is not stored in another place. */
  readonly held?: unknown;
  /** The change applied to a past version, and is not rolled back. */
  readonly isPast?: true;
}

/** The actions of changes, with the words of their events where they have one. */
export type ChangeAction =
  | 'AGENDAMENTO'
  | 'ALTERACAO'
  | 'APROVACAO'
  | 'ATIVACAO'
  | 'BUSCA'
  | 'CANCELAMENTO'
  | 'COMPARACAO'
  | 'CONCLUSAO'
  | 'CONTINUACAO'
  | 'COPIA'
  | 'DESATIVACAO'
  | 'DESATIVACAO_SISTEMA'
  | 'DESVINCULACAO'
  | 'DISPENSA'
  | 'ENCERRAMENTO'
  | 'ENVIO'
  | 'ESQUECIMENTO'
  | 'EXCLUSAO'
  | 'FALHA'
  | 'INCLUSAO'
  | 'INCLUSAO_RETROATIVA'
  | 'LEITURA'
  | 'NOVA_VERSAO'
  | 'PARADA'
  | 'PAREAMENTO'
  | 'PROPOSTA'
  | 'RECUSA'
  | 'RESTAURACAO'
  | 'RETIFICACAO'
  | 'RETIRADA'
  | 'REVOGACAO'
  | 'SUBSTITUICAO'
  | 'VINCULACAO';

export const SUBJECT_KINDS = [
  'produto',
  'operador',
  'vinculo',
  'ato-concessorio',
  'empresa',
  'usuario',
  'representacao',
  'chave',
  'identidade',
  'grupo',
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
