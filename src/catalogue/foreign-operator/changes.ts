/**
 * Every change of a foreign operator, inside one transaction: rules first, then the rows, then the event. Contract
 * sections 4 and 6.
 */
import type { Day, EpochMs } from '../../clock.ts';
import type { Transaction } from '../../db/writer.ts';
import { type Problem, notFound, shown } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { folded } from '../../validation/text.ts';
import { refuse, versionProblems } from '../codes.ts';
import type { CatalogueEvents, ProductOperation } from '../event.ts';
import { mirroredVersionProblems } from '../mirror.ts';
import { type DatedVersion, type VersionNumber, laterOf, validities, versionText } from '../version.ts';
import { numeroIn, numeroMadeHere, operatorCodigo } from './codigo.ts';
import {
  type OperatorContent,
  type OperatorKey,
  type OperatorSituacao,
  type OperatorVersion,
  situacaoOf,
} from './model.ts';
import type { PrintedOperator } from './record.ts';
import type { OperatorRules } from './rules.ts';
import type { NewOperatorVersion, Operator, OperatorHead, OperatorStore } from './store.ts';

type OperatorOperation = Exclude<ProductOperation, 'ATIVACAO' | 'DESATIVACAO_SISTEMA'>;

export interface OperatorChangesParts {
  readonly store: OperatorStore;
  readonly rules: OperatorRules;
  readonly events: CatalogueEvents;
}

/** A version that comes with its number and situation (mirror.ts). */
export interface MirroredVersion {
  readonly number: VersionNumber;
  readonly content: OperatorContent;
  readonly situacao: OperatorSituacao;
  readonly startsOn: Day | undefined;
}

const FIRST: VersionNumber = { family: 1, rectification: 0 };

export class OperatorChanges {
  readonly #parts: OperatorChangesParts;

  constructor(parts: OperatorChangesParts) {
    this.#parts = parts;
  }

  /** Includes an operator as version "1", valid from `dataReferencia` or now. Throws 422. */
  include(
    tx: Transaction,
    cpfCnpjRaiz: string,
    codigoPais: string,
    content: OperatorContent,
    dataReferencia?: Day,
  ): PrintedOperator {
    const { rules, store } = this.#parts;
    const today = dayOf(tx.now);
    refuse([
      ...rules.referenceProblems(dataReferencia, today),
      ...rules.placeProblems(codigoPais, content),
      ...rules.tinProblems(cpfCnpjRaiz, content.tin, undefined),
    ]);
    const codigo = operatorCodigo(store.nextNumero(cpfCnpjRaiz, operatorCodigo));
    const version = newVersion(content, FIRST, dataReferencia ?? today, tx.now);
    const operacao = dataReferencia === undefined ? 'INCLUSAO' : 'INCLUSAO_RETROATIVA';
    return this.#insert(tx, { cpfCnpjRaiz, codigoPais, codigo }, version, operacao);
  }

  /** Makes the next version, valid from `dataReferencia` or now; it is active. Throws 404, 422. */
  newVersion(
    tx: Transaction,
    key: OperatorKey,
    content: OperatorContent,
    dataReferencia?: Day,
  ): PrintedOperator {
    const { rules, store } = this.#parts;
    const operator = this.get(key);
    const today = dayOf(tx.now);
    // A retroactive version has a higher number than the current one, whose number therefore tells nothing.
    const family = 1 + (store.listVersions(operator.id).at(-1)?.family ?? 0);
    const startsOn = dataReferencia ?? this.#startOfNext(operator, today);
    const version = newVersion(content, { family, rectification: 0 }, startsOn, tx.now);
    refuse([
      ...versionProblems(version),
      ...rules.referenceProblems(dataReferencia, today),
      ...rules.placeProblems(key.codigoPais, content),
      ...this.#tinProblems(key, operator, version),
    ]);
    const operacao = dataReferencia === undefined ? 'NOVA_VERSAO' : 'INCLUSAO_RETROATIVA';
    return this.#append(tx, key, operator, version, operacao);
  }

