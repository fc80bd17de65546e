/** Finding records and their versions: the current one is the record itself. */
import { notFound } from '../../errors.ts';
import { type VersionNumber, versionText } from '../version.ts';
import type { Key, RecordOf, RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { isNumber } from './model.ts';

export class VersionedLookUp<R extends RecordTypes> {
  readonly #kind: VersionedKind<R>;

  constructor(kind: VersionedKind<R>) {
    this.#kind = kind;
  }

  /** The record of that key. Throws 404. */
  get(key: Key<R>): RecordOf<R> {
    const record = this.find(key);
    if (record === undefined) throw this.#kind.unknown(key);
    return record;
  }

  find(key: Key<R>): RecordOf<R> | undefined {
    const record = this.#kind.records.find(key);
    return record !== undefined && this.#kind.otherPlace?.(key, record) === undefined ? record : undefined;
  }

  /** One version of a record. Throws 404. */
  getVersion(key: Key<R>, record: RecordOf<R>, number: VersionNumber): VersionOf<R> {
    const version = this.findVersion(record, number);
    if (version === undefined)
      throw notFound(`O ${this.#kind.called(key)} não tem a versão ${versionText(number)}.`);
    return version;
  }

  findVersion(record: RecordOf<R>, number: VersionNumber): VersionOf<R> | undefined {
    return isNumber(record, number) ? record : this.#kind.store.findPast(record.id, number);
  }

  /** The latest rectification of the family of `number`; the current version is that of its own family. */
  findLatest(record: RecordOf<R>, { family }: VersionNumber): VersionOf<R> | undefined {
    return family === record.family ? record : this.#kind.store.findLatestPast(record.id, family);
  }
}
