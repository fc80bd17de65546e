/** Offers records with versions to the rest of the program: each method is one unit of work, or one read. */
import type { Day } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { type BatchRunner, type ItemApplier, batchRunner } from '../batch.ts';
import { type ActorTransaction, callerTransaction } from '../actor-transaction.ts';
import { repeatsOf } from '../model.ts';
import { versionNumber, versionText } from '../version.ts';
import type { Repeats } from '../../validation/decoding.ts';
import type { VersionedChanges } from './changes.ts';
import type { Key, RecordTypes, VersionOf } from './kind.ts';
import type { VersionedLookUp } from './look-up.ts';
import { situacaoOf } from './model.ts';
import type { Changed } from './writing.ts';

export interface VersionedServiceDependencies<R extends RecordTypes, Request> {
  readonly changes: VersionedChanges<R>;
  readonly lookUp: VersionedLookUp<R>;
  readonly items: ItemApplier;
  readonly writer: Writer;
  readonly toContent: (request: Request) => R['content'];
  /** Returns the text of a response. */
  readonly print: (key: Key<R>, version: VersionOf<R>) => string;
}

/** The result of a change, with the JSON text of its response. */
export interface PrintedChange<R extends RecordTypes> extends Changed<R> {
  readonly json: string;
}

/** Methods that return a version without a change return it as the JSON text of a response. */
export class VersionedService<R extends RecordTypes, Request> {
  readonly #changes: VersionedChanges<R>;
  readonly #lookUp: VersionedLookUp<R>;
  readonly #writer: Writer;
  readonly #toContent: (request: Request) => R['content'];
  readonly #print: (key: Key<R>, version: VersionOf<R>) => string;
  readonly runBatch: BatchRunner;

  constructor({
    changes,
    lookUp,
    items,
    writer,
    toContent,
    print,
  }: VersionedServiceDependencies<R, Request>) {
    this.#changes = changes;
    this.#lookUp = lookUp;
    this.#writer = writer;
    this.#toContent = toContent;
    this.#print = print;
    this.runBatch = batchRunner(writer, items, 'with versions');
  }

  /** Includes a record, valid from `dataReferencia` or now. Throws 422. */
  include(
    caller: Caller,
    place: R['place'],
    request: Request,
    dataReferencia?: Day,
  ): Promise<PrintedChange<R>> {
    return this.change(caller, (actorTx, changes) =>
      changes.include(actorTx, place, this.#toContent(request), dataReferencia),
    );
  }

  /** Makes the next version, valid from `dataReferencia` or now; activates a draft. Throws 404, 422. */
  newVersion(caller: Caller, key: Key<R>, request: Request, dataReferencia?: Day): Promise<PrintedChange<R>> {
    return this.change(caller, (actorTx, changes) =>
      changes.newVersion(actorTx, key, this.#toContent(request), dataReferencia),
    );
  }

  /** Rectifies a version. Throws 404, 422. */
  rectify(caller: Caller, key: Key<R>, versao: string, request: Request): Promise<PrintedChange<R>> {
    return this.change(caller, (actorTx, changes) =>
      changes.rectify(actorTx, key, versionNumber(versao), this.#toContent(request)),
    );
  }

  /** Deactivates a version, by default the current one. Throws 404. */
  deactivate(caller: Caller, key: Key<R>, versao?: string): Promise<PrintedChange<R>> {
    const number = versao === undefined ? undefined : versionNumber(versao);
    return this.change(caller, (actorTx, changes) => changes.deactivate(actorTx, key, number));
  }

  /** Returns one version of a record. Throws 404. */
  getVersion(key: Key<R>, versao: string): string {
    return this.#print(key, this.#lookUp.getVersion(key, this.#lookUp.get(key), versionNumber(versao)));
  }

  /**
   * Returns the members that a returned form of the record may repeat: those of its current version, or of
   * the version that it follows.
   */
  repeats({ codigo, ...place }: Key<R>, versao?: string): Repeats {
    const key = { ...place, codigo } as Key<R>;
    const record = this.#lookUp.find(key);
    const members = { ...(place as unknown as Readonly<Record<string, string>>), codigo };
    if (record === undefined) return repeatsOf(members, { versao: [], situacao: [] }); // results in 404
    const namedVersion =
      versao === undefined ? undefined : this.#lookUp.findVersion(record, versionNumber(versao));
    const versions = namedVersion === undefined ? [record] : [record, namedVersion];
    return repeatsOf(members, {
      versao: versions.map(versionText),
      situacao: [...versions.map(situacaoOf), ...(versao === undefined ? ['ATIVADO'] : [])],
    });
  }

  /** Runs one change as a unit of work. */
  protected async change(
    caller: Caller,
    work: (actorTx: ActorTransaction, changes: VersionedChanges<R>) => Changed<R>,
  ): Promise<PrintedChange<R>> {
    const { key, version } = await this.#writer.write((tx) =>
      work(callerTransaction(tx, caller), this.#changes),
    );
    return { json: this.#print(key, version), key, version };
  }
}
