/** Writes the rows of a change and its event in one transaction; the rules were checked before. */
import type { StatesOfChange } from '../../change.ts';
import type { Day } from '../../clock.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import type { ProductOperation } from '../event.ts';
import { type VersionNumber, versionText } from '../version.ts';
import type { Key, RecordOf, RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { ACTIVE, type Marks, STILL_DRAFT, type ReservedKey, isNumber } from './model.ts';
import { statesOfChange } from './states.ts';
import { takesOver, validities } from './validity.ts';

/** Record after a change, with the version that was changed. */
export interface Changed<R extends RecordTypes> {
  readonly key: Key<R>;
  readonly version: VersionOf<R>;
  /** Set if the record was already in this state. */
  readonly isUnchanged?: true;
}

export class VersionedWriting<R extends RecordTypes> {
  readonly #kind: VersionedKind<R>;

  constructor(kind: VersionedKind<R>) {
    this.#kind = kind;
  }

  /** Returns a new version. */
  version(
    { now, by, proposedBy }: ActorTransaction,
    content: R['content'],
    { family, rectification }: VersionNumber,
    startsOn: Day,
    { draftUntil, deactivatedAt, deactivatedBy }: Marks,
  ): VersionOf<R> {
    return {
      ...this.#kind.columnsOf(content),
      family,
      rectification,
      startsOn,
      madeAt: now,
      madeBy: by,
      proposedBy,
      draftUntil,
      deactivatedAt,
      deactivatedBy,
    };
  }

  /** Inserts a new record, with its only version. */
  insert(
    actorTx: ActorTransaction,
    reservedKey: ReservedKey,
    key: Key<R>,
    version: VersionOf<R>,
    operacao: ProductOperation,
  ): Changed<R> {
    requireRight(actorTx, key, isDraft(version));
    this.#kind.records.insert(reservedKey, key, version, actorTx.now);
    return this.#changed(actorTx, key, undefined, version, operacao, () =>
      statesOfChange(this.#kind, undefined, version),
    );
  }

  /** Adds a version to a record, as current or past version, by its validity. */
  append(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    version: VersionOf<R>,
    operacao: ProductOperation,
  ): Changed<R> {
    requireRight(actorTx, key, false);
    const isCurrent = takesOver(version, record);
    if (isCurrent) {
      // Past versions end at the start of the current one, and this does not change.
      const isStillInForce = record.startsOn < version.startsOn;
      this.#kind.store.supersede(record, version, isStillInForce ? version.startsOn : null, actorTx.now);
      this.#kind.records.contentChanged?.(record, version);
    } else this.#insertBeforeCurrent(actorTx, record, version);
    return this.#changed(actorTx, key, record, version, operacao, () =>
      statesOfChange(this.#kind, record, version, isCurrent),
    );
  }

  /** Replaces a draft in place, also a deactivated one; a `draftUntil` of now activates it. */
  replaceDraft(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    content: R['content'],
    draftUntil: number,
  ): Changed<R> {
    const proposedBy = actorTx.proposedBy ?? record.proposedBy;
    const draft = { ...record, ...this.#kind.columnsOf(content), ...ACTIVE, draftUntil, proposedBy };
    requireRight(actorTx, key, isDraft(draft));
    this.#kind.store.replace(record, draft, actorTx.now);
    this.#kind.records.contentChanged?.(record, draft);
    const operacao = isDraft(draft) ? 'NOVA_VERSAO' : 'ATIVACAO';
    return this.#changed(actorTx, key, record, draft, operacao, () =>
      statesOfChange(this.#kind, record, draft),
    );
  }

  /** Sets the deactivation marks of a version. */
  deactivate(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    version: VersionOf<R>,
    operacao: ProductOperation,
  ): Changed<R> {
    requireRight(actorTx, key, isDraft(version));
    const { store } = this.#kind;
    const deactivated = { ...version, deactivatedAt: actorTx.now, deactivatedBy: actorTx.by };
    const isCurrent = isNumber(record, version);
    if (isCurrent) store.replace(record, deactivated, actorTx.now);
    else {
      store.deactivatePast(record.id, version, actorTx.now, actorTx.by);
      store.touch(record.id, actorTx.now);
    }
    return this.#changed(actorTx, key, version, deactivated, operacao, () =>
      statesOfChange(this.#kind, version, deactivated, isCurrent),
    );
  }

  /** Adds a version that starts before the current one, and computes all validities again. */
  #insertBeforeCurrent({ now }: ActorTransaction, record: RecordOf<R>, version: VersionOf<R>): void {
    const { store } = this.#kind;
    const past = store.listInForce(record.id);
    const until = new Map(
      validities([...past, version, record]).map((validity) => [validity.version, validity.untilDay]),
    );
    for (const pastVersion of past) {
      const untilDay = until.get(pastVersion) ?? null;
      if (untilDay !== pastVersion.untilDay) store.setUntil(pastVersion.rowId, untilDay);
    }
    store.insertPast(record.id, version, until.get(version) ?? null);
    store.touch(record.id, now);
  }

  /** Records a change. `before`: the current version; for a deactivation, the version to deactivate. */
  #changed(
    actorTx: ActorTransaction,
    key: Key<R>,
    before: VersionNumber | undefined,
    version: VersionOf<R>,
    operacao: ProductOperation,
    changeStates: () => StatesOfChange,
  ): Changed<R> {
    actorTx.record({
      action: operacao,
      kind: this.#kind.subject,
      key: `${key.cpfCnpjRaiz}/${key.codigo}`,
      before: before === undefined ? null : versionText(before),
      after: versionText(version),
      states: changeStates,
    });
    this.#kind.publishChange(actorTx, key, version, operacao);
    return { key, version };
  }
}

const isDraft = ({ draftUntil }: Marks): boolean => draftUntil === STILL_DRAFT;

/** Writing a draft requires a lesser right than writing an active record (contract section 27). */
const requireRight = (
  actorTx: ActorTransaction,
  key: { readonly cpfCnpjRaiz: string },
  isForDraft: boolean,
): void => actorTx.requireRight(key.cpfCnpjRaiz, isForDraft ? 'preenchimento' : 'aprovacao');
