/** A catalogue moved from elsewhere keeps its codes and versions (contract section 7, `modo=espelho`). */
import type { Transaction } from '../../db/writer.ts';
import { type Problem, unprocessable } from '../../errors.ts';
import { dayOf } from '../../validation/calendar.ts';
import { type AppliedItem, toApplied } from '../batch.ts';
import { refuse, violated } from '../codes.ts';
import { mirrorNumbers, mirroredVersionProblems } from '../mirror.ts';
import { type VersionNumber, isLater, versionText } from '../version.ts';
import type { ProductChanges } from './changes.ts';
import {
  type ProductContent,
  type ProductItem,
  type ProductVersion,
  type Situacao,
  situacaoOf,
  toContent,
} from './model.ts';
import { listsText } from './record.ts';
import type { ProductRules } from './rules.ts';
import type { Product, ProductStore } from './store.ts';

export interface ProductMirrorParts {
  readonly store: ProductStore;
  readonly rules: ProductRules;
  readonly changes: ProductChanges;
}

export class ProductMirror {
  readonly #parts: ProductMirrorParts;

  constructor(parts: ProductMirrorParts) {
    this.#parts = parts;
  }

  /** Stores an item under its own code and version. Throws 422. */
  apply(tx: Transaction, item: ProductItem): AppliedItem {
    const { codigo, number } = mirrorNumbers(item);
    const content = toContent(item);
    const situacao = item.situacao ?? 'ATIVADO';
    const product = this.#parts.store.find(item.cpfCnpjRaiz, codigo);
    if (product === undefined) return this.#include(tx, item, codigo, number, content, situacao);
    const stored = this.#parts.store.findVersion(item.cpfCnpjRaiz, codigo, number);
    if (stored !== undefined) return this.#compare(tx, item.cpfCnpjRaiz, product, stored, content, situacao);
    return this.#addVersion(tx, item, product, number, content, situacao);
  }

  #include(
    tx: Transaction,
    item: ProductItem,
    codigo: number,
    number: VersionNumber,
    content: ProductContent,
    situacao: Situacao,
  ): AppliedItem {
    this.#refuse(tx, item, number, content, situacao, undefined);
    const { changes } = this.#parts;
    return toApplied(
      changes.mirrorNew(tx, item.cpfCnpjRaiz, codigo, number, content, situacao, item.dataReferencia),
      'created',
    );
  }

  /** The version is there: the same, or only deactivated meanwhile, or something else, which is refused. */
  #compare(
    tx: Transaction,
    cpfCnpjRaiz: string,
    product: Product,
    stored: ProductVersion & { readonly codigo: number },
    content: ProductContent,
    situacao: Situacao,
  ): AppliedItem {
    const isSame = isSameContent(stored, content);
    if (isSame && situacaoOf(stored) === situacao) return toApplied(stored, 'unchanged');
    const isDeactivation = isSame && situacao === 'DESATIVADO' && stored.id === product.currentVersion;
    if (isDeactivation)
      return toApplied(this.#parts.changes.deactivate(tx, cpfCnpjRaiz, product.codigo), 'newVersion');
    const difference = isSame ? `está ${situacaoOf(stored)}, e não ${situacao}` : 'tem outro conteúdo';
    throw unprocessable([
      violated(
        'otherContent',
        '/versao',
        `versao: a versão ${versionText(stored)} do produto ${product.codigo} já está guardada e ${difference}.`,
      ),
    ]);
  }

  #addVersion(
    tx: Transaction,
    item: ProductItem,
    product: Product,
    number: VersionNumber,
    content: ProductContent,
    situacao: Situacao,
  ): AppliedItem {
    const current = this.#parts.store.getVersion(product.currentVersion);
    if (!isLater(number, current) || situacaoOf(current) === 'RASCUNHO') {
      const message = `versao: recebida ${item.versao}; o produto ${product.codigo} já está na versão ${versionText(current)} (${situacaoOf(current)}). Só versões posteriores são acrescentadas.`;
      throw unprocessable([violated('olderVersion', '/versao', message)]);
    }
    this.#refuse(tx, item, number, content, situacao, product.codigo);
    const changed = this.#parts.changes.mirrorVersion(
      tx,
      item.cpfCnpjRaiz,
      product,
      number,
      content,
      situacao,
    );
    return toApplied(changed, 'newVersion');
  }

  /** What is active must satisfy the rules of today; what is not is kept as it was. */
  #refuse(
    tx: Transaction,
    item: ProductItem,
    number: VersionNumber,
    content: ProductContent,
    situacao: Situacao,
    codigo: number | undefined,
  ): void {
    const { rules } = this.#parts;
    const today = dayOf(tx.now);
    const problems: Problem[] = [
      ...mirroredVersionProblems(number),
      ...rules.referenceProblems(item.dataReferencia, today),
      ...(situacao === 'ATIVADO'
        ? rules.contentProblems(item.cpfCnpjRaiz, content, today, codigo)
        : rules.draftProblems(content)),
    ];
    refuse(problems);
  }
}

function isSameContent(stored: ProductVersion, content: ProductContent): boolean {
  return (
    stored.denominacao === content.denominacao &&
    stored.descricao === content.descricao &&
    stored.modalidade === content.modalidade &&
    stored.ncm === content.ncm &&
    stored.lists === listsText(content)
  );
}
