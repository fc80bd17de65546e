/** Operators that come with their codes and versions (contract section 7, `modo=espelho`). */
import type { Transaction } from '../../db/writer.ts';
import { unprocessable } from '../../errors.ts';
import { type AppliedItem, toApplied } from '../batch.ts';
import { violated } from '../codes.ts';
import { mirrorNumbers } from '../mirror.ts';
import { isLater, versionText } from '../version.ts';
import { type MirroredVersion, type OperatorChanges, printed } from './changes.ts';
import {
  type OperatorContent,
  type OperatorItem,
  type OperatorKey,
  type OperatorVersion,
  situacaoOf,
  toContent,
} from './model.ts';
import type { Operator, OperatorStore } from './store.ts';

export interface OperatorMirrorParts {
  readonly store: OperatorStore;
  readonly changes: OperatorChanges;
}

export class OperatorMirror {
  readonly #parts: OperatorMirrorParts;

  constructor(parts: OperatorMirrorParts) {
    this.#parts = parts;
  }

  /** Stores an item under its own code and version. Throws 422. */
  apply(tx: Transaction, item: OperatorItem): AppliedItem {
    const { store, changes } = this.#parts;
    const { codigo, number } = mirrorNumbers(item);
    const { cpfCnpjRaiz, codigoPais, situacao = 'ATIVADO', dataReferencia: startsOn } = item;
    const key = { cpfCnpjRaiz, codigoPais, codigo };
    const mirrored = { number, content: toContent(item), situacao, startsOn };
    const operator = store.find(cpfCnpjRaiz, codigo);
    if (operator === undefined) return toApplied(changes.mirrorNew(tx, key, mirrored), 'created');
    if (operator.codigoPais !== codigoPais)
      throw otherContent(
        '/codigoPais',
        `o operador ${codigo} já está guardado com o país ${operator.codigoPais}`,
      );
    this.#refuseOtherStart(operator, mirrored);
    const stored = store.findVersion(operator.id, number);
    if (stored !== undefined) return this.#compare(tx, key, stored, mirrored);
    this.#refuseOlder(operator, mirrored);
    return toApplied(changes.mirrorVersion(tx, key, operator, mirrored), 'newVersion');
  }

  /** The version is there: the same, or only deactivated meanwhile, or something else, which is refused. */
  #compare(
    tx: Transaction,
    key: OperatorKey,
    stored: OperatorVersion,
    mirrored: MirroredVersion,
  ): AppliedItem {
    const { content, situacao, number } = mirrored;
    const isSame = isSameContent(stored, content);
    if (isSame && situacaoOf(stored) === situacao) return toApplied(printed(key, stored), 'unchanged');
    if (isSame && situacao === 'DESATIVADO')
      return toApplied(this.#parts.changes.deactivate(tx, key, number), 'newVersion');
    const difference = isSame ? `está ${situacaoOf(stored)}, e não ${situacao}` : 'tem outro conteúdo';
    const version = `a versão ${versionText(stored)} do operador ${key.codigo}`;
    throw otherContent('/versao', `${version} já está guardada e ${difference}`);
  }

  /** All versions of a family have one validity. */
  #refuseOtherStart(operator: Operator, { number, startsOn }: MirroredVersion): void {
    const stored = this.#parts.changes.latestOfFamily(operator, number);
    if (stored === undefined || startsOn === undefined || stored.startsOn === startsOn) return;
    const version = `a versão ${versionText(stored)} do operador ${operator.codigo}`;
    throw otherContent('/dataReferencia', `${version} já está guardada e vale desde ${stored.startsOn}`);
  }

  #refuseOlder(operator: Operator, { number }: MirroredVersion): void {
    const current = this.#parts.store.getVersion(operator.currentVersion);
    if (isLater(number, current)) return;
    const message = `versao: recebido ${versionText(number)}; o operador ${operator.codigo} já está na versão ${versionText(current)}. Só versões posteriores são acrescentadas.`;
    throw unprocessable([violated('olderVersion', '/versao', message)]);
  }
}

const otherContent = (path: string, what: string) =>
  unprocessable([violated('otherContent', path, `${path.slice(1)}: ${what}.`)]);

const isSameContent = (stored: OperatorContent, content: OperatorContent): boolean =>
  (Object.keys(content) as (keyof OperatorContent)[]).every((member) => stored[member] === content[member]);
