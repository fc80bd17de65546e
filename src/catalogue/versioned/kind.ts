/** What a kind of record (product, foreign operator) hands in to the changes, items and look-ups that all kinds share. */
import type { Day } from '../../clock.ts';
import type { DomainError, Problem } from '../../errors.ts';
import type { Deed } from '../deed.ts';
import type { ProductOperation } from '../event.ts';
import type { Current, Slot, Version } from './model.ts';
import type { VersionedStore } from './store.ts';

/** Where a record belongs: its company, and whatever else its path names before the code. */
export interface Place {
  readonly cpfCnpjRaiz: string;
}

export type Key<P extends Place, I> = P & { readonly codigo: I };

/** `P`: place, `I`: code, `T`: content as a user writes it, `C`: content as it is kept. */
export interface VersionedKind<P extends Place, I extends string | number, T, C extends object> {
  readonly store: Pick<
    VersionedStore<C, object, object>,
    | 'supersede'
    | 'replace'
    | 'touch'
    | 'insertPast'
    | 'findPast'
    | 'findLatestPast'
    | 'latestFamily'
    | 'listInForce'
    | 'setUntil'
    | 'deactivatePast'
  >;
  /** A version may start on a day before the current one did. */
  readonly hasRetroactiveVersions: boolean;
  /** A version other than the current one may be deactivated. */
  readonly deactivatesAnyVersion: boolean;
  readonly rules: VersionedRules<P, T, C>;
  readonly records: Records<P, I, C>;
  columnsOf(content: T): C;
  /** The record in a sentence after its article: `produto 7`. */
  called(key: Key<P, I>): string;
  /** The refusal of a key that names no record: 404. */
  unknown(key: Key<P, I>): DomainError;
  /** The member of the place by which the record of that code lies elsewhere, and where; `undefined` where it fits. */
  otherPlace?(
    key: Key<P, I>,
    record: Current<C>,
  ): { readonly path: string; readonly where: string } | undefined;
  /** Publishes what was done to a record, of which that version tells. */
  changed(deed: Deed, key: Key<P, I>, version: Version<C>, operacao: ProductOperation): void;
}

/** How records are found and written by their keys. */
export interface Records<P extends Place, I, C> {
  /** The record of the company that has this code, whatever else of its place. */
  find(key: Key<P, I>): Current<C> | undefined;
  /** The key of the next record, and where it will lie. Throws 422 when there are no codes left. */
  next(place: P): { readonly key: Key<P, I>; readonly slot: Slot };
  /** Where a record that comes with its code will lie; the code is not given again. */
  reserve(key: Key<P, I>): Slot;
  insert(slot: Slot, key: Key<P, I>, version: Version<C>, now: number): void;
  /** What is found by its content has changed; `before` is what it was. */
  contentChanged?(before: Current<C>, after: Version<C>): void;
}

/** What is asked of the content of a version. */
export interface Asked<P extends Place, T, C> {
  readonly place: P;
  readonly content: T;
  readonly today: Day;
  /** The record itself, where there is one already. */
  readonly record: Current<C> | undefined;
  /** `least`: of a draft, or of what comes deactivated from elsewhere. */
  readonly strictness: 'all' | 'least';
  /** Whether it will be the content of an active record. */
  readonly isToBeActive: boolean;
}

export interface VersionedRules<P extends Place, T, C> {
  contentProblems(asked: Asked<P, T, C>): readonly Problem[];
  /** What a rectification may not change; `latest` is what it rectifies. */
  rectificationProblems?(record: Current<C>, latest: Version<C>, content: T): readonly Problem[];
}
