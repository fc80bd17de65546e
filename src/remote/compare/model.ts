/**
 * Results of a comparison (contract section 18). Holds plain values only, because they cross from the
 * reading Worker.
 */
import type { StandingState as RemoteState } from '../../catalogue/members/standing.ts';
import type { CatalogueRules } from '../../validation/company.ts';

/** Kinds in the order of sending. */
export const REMOTE_KINDS = ['operador', 'produto', 'vinculo'] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];
/** Kinds whose records have content besides their key. */
export type PairedKind = Exclude<RemoteKind, 'vinculo'>;

export {
  STANDING_STATES as REMOTE_STATES,
  STANDING_WORDS as STATE_WORDS,
  type StandingState as RemoteState,
} from '../../catalogue/members/standing.ts';

/** A record of one side in its compared form. */
export interface Side {
  /** The code, in a form that sorts as text in the order of the codes. */
  readonly key: string;
  readonly versao: string;
  readonly name: string;
  readonly situacao: string;
  /** The fingerprint of all compared content. Equal records have the same one. */
  readonly fingerprint: number;
  /** The fingerprint of the content that makes two records of one side identical (contract section 5). */
  readonly identity: number;
  /** The content as text, which `members` reads. */
  readonly text: string;
  /** The words that find the record on the other side, each with its sort. */
  readonly words: readonly (readonly [sort: string, word: string])[];
}

/** The rules of a profile that decide if a record can be sent. */
export type SendingRules = Pick<
  CatalogueRules,
  'denominacaoMax' | 'nomeMax' | 'modalidadeAmbos' | 'refuseIdentical'
>;

/** A member that differs. `base`: its value at the last agreement of both sides. */
export interface Difference {
  readonly member: string;
  readonly heading: string;
  readonly here: string | null;
  readonly there: string | null;
  readonly base: { readonly here: string | null; readonly there: string | null } | null;
}

/** A remote record that may match a local one. */
export interface Candidate {
  readonly there: string;
  readonly versao: string;
  readonly name: string;
  readonly situacao: string;
  /** The fingerprint of the candidate. The name `whole` is stored and never changes. */
  readonly whole: number;
}

/**
 * Both sides at their last agreement: the local version and both fingerprints. `null`: that side never
 * agreed.
 */
export interface Base {
  readonly versao: string | null;
  readonly local: number | null;
  readonly remote: number | null;
}

/** A pair of a local and a remote record. */
export interface Pair {
  readonly kind: RemoteKind;
  readonly localKey: string;
  /** `null`: a person declared the record new in the remote. */
  readonly remoteKey: string | null;
  readonly base: Base;
}

/** The result of a comparison for one record or pair of records. Keys are those of `Side`. */
export interface RecordComparison {
  readonly kind: RemoteKind;
  readonly localKey: string | null;
  readonly remoteKey: string | null;
  readonly localVersao: string | null;
  readonly remoteVersao: string | null;
  readonly localFingerprint: number | null;
  readonly remoteFingerprint: number | null;
  readonly name: string;
  readonly state: RemoteState;
  /** The state without the step that a run left `incerto` or `recusado`. */
  readonly otherwise?: RemoteState | null;
  readonly reason: string | null;
  readonly differences: readonly Difference[];
  readonly candidates: readonly Candidate[];
}

/** The number of records of each kind in each state. */
export type Counts = Readonly<Record<RemoteKind, Partial<Record<RemoteState, number>>>>;

/** A part of the results of a comparison, as JSON. One transaction stores it. */
export interface ComparisonPart {
  readonly records: readonly RecordComparison[];
  readonly pairs: readonly Pair[];
  /** Pairs whose records are missing on both sides. */
  readonly obsoletePairs: readonly Pick<Pair, 'kind' | 'localKey'>[];
}

/** The number of active products and operators on each side. */
export interface ActiveCounts {
  readonly here: number;
  readonly there: number;
}

/** The numbers in the last remote codes. */
export type LastCodes = Readonly<Record<PairedKind, number>>;

/** The totals of a finished comparison. */
export interface ComparisonTotals {
  readonly counts: Counts;
  readonly active: ActiveCounts;
  readonly last: LastCodes;
}

/** The rule that makes files unfit for a comparison. */
export type IncomparableRule = 'manyMissing' | 'unfitExport';

/** The end of a comparison: its totals, or the reason of its failure. */
export type ComparisonEnd =
  ComparisonTotals | { readonly failed: { readonly rule: IncomparableRule; readonly message: string } };

/** The files of a comparison, in reading order. */
export const COMPARED_FILES = { operador: 'operadores', produto: 'produtos', vinculo: 'vinculos' } as const;
export const COMPARED_FILE_NAMES = Object.values(COMPARED_FILES);
export type ComparedFile = (typeof COMPARED_FILE_NAMES)[number];
export type ComparedFiles = Readonly<Record<ComparedFile, string>>;
