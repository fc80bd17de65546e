/** What versions of records have in common, be they of products or of foreign operators (contract sections 5 and 6). */
import type { Day, EpochMs } from '../../clock.ts';
import { SITUACAO_WORDS } from '../members/member.ts';
import type { VersionNumber } from '../version.ts';

export type Situacao = keyof typeof SITUACAO_WORDS;
export const SITUACOES = Object.keys(SITUACAO_WORDS) as readonly Situacao[];

/** Later than every moment: the version is a draft. 9999-12-31T23:59:59-03:00 and then some. */
export const STILL_DRAFT: EpochMs = 253_402_300_799_000;

export interface Marks {
  /** `null` for a version that never was a draft; `STILL_DRAFT` while it is one. */
  readonly draftUntil: EpochMs | null;
  readonly deactivatedAt: EpochMs | null;
  readonly deactivatedBy: string | null;
}

export const ACTIVE: Marks = { draftUntil: null, deactivatedAt: null, deactivatedBy: null };
export const DRAFT: Marks = { ...ACTIVE, draftUntil: STILL_DRAFT };

export function situacaoOf({
  draftUntil,
  deactivatedAt,
}: Pick<Marks, 'draftUntil' | 'deactivatedAt'>): Situacao {
  if (deactivatedAt !== null) return 'DESATIVADO';
  return draftUntil === STILL_DRAFT ? 'RASCUNHO' : 'ATIVADO';
}

/** A version as it is kept; `C` is its content, each member in a column of its own. */
export type Version<C> = C &
  VersionNumber &
  Marks & {
    readonly startsOn: Day;
    readonly madeAt: EpochMs;
    /** The documento of a caller, or one of ours (actor-transaction.ts). */
    readonly madeBy: string;
  };

/** A record, which lies on disk as its current version. */
export type Current<C> = Version<C> & {
  readonly id: number;
  readonly companyId: number;
  /** That of the current version. */
  readonly situacao: Situacao;
};

/** Where a record that is not there yet will lie. */
export interface Slot {
  readonly id: number;
  readonly companyId: number;
}

/** Keys of records: the company's number, then ten digits. Exact up to company 900 000, which is the last one. */
export const KEYS_OF_COMPANY = 10_000_000_000;

export const keyIn = (companyId: number, place: number): number => companyId * KEYS_OF_COMPANY + place;

/** Only records of these keys: greater than `after`, none greater than `upTo`. */
export interface KeyRange {
  readonly after: number;
  readonly upTo: number;
}

/** All of a company. */
export const keysOf = (companyId: number): KeyRange => ({
  after: keyIn(companyId, 0),
  upTo: keyIn(companyId, KEYS_OF_COMPANY - 1),
});

/** The place of a key within its company: the `codigo` of a product. */
export const placeOf = (key: number): number => key % KEYS_OF_COMPANY;

/** The version of that number, where the current one is it. */
export const isNumber = (version: VersionNumber, { family, rectification }: VersionNumber): boolean =>
  version.family === family && version.rectification === rectification;