  /** Makes the next rectification of the family of `number`, for the same validity. Throws 404, 422. */
  rectify(
    tx: Transaction,
    key: OperatorKey,
    number: VersionNumber,
    content: OperatorContent,
  ): PrintedOperator {
    const { rules } = this.#parts;
    const operator = this.get(key);
    this.getVersion(operator, number);
    const latest = this.latestOfFamily(operator, number) as OperatorVersion;
    const version = newVersion(
      content,
      { family: number.family, rectification: latest.rectification + 1 },
      latest.startsOn,
      tx.now,
      latest.deactivatedAt,
    );
    refuse([
      ...versionProblems(version),
      ...rules.placeProblems(key.codigoPais, content),
      ...this.#tinProblems(key, operator, version),
    ]);
    return this.#append(tx, key, operator, version, 'RETIFICACAO');
  }

  /** Deactivates a version, the current one unless named; a second time changes nothing. Throws 404. */
  deactivate(tx: Transaction, key: OperatorKey, number?: VersionNumber): PrintedOperator {
    const { store } = this.#parts;
    const operator = this.get(key);
    const version =
      number === undefined ? store.getVersion(operator.currentVersion) : this.getVersion(operator, number);
    if (situacaoOf(version) === 'DESATIVADO') return printed(key, version);
    const deactivated = { ...version, deactivatedAt: tx.now };
    store.deactivateVersion(version.id, tx.now);
    const isCurrent = version.id === operator.currentVersion;
    if (isCurrent) store.updateHead(operator.id, version.id, tx.now, headOf(deactivated));
    else store.touch(operator.id, tx.now);
    return this.#changed(tx, key, deactivated, 'DESATIVACAO');
  }

  /** Writes an operator that comes with its code, version and situation. Throws 422. */
  mirrorNew(tx: Transaction, key: OperatorKey, mirrored: MirroredVersion): PrintedOperator {
    const version = mirroredVersion(mirrored, mirrored.startsOn ?? dayOf(tx.now), tx.now);
    this.#refuseMirrored(tx, key, undefined, version, mirrored.startsOn);
    const numero = numeroMadeHere(key.codigo);
    if (numero !== undefined) this.#parts.store.reserveNumero(key.cpfCnpjRaiz, numero);
    return this.#insert(tx, key, version, 'INCLUSAO');
  }

  /** Adds a version that comes with its number and situation; a rectification keeps its family's validity. Throws 422. */
  mirrorVersion(
    tx: Transaction,
    key: OperatorKey,
    operator: Operator,
    mirrored: MirroredVersion,
  ): PrintedOperator {
    const family = this.latestOfFamily(operator, mirrored.number);
    const startsOn = family?.startsOn ?? mirrored.startsOn ?? this.#startOfNext(operator, dayOf(tx.now));
    const version = mirroredVersion(mirrored, startsOn, tx.now);
    // The start of a family that is there was accepted with its first version.
    const ownStart = family === undefined ? mirrored.startsOn : undefined;
    this.#refuseMirrored(tx, key, operator, version, ownStart);
    return this.#append(tx, key, operator, version, family === undefined ? 'NOVA_VERSAO' : 'RETIFICACAO');
  }

