/**
 * Applies records fetched from a remote (contract section 18, Fetch): a new local record under the code that
 * was chosen for it, or the remote state of an existing one, in any situation.
 */
import type { Transaction } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { dayOf } from '../../validation/calendar.ts';
import { asSchema } from '../../validation/schema.ts';
import { type AppliedItem, type ItemReading, decodeItem } from '../batch.ts';
import { type ActorTransaction, callerTransaction } from '../actor-transaction.ts';
import { type MemberText, differencesOf } from '../record.ts';
import { versionText } from '../version.ts';
import { type ItemHead, type RecordAccess, itemSchemaOf } from './items.ts';
import type { Key, RecordOf, RecordTypes } from './kind.ts';
import type { Situacao } from './model.ts';
import type { MembersOf } from './undo.ts';
import type { Changed } from './writing.ts';

/** A fetched record. `isNew`: it does not exist locally. */
export interface Arrival {
  readonly received: unknown;
  readonly isNew: boolean;
}

/** Applies a whole record: an item with its own code, in the form of a batch. */
export interface Arrivals {
  apply(tx: Transaction, caller: Caller, arrival: Arrival, reading: ItemReading): AppliedItem;
}

interface FetchedRecord<R extends RecordTypes> {
  readonly content: R['content'];
  readonly situacao: Situacao;
}

const NOTHING: ReadonlyMap<string, MemberText> = new Map();

export class VersionedArrivals<
  R extends RecordTypes,
  Item extends ItemHead<R> & { readonly codigo?: R['codigo'] },
> implements Arrivals {
  readonly #access: RecordAccess<R, Item>;
  readonly #membersOf: MembersOf<R>;

  constructor(access: RecordAccess<R, Item>, membersOf: MembersOf<R>) {
    this.#access = access;
    this.#membersOf = membersOf;
  }

  /** Throws 400, 403, 404, 422. */
  apply(tx: Transaction, caller: Caller, { received, isNew }: Arrival, reading: ItemReading): AppliedItem {
    const { schemas, lookUp, placeOf, toContent } = this.#access;
    const schema = asSchema(itemSchemaOf(schemas[reading.origin], received, 'espelho'));
    const item = decodeItem<Item>(schema, received, caller, reading);
    const actorTx = callerTransaction(tx, caller);
    const fetchedRecord = { content: toContent(item), situacao: item.situacao ?? 'ATIVADO' };
    const key = { ...placeOf(item), codigo: item.codigo } as Key<R>; // a fetched record has a code
    const today = dayOf(actorTx.now);
    const before = isNew ? NOTHING : this.#membersOf(key, lookUp.get(key), today);
    const changed = isNew
      ? this.#include(actorTx, key, fetchedRecord)
      : this.#change(actorTx, key, lookUp.get(key), fetchedRecord);
    const changes = differencesOf(before, this.#membersOf(key, changed.version, today));
    const doneOutcome = fetchedRecord.situacao === 'DESATIVADO' ? 'deactivated' : 'newVersion';
    return {
      codigo: String(key.codigo),
      versao: versionText(changed.version),
      outcome: isNew ? 'created' : changes.length === 0 ? 'unchanged' : doneOutcome,
      changes,
    };
  }

  /** Deactivates a record that no longer exists at the remote. Throws 404. */
  deactivate(tx: Transaction, caller: Caller, key: Key<R>): AppliedItem {
    const { changes, lookUp } = this.#access;
    const actorTx = callerTransaction(tx, caller);
    const today = dayOf(actorTx.now);
    const before = this.#membersOf(key, lookUp.get(key), today);
    const { version, isUnchanged } = changes.deactivate(actorTx, key);
    return {
      codigo: String(key.codigo),
      versao: versionText(version),
      outcome: isUnchanged === true ? 'unchanged' : 'deactivated',
      changes: differencesOf(before, this.#membersOf(key, version, today)),
    };
  }

  /** An active record is checked by the current rules; any other is stored as it was. */
  #include(actorTx: ActorTransaction, key: Key<R>, fetchedRecord: FetchedRecord<R>): Changed<R> {
    return this.#access.mirror.apply(actorTx, key, { ...fetchedRecord, number: FIRST, startsOn: undefined });
  }

  #change(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    { content, situacao }: FetchedRecord<R>,
  ): Changed<R> {
    const { changes, kind } = this.#access;
    if (situacao === 'ATIVADO') return changes.newVersion(actorTx, key, content);
    if (situacao === 'RASCUNHO') return changes.editDraft(actorTx, key, content);
    const columns = kind.columnsOf(content);
    const isSame = (Object.keys(columns) as (keyof R['columns'])[]).every(
      (member) => record[member] === columns[member],
    );
    if (isSame) return changes.deactivate(actorTx, key);
    if (record.situacao !== 'RASCUNHO')
      return changes.newVersion(actorTx, key, content, undefined, undefined, true);
    changes.editDraft(actorTx, key, content);
    return changes.deactivate(actorTx, key);
  }
}

/** Versions get local numbers, independent of the remote ones. */
const FIRST = { family: 1, rectification: 0 } as const;
