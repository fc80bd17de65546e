/** Stores a moved catalogue with its codes and versions (contract section 7, `modo=espelho`). */
import type { Day } from '../../clock.ts';
import { type Problem, unprocessable } from '../../errors.ts';
import { shown } from '../../validation/shown.ts';
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
export interface Mirrored<R extends RecordTypes> extends Changed<R> {
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
  apply(actorTx: ActorTransaction, key: Key<R>, mirrored: MirroredVersion<R>): Mirrored<R> {
    const record = this.#kind.records.find(key);
    if (record === undefined) return { ...this.#include(actorTx, key, mirrored), outcome: 'created' };
    const place = this.#kind.otherPlace?.(key, record);
    if (place !== undefined)
      throw otherContent(place.path, `o ${this.#kind.called(key)} já está guardado ${place.where}`);
    if (this.#kind.hasRetroactiveVersions) this.#refuseOtherStart(key, record, mirrored);
    const stored = this.#lookUp.findVersion(record, mirrored.number);
    if (stored !== undefined) return this.#compare(actorTx, key, record, stored, mirrored);
    this.#refuseOlder(key, record, mirrored.number);
    return { ...this.#append(actorTx, key, record, mirrored), outcome: 'newVersion' };
  }

  #include(actorTx: ActorTransaction, key: Key<R>, mirrored: MirroredVersion<R>): Changed<R> {
    const { number, content, situacao, startsOn } = mirrored;
    const marks = marksOf(situacao, actorTx);
    this.#refuse(actorTx, key, mirrored, undefined, marks, true);
    const version = this.#writing.version(actorTx, content, number, startsOn ?? dayOf(actorTx.now), marks);
    return this.#writing.insert(actorTx, this.#kind.records.reserve(key), key, version, 'INCLUSAO');
  }

  /** Adds a version; a rectification keeps its family's validity. */
  #append(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    mirrored: MirroredVersion<R>,
  ): Changed<R> {
    const { number, content, situacao } = mirrored;
    const family = this.#lookUp.findLatest(record, number);
    const { hasRetroactiveVersions } = this.#kind;
    const mirroredStart = hasRetroactiveVersions ? mirrored.startsOn : undefined;
    const startsOn = family?.startsOn ?? mirroredStart ?? laterOf(record.startsOn, dayOf(actorTx.now));
    // The start of an existing family was accepted with its first version.
    const judgedStart = hasRetroactiveVersions && family !== undefined ? undefined : mirrored.startsOn;
    const marks = marksOf(situacao, actorTx);
    const isToBeCurrent = takesOver({ ...number, startsOn }, record);
    this.#refuse(actorTx, key, { ...mirrored, startsOn: judgedStart }, record, marks, isToBeCurrent);
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

  /** Handles an existing version: the same, or only deactivated since; different content is refused. */
  #compare(
    actorTx: ActorTransaction,
    key: Key<R>,
    record: RecordOf<R>,
    stored: VersionOf<R>,
    { content, situacao, number }: MirroredVersion<R>,
  ): Mirrored<R> {
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
    const message = `recebido ${versionText(number)}; o ${this.#kind.called(key)} já está na versão ${versionText(record)} (${record.situacao}). Só versões posteriores são acrescentadas.`;
    throw unprocessable([violated('olderVersion', '/versao', message)]);
  }

  readonly #versionCalled = (key: Key<R>, version: VersionNumber): string =>
    `a versão ${versionText(version)} do ${this.#kind.called(key)}`;
}

/** Returns the marks of a version that has its own situation. */
function marksOf(situacao: Situacao, { now, by }: ActorTransaction): Marks {
  if (situacao === 'RASCUNHO') return DRAFT;
  return situacao === 'DESATIVADO' ? { ...ACTIVE, deactivatedAt: now, deactivatedBy: by } : ACTIVE;
}

const otherContent = (path: string, what: string) =>
  unprocessable([violated('otherContent', path, `${what}.`)]);

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
export function mirrorNumbers<I>(item: {
  readonly codigo?: I | undefined;
  readonly versao?: string | undefined;
}): { readonly codigo: I; readonly number: VersionNumber } {
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
        `recebido ${shown(null)}; o modo espelho exige codigo e versao em cada item.`,
      ),
    ),
  );
}
