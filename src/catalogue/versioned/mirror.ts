/** Stores a mirrored catalogue: records with the codes and versions of another server (contract section 7, `modo=espelho`). */
import type { Day } from '../../clock.ts';
import { type Problem, unprocessable } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import { dayOf } from '../../validation/calendar.ts';
import { referenceProblems, refuse, violated } from '../codes.ts';
import type { ActorTransaction } from '../actor-transaction.ts';
import {
  LARGEST_LEAP,
  LAST_FAMILY,
  type VersionNumber,
  isLater,
  laterOf,
  parseVersion,
  versionText,
} from '../version.ts';
import type { VersionedChanges } from './changes.ts';
import type { Key, RecordOf, RecordTypes, VersionOf, VersionedKind } from './kind.ts';
import { VersionedLookUp } from './look-up.ts';
import { ACTIVE, DRAFT, type Marks, type Situacao, situacaoOf } from './model.ts';
import { takesOver } from './validity.ts';
import { type Changed, VersionedWriting } from './writing.ts';

/** Version with its own number and situation. */
export interface MirroredVersion<R extends RecordTypes> {
  readonly number: VersionNumber;
  readonly content: R['content'];
  readonly situacao: Situacao;
  readonly startsOn: Day | undefined;
}

/** Result of an item, with the version concerned. */
export interface MirrorResult<R extends RecordTypes> extends Changed<R> {
  readonly outcome: 'created' | 'newVersion' | 'unchanged';
}

export class VersionedMirror<R extends RecordTypes> {
  readonly #kind: VersionedKind<R>;
  readonly #changes: VersionedChanges<R>;
  readonly #lookUp: VersionedLookUp<R>;
  readonly #writing: VersionedWriting<R>;

  constructor(kind: VersionedKind<R>, changes: VersionedChanges<R>) {
    this.#kind = kind;
    this.#changes = changes;
    this.#lookUp = new VersionedLookUp(kind);
    this.#writing = new VersionedWriting(kind);
  }

  /** Stores an item under its own code and version. Throws 422. */
  apply(actorTx: ActorTransaction, key: Key<R>, item: MirroredVersion<R>): MirrorResult<R> {
    const record = this.#kind.records.find(key);
    if (record === undefined) return { ...this.#include(actorTx, key, item), outcome: 'created' };
    const place = this.#kind.otherPlace?.(key, record);
    if (place !== undefined)
      throw otherContent(
        place.path,
        `o ${this.#kind.nameInSentence(key)} já está guardado ${place.location}`,
      );
    if (this.#kind.hasRetroactiveVersions) this.#refuseOtherStart(key, record, item);
    const stored = this.#lookUp.findVersion(record, item.number);
    if (stored !== undefined) return this.#compare(actorTx, key, record, stored, item);
    this.#refuseOlder(key, record, item.number);
    return { ...this.#append(actorTx, key, record, item), outcome: 'newVersion' };
  }

  #include(actorTx: ActorTransaction, key: Key<R>, item: MirroredVersion<R>): Changed<R> {
    const { number, content, situacao, startsOn } = item;
    const marks = marksFor(situacao, actorTx);
    this.#refuse(actorTx, key, item, undefined, marks, true);
    const version = this.#writing.version(actorTx, content, number, startsOn ?? dayOf(actorTx.now), marks);
    return this.#writing.insert(actorTx, this.#kind.records.reserve(key), key, version, 'INCLUSAO');
  }

  /** Adds a version; a rectification keeps its family's validity. */
  #append(actorTx: ActorTransaction, key: Key<R>, record: RecordOf<R>, item: MirroredVersion<R>): Changed<R> {
    const { number, content, situacao } = item;
    const family = this.#lookUp.findLatest(record, number);
    const { hasRetroactiveVersions } = this.#kind;
    const mirroredStart = hasRetroactiveVersions ? item.startsOn : undefined;
    const startsOn = family?.startsOn ?? mirroredStart ?? laterOf(record.startsOn, dayOf(actorTx.now));
    // The start of an existing family was accepted with its first version.
    const judgedStart = hasRetroactiveVersions && family !== undefined ? undefined : item.startsOn;
    const marks = marksFor(situacao, actorTx);
    const isToBeCurrent = takesOver({ ...number, startsOn }, record);
    this.#refuse(actorTx, key, { ...item, startsOn: judgedStart }, record, marks, isToBeCurrent);
    const version = this.#writing.version(actorTx, content, number, startsOn, marks);
    const operacao = family === undefined ? 'NOVA_VERSAO' : 'RETIFICACAO';
    return this.#writing.append(actorTx, key, record, version, operacao);
  }

  /** An active version must satisfy the current rules; any other is stored as it was. */
  #refuse(
    actorTx: ActorTransaction,
    place: R['place'],
    { number, content, startsOn }: MirroredVersion<R>,
    record: RecordOf<R> | undefined,
    marks: Marks,
    isToBeCurrent: boolean,
  ): void {
    const today = dayOf(actorTx.now);
    const isActive = situacaoOf(marks) === 'ATIVADO';
    const strictness = isActive ? 'all' : 'least';
    const subject = {
      place,
      content,
      today,
      record,
      strictness,
      isToBeActive: isActive && isToBeCurrent,
    } as const;
    refuse([
      ...versionProblems(number),
      ...referenceProblems(startsOn, today, '/dataReferencia'),
      ...this.#kind.rules.contentProblems(subject),
    ]);
  }

