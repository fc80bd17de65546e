/** Versions of records, for products and foreign operators (contract sections 5 and 6). */
import type { Day, EpochMs } from '../../clock.ts';
import { SITUACAO_WORDS } from '../members/member.ts';
import type { VersionNumber } from '../version.ts';

export type Situacao = keyof typeof SITUACAO_WORDS;
export const SITUACOES = Object.keys(SITUACAO_WORDS) as readonly Situacao[];

/** Value of `draftUntil` while the version is a draft. It is later than every moment that occurs. */
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

/** Version as stored; `C` is its content, each member in its own column. */
export type Version<C> = C &
  VersionNumber &
  Marks & {
    readonly startsOn: Day;
    readonly madeAt: EpochMs;
    /** The documento of a caller, or a system name (actor-transaction.ts). */
    readonly madeBy: string;
    /** The author of the proposal whose approval made it; `null` for any other version. */
    readonly proposedBy: string | null;
  };

/** Record, stored as its current version. */
export type Current<C> = Version<C> & {
  readonly id: number;
  readonly companyId: number;
  /** Situation of the current version. */
  readonly situacao: Situacao;
};

/** Stored key for a record that does not exist yet. */
export interface ReservedKey {
  readonly id: number;
  readonly companyId: number;
}

/**
 * Keys of records: the company's number, then ten digits. Exact up to company 900 000, which is the last
 * one.
 */
export const KEYS_OF_COMPANY = 10_000_000_000;

export const keyIn = (companyId: number, number: number): number => companyId * KEYS_OF_COMPANY + number;

/** Range of record keys: greater than `after`, none greater than `upTo`. */
export interface KeyRange {
  readonly after: number;
  readonly upTo: number;
}

/** Returns the range of all records of a company. */
export const keysOf = (companyId: number): KeyRange => ({
  after: keyIn(companyId, 0),
  upTo: keyIn(companyId, KEYS_OF_COMPANY - 1),
});

/** Returns the number of a record within its company, from its key: the `codigo` of a product. */
export const numberInCompany = (key: number): number => key % KEYS_OF_COMPANY;

/** Returns true if the version has that number. */
export const isNumber = (version: VersionNumber, { family, rectification }: VersionNumber): boolean =>
  version.family === family && version.rectification === rectification;
