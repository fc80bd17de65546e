/** Finds records and their versions: the current version is the record itself. */
import { notFound } from '../../errors.ts';
import { type VersionNumber, versionText } from '../version.ts';
import type { Key, RecordOf, RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { isNumber } from './model.ts';

export class VersionedLookUp<R extends RecordTypes> {
  readonly #kind: VersionedKind<R>;

  constructor(kind: VersionedKind<R>) {
    this.#kind = kind;
  }

  /** Returns the record with that key. Throws 404. */
  get(key: Key<R>): RecordOf<R> {
    const record = this.find(key);
    if (record === undefined) throw this.#kind.unknownKey(key);
    return record;
  }

  find(key: Key<R>): RecordOf<R> | undefined {
    const record = this.#kind.records.find(key);
    return record !== undefined && this.#kind.otherPlace?.(key, record) === undefined ? record : undefined;
  }

  /** Returns one version of a record. Throws 404. */
  getVersion(key: Key<R>, record: RecordOf<R>, number: VersionNumber): VersionOf<R> {
    const version = this.findVersion(record, number);
    if (version === undefined)
      throw notFound(`O ${this.#kind.nameInSentence(key)} não tem a versão ${versionText(number)}.`, {
        member: 'versao',
      });
    return version;
  }

  findVersion(record: RecordOf<R>, number: VersionNumber): VersionOf<R> | undefined {
    return isNumber(record, number) ? record : this.#kind.store.findPast(record.id, number);
  }

  /**
   * Returns the latest rectification of the family of `number`; for its own family this is the current
   * version.
   */
  findLatest(record: RecordOf<R>, { family }: VersionNumber): VersionOf<R> | undefined {
    return family === record.family ? record : this.#kind.store.findLatestPast(record.id, family);
  }
}
