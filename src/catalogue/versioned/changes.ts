/**
 * Applies every change of a record with versions in one transaction: rules first, then the rows, then the
 * event. Contract sections 5 and 6.
 */
import type { Day } from '../../clock.ts';
import type { Problem } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { type DayPlace, referenceProblems, refuse, versionProblems, violated } from '../codes.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import { type VersionNumber, laterOf } from '../version.ts';
import type { JudgedContent, Key, RecordOf, RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { VersionedLookUp } from './look-up.ts';
import { ACTIVE, DRAFT, type Marks, STILL_DRAFT, situacaoOf } from './model.ts';
import { takesOver } from './validity.ts';
import { type Changed, VersionedWriting } from './writing.ts';

const FIRST: VersionNumber = { family: 1, rectification: 0 };

export class VersionedChanges<R extends RecordTypes> {
  readonly #kind: VersionedKind<R>;
  readonly #lookUp: VersionedLookUp<R>;
  readonly #writing: VersionedWriting<R>;

  constructor(kind: VersionedKind<R>) {
    this.#kind = kind;
    this.#lookUp = new VersionedLookUp(kind);
    this.#writing = new VersionedWriting(kind);
  }

  /** Includes a record as version "1", valid from `dataReferencia` or now. Throws 422. */
  include(
    actorTx: ActorTransaction,
    place: R['place'],
    content: R['content'],
    dataReferencia?: Day,
    dayAt: DayPlace = 'dataReferencia',
  ): Changed<R> {
    const today = dayOf(actorTx.now);
    refuse([
      ...referenceProblems(dataReferencia, today, dayAt),
      ...this.#contentProblems(actorTx, place, content, undefined, ACTIVE, true),
    ]);
    const { key, reservedKey } = this.#kind.records.next(place);
    const version = this.#writing.version(actorTx, content, FIRST, dataReferencia ?? today, ACTIVE);
    const operacao = dataReferencia === undefined ? 'INCLUSAO' : 'INCLUSAO_RETROATIVA';
    return this.#writing.insert(actorTx, reservedKey, key, version, operacao);
  }

  /** Includes a draft; checks little more than its form. */
  includeDraft(actorTx: ActorTransaction, place: R['place'], content: R['content']): Changed<R> {
    refuse(this.#contentProblems(actorTx, place, content, undefined, DRAFT, true));
    const { key, reservedKey } = this.#kind.records.next(place);
    const version = this.#writing.version(actorTx, content, FIRST, dayOf(actorTx.now), DRAFT);
    return this.#writing.insert(actorTx, reservedKey, key, version, 'INCLUSAO');
  }

  /**
   * Makes the next version, active, valid from `dataReferencia` or now; replaces the content of a draft and
   * activates it.
   * `isDeactivated`: the version is not active; a deactivated record stays so.
   * Throws 404, 422.
   */
  newVersion(
    actorTx: ActorTransaction,
    key: Key<R>,
    content: R['content'],
    dataReferencia?: Day,
    dayAt: DayPlace = 'dataReferencia',
    isDeactivated = false,
  ): Changed<R> {
    const record = this.#lookUp.get(key);
    const marks = isDeactivated ? deactivatedMarks(actorTx, record) : ACTIVE;
    const today = dayOf(actorTx.now);
    // A retroactive version has a higher number than the current one, so the current number is not the
    // latest.
    const number = { family: this.#kind.store.latestFamily(record) + 1, rectification: 0 };
    // If the clock was put back, the new version still does not start before the one that it replaces.
    const startsOn = dataReferencia ?? laterOf(record.startsOn, today);
    const isToBeCurrent = takesOver({ ...number, startsOn }, record);
    refuse([
      ...versionProblems(number),
      ...referenceProblems(dataReferencia, today, dayAt),
      ...this.#contentProblems(
        actorTx,
        key,
        content,
        record,
        marks,
        isToBeCurrent,
        isDeactivated ? 'least' : 'all',
      ),
    ]);
    if (record.situacao === 'RASCUNHO')
      return this.#writing.replaceDraft(actorTx, key, record, content, actorTx.now);
    const version = this.#writing.version(actorTx, content, number, startsOn, marks);
    const operacao = dataReferencia === undefined ? 'NOVA_VERSAO' : 'INCLUSAO_RETROATIVA';
    return this.#writing.append(actorTx, key, record, version, operacao);
  }

  /** Replaces the content of a draft, which stays a draft. Throws 404, 422. */
  editDraft(actorTx: ActorTransaction, key: Key<R>, content: R['content']): Changed<R> {
    const record = this.#lookUp.get(key);
    refuse([
      ...this.#contentProblems(actorTx, key, content, record, DRAFT, true),
      ...this.#notADraft(key, record),
    ]);
    return this.#writing.replaceDraft(actorTx, key, record, content, STILL_DRAFT);
  }

  /**
   * Restores the previous content of a draft that was never active; a deactivated one becomes a draft again.
   * Throws 404, 422.
   */
  redraft(actorTx: ActorTransaction, key: Key<R>, content: R['content']): Changed<R> {
    const record = this.#lookUp.get(key);
    refuse(this.#contentProblems(actorTx, key, content, record, DRAFT, true));
    return this.#writing.replaceDraft(actorTx, key, record, content, STILL_DRAFT);
  }

  /** Makes the next rectification of the family of `number`, for the same validity. Throws 404, 422. */
  rectify(actorTx: ActorTransaction, key: Key<R>, number: VersionNumber, content: R['content']): Changed<R> {
    const { rules } = this.#kind;
    const record = this.#lookUp.get(key);
    this.#lookUp.getVersion(key, record, number);
    const latest = this.#lookUp.findLatest(record, number) as VersionOf<R>; // `getVersion` found one
    const next = { family: number.family, rectification: latest.rectification + 1 };
    refuse([
      ...versionProblems(next),
      ...(rules.rectificationProblems?.(record, latest, content) ?? []),
      ...this.#contentProblems(actorTx, key, content, record, latest, next.family === record.family),
    ]);
    return this.#writing.append(
      actorTx,
      key,
      record,
      this.#writing.version(actorTx, content, next, latest.startsOn, latest),
      'RETIFICACAO',
    );
  }

  /** Deactivates a version, by default the current one; a second time changes nothing. Throws 404. */
  deactivate(
    actorTx: ActorTransaction,
    key: Key<R>,
    number?: VersionNumber,
    operacao: 'DESATIVACAO' | 'DESATIVACAO_SISTEMA' = 'DESATIVACAO',
  ): Changed<R> {
    const record = this.#lookUp.get(key);
    const version = number === undefined ? record : this.#lookUp.getVersion(key, record, number);
    if (situacaoOf(version) === 'DESATIVADO') return { key, version, isUnchanged: true };
    return this.#writing.deactivate(actorTx, key, record, version, operacao);
  }

  #contentProblems(
    actorTx: ActorTransaction,
    place: R['place'],
    content: R['content'],
    record: RecordOf<R> | undefined,
    marks: Marks,
    isToBeCurrent: boolean,
    strictness: JudgedContent<R>['strictness'] = marks === DRAFT ? 'least' : 'all',
  ): readonly Problem[] {
    const isToBeActive = isToBeCurrent && situacaoOf(marks) === 'ATIVADO';
    return this.#kind.rules.contentProblems({
      place,
      content,
      today: dayOf(actorTx.now),
      record,
      strictness,
      isToBeActive,
    });
  }

  #notADraft(key: Key<R>, { situacao }: RecordOf<R>): Problem[] {
    if (situacao === 'RASCUNHO') return [];
    const message = `o ${this.#kind.nameInSentence(key)} está ${situacao}; só um registro novo ou em rascunho aceita RASCUNHO.`;
    return [violated('notADraft', '/situacao', message)];
  }
}

/** Returns the marks of a record that is already deactivated, or is so from now on. */
const deactivatedMarks = ({ now, by }: ActorTransaction, record: Marks): Marks =>
  record.deactivatedAt === null ? { ...ACTIVE, deactivatedAt: now, deactivatedBy: by } : record;