  /** What is active must satisfy the rules of today; what is not is kept as it was. */
  #refuseMirrored(
    tx: Transaction,
    key: OperatorKey,
    operator: Operator | undefined,
    version: NewOperatorVersion,
    startsOn: Day | undefined,
  ): void {
    const { rules } = this.#parts;
    const isActive = situacaoOf(version) === 'ATIVADO';
    refuse([
      ...mirroredVersionProblems(version),
      ...rules.referenceProblems(startsOn, dayOf(tx.now)),
      ...(isActive ? rules.placeProblems(key.codigoPais, version) : []),
      ...this.#tinProblems(key, operator, version),
    ]);
  }

  /** The operator of that code and country. Throws 404. */
  get({ cpfCnpjRaiz, codigoPais, codigo }: OperatorKey): Operator {
    const operator = this.#parts.store.find(cpfCnpjRaiz, codigo);
    if (operator === undefined || operator.codigoPais !== codigoPais)
      throw notFound(
        `Não existe operador estrangeiro com o código ${shown(codigo)} e o país ${codigoPais} no catálogo de ${cpfCnpjRaiz}.`,
      );
    return operator;
  }

  /** One version of an operator. Throws 404. */
  getVersion(operator: Operator, number: VersionNumber): OperatorVersion {
    const version = this.#parts.store.findVersion(operator.id, number);
    if (version === undefined)
      throw notFound(
        `O operador estrangeiro ${shown(operator.codigo)} não tem a versão ${versionText(number)}.`,
      );
    return version;
  }

  /** The latest rectification of the family of `number`. */
  latestOfFamily(operator: Operator, { family }: VersionNumber): OperatorVersion | undefined {
    return this.#parts.store.listVersions(operator.id).findLast((version) => version.family === family);
  }

  /** The TIN is asked about only where the new version makes it the TIN of an active operator. */
  #tinProblems(key: OperatorKey, operator: Operator | undefined, version: NewOperatorVersion): Problem[] {
    const { store, rules } = this.#parts;
    const others = operator === undefined ? [] : store.listVersions(operator.id);
    if (situacaoOf(version) === 'DESATIVADO' || !becomesCurrent(version, others)) return [];
    return rules.tinProblems(key.cpfCnpjRaiz, version.tin, operator?.id);
  }

  /** A clock that was put back does not make a new version older than the one that it replaces. */
  #startOfNext(operator: Operator, today: Day): Day {
    return laterOf(this.#parts.store.getVersion(operator.currentVersion).startsOn, today);
  }

  /** Writes an operator that is not there yet, with its only version. */
  #insert(
    tx: Transaction,
    key: OperatorKey,
    version: NewOperatorVersion,
    operacao: OperatorOperation,
  ): PrintedOperator {
    const { store } = this.#parts;
    const operatorId = store.insertOperator(key, numeroIn(key.codigo), tx.now, headOf(version));
    const id = store.insertVersion(operatorId, version);
    store.setCurrentVersion(operatorId, id);
    store.replaceValidities(operatorId, validities([{ ...version, id }]));
    return this.#changed(tx, key, version, operacao);
  }

  /** Adds a version to an operator and works out again which one is in force when. */
  #append(
    tx: Transaction,
    key: OperatorKey,
    operator: Operator,
    version: NewOperatorVersion,
    operacao: OperatorOperation,
  ): PrintedOperator {
    const { store } = this.#parts;
    const id = store.insertVersion(operator.id, version);
    const periods = validities(store.listVersions(operator.id));
    store.replaceValidities(operator.id, periods);
    if (periods.at(-1)?.versionId === id) store.updateHead(operator.id, id, tx.now, headOf(version));
    else store.touch(operator.id, tx.now);
    return this.#changed(tx, key, version, operacao);
  }

  #changed(
    tx: Transaction,
    key: OperatorKey,
    version: NewOperatorVersion,
    operacao: OperatorOperation,
  ): PrintedOperator {
    const operator = printed(key, version);
    const versao = versionText(operator);
    this.#parts.events.operatorChanged(tx, key.cpfCnpjRaiz, { ...operator, versao }, operacao);
    return operator;
  }
}

/** A version as it is shown; its situation is its own, whatever the operator's. */
export function printed(
  { codigo, codigoPais }: Pick<OperatorKey, 'codigo' | 'codigoPais'>,
  version: NewOperatorVersion,
): PrintedOperator {
  return { ...version, codigo, codigoPais, situacao: situacaoOf(version) };
}

const NOT_STORED_YET = -1;

function becomesCurrent(version: NewOperatorVersion, others: readonly DatedVersion[]): boolean {
  const periods = validities([...others, { ...version, id: NOT_STORED_YET }]);
  return periods.at(-1)?.versionId === NOT_STORED_YET;
}

function headOf(version: NewOperatorVersion): OperatorHead {
  const { tin, codigoInterno, nome } = version;
  return { situacao: situacaoOf(version), tin, codigoInterno, nomeFolded: folded(nome) };
}

function newVersion(
  content: OperatorContent,
  number: VersionNumber,
  startsOn: Day,
  madeAt: EpochMs,
  deactivatedAt: EpochMs | null = null,
): NewOperatorVersion {
  return { ...content, ...number, startsOn, madeAt, deactivatedAt };
}

function mirroredVersion(
  { content, number, situacao }: MirroredVersion,
  startsOn: Day,
  now: EpochMs,
): NewOperatorVersion {
  return newVersion(content, number, startsOn, now, situacao === 'DESATIVADO' ? now : null);
}
