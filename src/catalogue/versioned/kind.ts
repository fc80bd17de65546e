/** Defines a kind of record (product, foreign operator) for the changes, items and look-ups that all share. */
import type { Day } from '../../clock.ts';
import type { SubjectKind } from '../../change.ts';
import type { DomainError, Problem } from '../../errors.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import type { ProductOperation } from '../event.ts';
import type { Current, ReservedKey, Version } from './model.ts';
import type { VersionRows } from './store.ts';

/** Members of a record's key before its code: the company, and for an operator its country. */
export interface RecordPlace {
  readonly cpfCnpjRaiz: string;
}

/** Types of a kind of record. */
export interface RecordTypes {
  readonly place: RecordPlace;
  readonly codigo: string | number;
  /** Content that a user writes. */
  readonly content: unknown;
  /** Stored content, each member in its own column. */
  readonly columns: object;
}

export type Key<R extends RecordTypes> = R['place'] & { readonly codigo: R['codigo'] };
export type RecordOf<R extends RecordTypes> = Current<R['columns']>;
export type VersionOf<R extends RecordTypes> = Version<R['columns']>;

export interface VersionedKind<R extends RecordTypes> {
  readonly store: VersionRows<R['columns']>;
  /** True if a version may start before the current one. */
  readonly hasRetroactiveVersions: boolean;
  /** True if a version other than the current one may be deactivated. */
  readonly deactivatesAnyVersion: boolean;
  readonly rules: VersionedRules<R>;
  readonly records: Records<R>;
  columnsOf(content: R['content']): R['columns'];
  contentOf(columns: R['columns']): R['content'];
  /** Kind of subject in the audit. */
  readonly subject: SubjectKind;
  /** Returns the name of the record in a sentence after its article: `produto 7`. */
  nameInSentence(key: Key<R>): string;
  /** Returns the refusal of a key that names no record: 404. */
  unknownKey(key: Key<R>): DomainError;
  /**
   * Returns the member of the place that differs from that of the record with this code, and where the record
   * is. `undefined`: the place is the same.
   */
  otherPlace?(
    key: Key<R>,
    record: RecordOf<R>,
  ): { readonly path: string; readonly location: string } | undefined;
  /** Publishes a change of a record, with the given version. */
  publishChange(
    actorTx: ActorTransaction,
    key: Key<R>,
    version: VersionOf<R>,
    operacao: ProductOperation,
  ): void;
}

/** Finds and writes records by key. */
export interface Records<R extends RecordTypes> {
  /** Returns the record of the company with this code; the rest of its place may differ. */
  find(key: Key<R>): RecordOf<R> | undefined;
  /** Returns the keys of the next record. Throws 422 when there are no codes left. */
  next(place: R['place']): { readonly key: Key<R>; readonly reservedKey: ReservedKey };
  /** Returns the stored key of a record that has its own code; the code is not assigned again. */
  reserve(key: Key<R>): ReservedKey;
  insert(reservedKey: ReservedKey, key: Key<R>, version: VersionOf<R>, now: number): void;
  /** Updates the indexes on content after a change; `before` is the previous record. */
  contentChanged?(before: RecordOf<R>, after: VersionOf<R>): void;
}

/** Content of a version to be checked. */
export interface JudgedContent<R extends RecordTypes> {
  readonly place: R['place'];
  readonly content: R['content'];
  readonly today: Day;
  /** Existing record, if there is one. */
  readonly record: RecordOf<R> | undefined;
  /** `least`: for a draft, or for a deactivated record that was mirrored or fetched from another server. */
  readonly strictness: 'all' | 'least';
  /** True if it becomes the content of an active record. */
  readonly isToBeActive: boolean;
}

export interface VersionedRules<R extends RecordTypes> {
  contentProblems(subject: JudgedContent<R>): readonly Problem[];
  /** Returns violations of what a rectification must keep; `latest` is the version that it rectifies. */
  rectificationProblems?(
    record: RecordOf<R>,
    latest: VersionOf<R>,
    content: R['content'],
  ): readonly Problem[];
}
