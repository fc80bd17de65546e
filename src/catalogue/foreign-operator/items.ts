/** What an item of a batch or file means (contract sections 4 and 7). */
import type { Day } from '../../clock.ts';
import type { Transaction } from '../../db/writer.ts';
import { shown, unprocessable } from '../../errors.ts';
import type { Caller } from '../../session/model.ts';
import { asSchema } from '../../validation/schema.ts';
import {
  type AppliedItem,
  type ItemApplier,
  type ItemMode,
  type ItemOrigin,
  decodeItem,
  situacaoIn,
  toApplied,
} from '../batch.ts';
import { violated } from '../codes.ts';
import { type VersionNumber, parseVersion } from '../version.ts';
import type { OperatorChanges } from './changes.ts';
import type { OperatorMirror } from './mirror.ts';
import {
  type OperatorItem,
  type OperatorKey,
  type OperatorSituacao,
  type operatorSchemas,
  situacaoOf,
  toContent,
} from './model.ts';
import type { PrintedOperator } from './record.ts';

type Schemas = ReturnType<typeof operatorSchemas>;

export class OperatorItems implements ItemApplier {
  readonly #schemas: Schemas;
  readonly #changes: OperatorChanges;
  readonly #mirror: OperatorMirror;

  constructor(schemas: Schemas, changes: OperatorChanges, mirror: OperatorMirror) {
    this.#schemas = schemas;
    this.#changes = changes;
    this.#mirror = mirror;
  }

  apply(tx: Transaction, caller: Caller, received: unknown, mode: ItemMode, origin: ItemOrigin): AppliedItem {
    const { Whole, Deactivation } = this.#schemas[origin];
    const isDeactivation = mode === 'lote' && situacaoIn(received) === 'DESATIVADO';
    const item = decodeItem<OperatorItem>(asSchema(isDeactivation ? Deactivation : Whole), received, caller);
    return mode === 'espelho' ? this.#mirror.apply(tx, item) : this.#applyToBatch(tx, item);
  }

  #applyToBatch(tx: Transaction, item: OperatorItem): AppliedItem {
    const { cpfCnpjRaiz, codigoPais, codigo, versao, situacao, dataReferencia } = item;
    if (codigo === undefined) {
      if (situacao === 'DESATIVADO') throw codeRequired();
      return created(this.#changes.include(tx, cpfCnpjRaiz, codigoPais, toContent(item), dataReferencia));
    }
    const key = { cpfCnpjRaiz, codigoPais, codigo };
    const number = versao === undefined ? undefined : parseVersion(versao);
    if (situacao === 'DESATIVADO') {
      const wasActive = this.#situacaoOf(key, number) === 'ATIVADO';
      return toApplied(this.#changes.deactivate(tx, key, number), wasActive ? 'newVersion' : 'unchanged');
    }
    const content = toContent(item);
    if (number === undefined) return newVersionOf(this.#changes.newVersion(tx, key, content, dataReferencia));
    this.#refuseOtherStart(key, number, dataReferencia);
    return newVersionOf(this.#changes.rectify(tx, key, number, content));
  }

  /** The situation of a version, the current one unless named. Throws 404. */
  #situacaoOf(key: OperatorKey, number: VersionNumber | undefined): OperatorSituacao {
    const operator = this.#changes.get(key);
    return number === undefined ? operator.situacao : situacaoOf(this.#changes.getVersion(operator, number));
  }

  /** A rectification keeps the start of validity of its family. Throws 404, 422. */
  #refuseOtherStart(key: OperatorKey, number: VersionNumber, dataReferencia: Day | undefined): void {
    const { startsOn } = this.#changes.getVersion(this.#changes.get(key), number);
    if (dataReferencia === undefined || dataReferencia === startsOn) return;
    const message = `dataReferencia: recebido ${shown(dataReferencia)}; a retificação mantém o início da vigência, ${startsOn}. Retire-a deste item, ou retire versao para incluir uma versão retroativa.`;
    throw unprocessable([violated('referenceNotAllowed', '/dataReferencia', message)]);
  }
}

function codeRequired() {
  const message = 'codigo: obrigatório para desativar um operador; informe o código do operador.';
  return unprocessable([violated('codeRequired', '/codigo', message)]);
}

const created = (operator: PrintedOperator): AppliedItem => toApplied(operator, 'created');

const newVersionOf = (operator: PrintedOperator): AppliedItem => toApplied(operator, 'newVersion');
