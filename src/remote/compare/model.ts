/** What a comparison says of records (contract section 18); plain values, since they cross from the reading Worker. */
import type { StandingState as RemoteState } from '../../catalogue/members/standing.ts';
import type { CatalogueRules } from '../../validation/company.ts';

/** In the order in which they would be sent. */
export const REMOTE_KINDS = ['operador', 'produto', 'vinculo'] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];
/** Those that are told apart by more than what they say. */
export type PairedKind = Exclude<RemoteKind, 'vinculo'>;

export {
  STANDING_STATES as REMOTE_STATES,
  STANDING_WORDS as STATE_WORDS,
  type StandingState as RemoteState,
} from '../../catalogue/members/standing.ts';

/** A record of one of the two sides, as it is compared. */
export interface Side {
  /** Its code, in a form whose texts are in the order of the codes. */
  readonly key: string;
  readonly versao: string;
  readonly name: string;
  readonly situacao: string;
  /** The fingerprint of all that is compared: equal records have the same. */
  readonly whole: number;
  /** Of what makes two records of one side identical (contract section 5). */
  readonly identity: number;
  /** The content, as `members` reads it. */
  readonly text: string;
  /** By which it is found on the other side, and of what sort each is. */
  readonly words: readonly (readonly [sort: string, word: string])[];
}

/** What of a profile's rules says whether a record could be sent. */
export type SendingRules = Pick<
  CatalogueRules,
  'denominacaoMax' | 'nomeMax' | 'modalidadeAmbos' | 'refuseIdentical'
>;

/** A member that differs; `base`: as it was when both sides agreed last. */
export interface Difference {
  readonly member: string;
  readonly heading: string;
  readonly here: string | null;
  readonly there: string | null;
  readonly base: { readonly here: string | null; readonly there: string | null } | null;
}

/** A record there that may be one of ours. */
export interface Candidate {
  readonly there: string;
  readonly versao: string;
  readonly name: string;
  readonly situacao: string;
  /** Its fingerprint. */
  readonly whole: number;
}

/** As both sides were when they agreed last: our version, and the fingerprints. `null`: that side never did. */
export interface Base {
  readonly versao: string | null;
  readonly here: number | null;
  readonly there: number | null;
}

/** Who is who. */
export interface Pair {
  readonly kind: RemoteKind;
  readonly here: string;
  /** `null`: it is said to be new there. */
  readonly there: string | null;
  readonly base: Base;
}

/** One record, or one pair of them, as it was found; keys are those of `Side`. */
export interface Found {
  readonly kind: RemoteKind;
  readonly here: string | null;
  readonly there: string | null;
  readonly hereVersao: string | null;
  readonly thereVersao: string | null;
  readonly hereWhole: number | null;
  readonly thereWhole: number | null;
  readonly name: string;
  readonly state: RemoteState;
  /** Of what a run left `incerto` or `recusado`: how it would stand without that. */
  readonly otherwise?: RemoteState | null;
  readonly reason: string | null;
  readonly differences: readonly Difference[];
  readonly candidates: readonly Candidate[];
}

/** How many records of a kind are in which state. */
export type Counts = Readonly<Record<RemoteKind, Partial<Record<RemoteState, number>>>>;

/** A stretch of what a comparison finds, as JSON: to be kept in one transaction. */
export interface ComparedPart {
  readonly found: readonly Found[];
  readonly pairs: readonly Pair[];
  /** Pairs of which neither side is left. */
  readonly gone: readonly Pick<Pair, 'kind' | 'here'>[];
}

/** How many products and operators are active on either side. */
export interface Active {
  readonly here: number;
  readonly there: number;
}

/** The numbers in the last codes there. */
export type LastCodes = Readonly<Record<PairedKind, number>>;

/** What a comparison that came to its end tells. */
export interface Counted {
  readonly counts: Counts;
  readonly active: Active;
  readonly last: LastCodes;
}

/** How it ends: what was counted, or why it cannot be done. */
export type ComparedEnd = Counted | { readonly failed: string };

/** The files of a comparison, in the order in which they are read. */
export const COMPARED_FILES = { operador: 'operadores', produto: 'produtos', vinculo: 'vinculos' } as const;
export const COMPARED_FILE_NAMES = Object.values(COMPARED_FILES);
export type ComparedFile = (typeof COMPARED_FILE_NAMES)[number];
export type ComparedFiles = Readonly<Record<ComparedFile, string>>;
