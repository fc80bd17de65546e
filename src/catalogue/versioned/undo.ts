/**
 * Undoes a change of a record with versions: nothing is deleted, an opposite change is added (contract
 * section 24).
 */
import type { StatesOfChange } from '../../change.ts';
import { unprocessable } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { type CatalogueRule, violated } from '../codes.ts';
import type { Day } from '../../clock.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import { type MemberText, differencesOf } from '../record.ts';
import type { Undone } from '../undo.ts';
import { versionNumber, versionText } from '../version.ts';
import type { VersionedChanges } from './changes.ts';
import { stateOf } from './states.ts';
import type { Key, RecordOf, RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import type { VersionedLookUp } from './look-up.ts';
import { STILL_DRAFT, type Situacao } from './model.ts';
import type { Changed } from './writing.ts';

/** Returns the content of a version, as reported. */
export type MembersOf<R extends RecordTypes> = (
  key: Key<R>,
  version: VersionOf<R>,
  today: Day,
) => ReadonlyMap<string, MemberText>;

export class VersionedUndo<R extends RecordTypes> {
  readonly #kind: VersionedKind<R>;
  readonly #changes: VersionedChanges<R>;
  readonly #lookUp: VersionedLookUp<R>;
  readonly #membersOf: MembersOf<R>;

  constructor(
    kind: VersionedKind<R>,
    changes: VersionedChanges<R>,
    lookUp: VersionedLookUp<R>,
    membersOf: MembersOf<R>,
  ) {
    this.#kind = kind;
    this.#changes = changes;
    this.#lookUp = lookUp;
    this.#membersOf = membersOf;
  }

  /** Throws 404, and 422 also if the record has changed since. */
  undo(actorTx: ActorTransaction, key: Key<R>, states: StatesOfChange): Undone {
    const record = this.#lookUp.get(key);
    if (states.isPast === true)
      throw refusal(
        'notUndoable',
        `a linha mudou uma versão do ${this.#kind.nameInSentence(key)} que não era a atual; isso não é desfeito aqui.`,
      );
    if (stateOf(this.#kind, record) !== states.is)
      throw refusal(
        'changedSince',
        `mudouDepois: o ${this.#kind.nameInSentence(key)} mudou depois da importação e fica como está; agora é a versão ${versionText(record)}, ${record.situacao}.`,
      );
    const today = dayOf(actorTx.now);
    const before = this.#membersOf(key, record, today);
    const changed = this.#changeBack(actorTx, key, record, states);
    return {
      versao: versionText(changed.version),
      outcome: changed.version.deactivatedAt === null ? 'newVersion' : 'deactivated',
      changes: differencesOf(before, this.#membersOf(key, changed.version, today)),
    };
  }

  #changeBack(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    { was, held }: StatesOfChange,
  ): Changed<R> {
    if (was === null) return this.#changes.deactivate(actorTx, key);
    const [versao, situacao] = was.split(' ') as [string, Situacao]; // written by stateOf
    const content: R['content'] =
      held ?? this.#kind.contentOf(this.#lookUp.getVersion(key, record, versionNumber(versao)));
    if (situacao === 'RASCUNHO') {
      if (record.draftUntil === STILL_DRAFT) return this.#changes.redraft(actorTx, key, content);
      throw refusal(
        'notUndoable',
        `o ${this.#kind.nameInSentence(key)} já foi ativado e não volta a rascunho.`,
      );
    }
    const isDeactivated = situacao === 'DESATIVADO';
    const isSame = JSON.stringify(content) === JSON.stringify(this.#kind.contentOf(record));
    if (isDeactivated && isSame) return this.#changes.deactivate(actorTx, key);
    return this.#changes.newVersion(actorTx, key, content, undefined, undefined, isDeactivated);
  }
}

const refusal = (rule: CatalogueRule, message: string) => unprocessable([violated(rule, null, message)]);
