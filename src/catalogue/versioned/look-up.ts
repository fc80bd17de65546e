/** Finding records and their versions: the current one is the record itself. */
import { notFound } from '../../errors.ts';
import { type VersionNumber, versionText } from '../version.ts';
import type { Key, Place, VersionedKind } from './kind.ts';
import { type Current, type Version, isNumber } from './model.ts';

export class VersionedLookUp<P extends Place, I extends string | number, T, C extends object> {
  readonly #kind: VersionedKind<P, I, T, C>;

  constructor(kind: VersionedKind<P, I, T, C>) {
    this.#kind = kind;
  }

  /** The record of that key. Throws 404. */
  get(key: Key<P, I>): Current<C> {
    const record = this.#kind.records.find(key);
    if (record === undefined || this.#kind.otherPlace?.(key, record) !== undefined)
      throw this.#kind.unknown(key);
    return record;
  }

  /** One version of a record. Throws 404. */
  getVersion(key: Key<P, I>, record: Current<C>, number: VersionNumber): Version<C> {
    const version = this.findVersion(record, number);
    if (version === undefined)
      throw notFound(`O ${this.#kind.called(key)} não tem a versão ${versionText(number)}.`);
    return version;
  }

  findVersion(record: Current<C>, number: VersionNumber): Version<C> | undefined {
    return isNumber(record, number) ? record : this.#kind.store.findPast(record.id, number);
  }

  /** The latest rectification of the family of `number`; the current version is that of its own family. */
  findLatest(record: Current<C>, { family }: VersionNumber): Version<C> | undefined {
    return family === record.family ? record : this.#kind.store.findLatestPast(record.id, family);
  }
}
