/** What a kind of record (product, foreign operator) hands in to the changes, items and look-ups that all kinds share. */
import type { Day } from '../../clock.ts';
import type { SubjectKind } from '../../change.ts';
import type { DomainError, Problem } from '../../errors.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import type { ProductOperation } from '../event.ts';
import type { Current, Slot, Version } from './model.ts';
import type { VersionRows } from './store.ts';

/** Where a record belongs: its company, and whatever else its path names before the code. */
export interface RecordPlace {
  readonly cpfCnpjRaiz: string;
}

/** What a kind of record is made of. */
export interface RecordTypes {
  readonly place: RecordPlace;
  readonly codigo: string | number;
  /** What a user writes. */
  readonly content: unknown;
  /** The same as it is kept, each member in a column of its own. */
  readonly columns: object;
}

export type Key<R extends RecordTypes> = R['place'] & { readonly codigo: R['codigo'] };
export type RecordOf<R extends RecordTypes> = Current<R['columns']>;
export type VersionOf<R extends RecordTypes> = Version<R['columns']>;

export interface VersionedKind<R extends RecordTypes> {
  readonly store: VersionRows<R['columns']>;
  /** A version may start on a day before the current one did. */
  readonly hasRetroactiveVersions: boolean;
  /** A version other than the current one may be deactivated. */
  readonly deactivatesAnyVersion: boolean;
  readonly rules: VersionedRules<R>;
  readonly records: Records<R>;
  columnsOf(content: R['content']): R['columns'];
  contentOf(columns: R['columns']): R['content'];
  /** What the audit calls it. */
  readonly subject: SubjectKind;
  /** The record in a sentence after its article: `produto 7`. */
  called(key: Key<R>): string;
  /** The refusal of a key that names no record: 404. */
  unknown(key: Key<R>): DomainError;
  /** The member of the place by which the record of that code lies elsewhere, and where; `undefined` where it fits. */
  otherPlace?(
    key: Key<R>,
    record: RecordOf<R>,
  ): { readonly path: string; readonly where: string } | undefined;
  /** Publishes what was done to a record, of which that version tells. */
  changed(actorTx: ActorTransaction, key: Key<R>, version: VersionOf<R>, operacao: ProductOperation): void;
}

/** How records are found and written by their keys. */
export interface Records<R extends RecordTypes> {
  /** The record of the company that has this code, whatever else of its place. */
  find(key: Key<R>): RecordOf<R> | undefined;
  /** The key of the next record, and where it will lie. Throws 422 when there are no codes left. */
  next(place: R['place']): { readonly key: Key<R>; readonly slot: Slot };
  /** Where a record that comes with its code will lie; the code is not given again. */
  reserve(key: Key<R>): Slot;
  insert(slot: Slot, key: Key<R>, version: VersionOf<R>, now: number): void;
  /** What is found by its content has changed; `before` is what it was. */
  contentChanged?(before: RecordOf<R>, after: VersionOf<R>): void;
}

/** What is asked of the content of a version. */
export interface JudgedContent<R extends RecordTypes> {
  readonly place: R['place'];
  readonly content: R['content'];
  readonly today: Day;
  /** The record itself, where there is one already. */
  readonly record: RecordOf<R> | undefined;
  /** `least`: of a draft, or of what comes deactivated from elsewhere. */
  readonly strictness: 'all' | 'least';
  /** Whether it will be the content of an active record. */
  readonly isToBeActive: boolean;
}

export interface VersionedRules<R extends RecordTypes> {
  contentProblems(asked: JudgedContent<R>): readonly Problem[];
  /** What a rectification may not change; `latest` is what it rectifies. */
  rectificationProblems?(
    record: RecordOf<R>,
    latest: VersionOf<R>,
    content: R['content'],
  ): readonly Problem[];
}