  /** Accepts an existing version that is the same, or was deactivated in the meantime. Throws 422 for another. */
  #compare(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    stored: VersionOf<R>,
    { content, situacao, number }: MirroredVersion<R>,
  ): MirrorResult<R> {
    const columns = this.#kind.columnsOf(content);
    const isSame = (Object.keys(columns) as (keyof R['columns'])[]).every(
      (member) => stored[member] === columns[member],
    );
    if (isSame && situacaoOf(stored) === situacao) return { key, version: stored, outcome: 'unchanged' };
    const isDeactivatable = stored === record || this.#kind.deactivatesAnyVersion;
    if (isSame && situacao === 'DESATIVADO' && isDeactivatable)
      return { ...this.#changes.deactivate(actorTx, key, number), outcome: 'newVersion' };
    const difference = isSame ? `está ${situacaoOf(stored)}, e não ${situacao}` : 'tem outro conteúdo';
    throw otherContent('/versao', `${this.#versionCalled(key, stored)} já está guardada e ${difference}`);
  }

  /** All versions of a family have the same validity. */
  #refuseOtherStart(key: Key<R>, record: RecordOf<R>, { number, startsOn }: MirroredVersion<R>): void {
    const stored = this.#lookUp.findLatest(record, number);
    if (stored === undefined || startsOn === undefined || stored.startsOn === startsOn) return;
    throw otherContent(
      '/dataReferencia',
      `${this.#versionCalled(key, stored)} já está guardada e vale desde ${stored.startsOn}`,
    );
  }

  #refuseOlder(key: Key<R>, record: RecordOf<R>, number: VersionNumber): void {
    if (isLater(number, record) && record.situacao !== 'RASCUNHO') return;
    const message = `recebido ${versionText(number)}; o ${this.#kind.nameInSentence(key)} já está na versão ${versionText(record)} (${record.situacao}). Só versões posteriores são acrescentadas.`;
    throw unprocessable([violated('olderVersion', '/versao', message)]);
  }

  readonly #versionCalled = (key: Key<R>, version: VersionNumber): string =>
    `a versão ${versionText(version)} do ${this.#kind.nameInSentence(key)}`;
}

/** Returns the marks of a version that has its own situation. */
function marksFor(situacao: Situacao, { now, by }: ActorTransaction): Marks {
  if (situacao === 'RASCUNHO') return DRAFT;
  return situacao === 'DESATIVADO' ? { ...ACTIVE, deactivatedAt: now, deactivatedBy: by } : ACTIVE;
}

const otherContent = (path: string, fact: string) =>
  unprocessable([violated('otherContent', path, `${fact}.`)]);

/**
 * Highest family that a mirrored version may have: a record without free numbers could never be changed
 * again.
 */
const LAST_MIRRORED_FAMILY = LAST_FAMILY - LARGEST_LEAP;

/** Returns the problem of a mirrored version that leaves too few numbers for later ones. */
function versionProblems(number: VersionNumber): Problem[] {
  if (number.family <= LAST_MIRRORED_FAMILY) return [];
  const message = `recebido ${versionText(number)}; o modo espelho aceita até ${LAST_MIRRORED_FAMILY}, para que restem números para as próximas versões. Traga o registro com uma versão menor.`;
  return [violated('tooFewNumbers', '/versao', message)];
}

/** Returns the code and version of an item. Throws 422 if one is missing. */
export function mirrorNumbers<Code>(item: {
  readonly codigo?: Code | undefined;
  readonly versao?: string | undefined;
}): { readonly codigo: Code; readonly number: VersionNumber } {
  const { codigo, versao } = item;
  const number = versao === undefined ? undefined : parseVersion(versao);
  if (codigo !== undefined && number !== undefined) return { codigo, number };
  const missing = [codigo === undefined && 'codigo', number === undefined && 'versao'].filter(
    (name) => name !== false,
  );
  throw unprocessable(
    missing.map((name) =>
      violated(
        'mirrorNeedsNumbers',
        `/${name}`,
        `recebido ${formatValue(null)}; o modo espelho exige codigo e versao em cada item.`,
      ),
    ),
  );
}
