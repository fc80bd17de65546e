/** Compares products by content, internal codes and situation. */
import { contentHashOf } from '../../catalogue/product/content.ts';
import { iterateProducts } from '../../catalogue/product/list-query.ts';
import { productMembers } from '../../catalogue/product/members.ts';
import type { ProductContent, Situacao } from '../../catalogue/product/model.ts';
import { contentOf } from '../../catalogue/product/record.ts';
import { ProductStore } from '../../catalogue/product/store.ts';
import { PRODUCT } from '../../catalogue/members/product.ts';
import { parseVersion, versionText } from '../../catalogue/version.ts';
import { isNumber } from '../../catalogue/versioned/model.ts';
import { codePoints, foreignText } from '../../validation/text.ts';
import { integerOf } from '../../validation/json-number.ts';
import type { SendingRules, Side } from './model.ts';
import { contentIn, situacaoIn, versaoIn } from './received.ts';
import { type Comparable, fingerprintOf } from './side.ts';

const CODIGO_DIGITS = 10;

interface ProductText {
  readonly situacao: Situacao;
  readonly content: ProductContent;
}

function sideOf(codigo: number, versao: string, situacao: string, content: ProductContent): Side {
  const identity = contentHashOf(content);
  return {
    key: String(codigo).padStart(CODIGO_DIGITS, '0'),
    versao,
    name: foreignText(content.denominacao ?? ''),
    situacao,
    identity,
    fingerprint: fingerprintOf([identity, [...content.codigosInterno].sort(), situacao]),
    text: JSON.stringify({ situacao, content }),
    words: content.codigosInterno.map((word) => ['codigoInterno', word]),
  };
}

export const COMPARED_PRODUCTS: Comparable = {
  kind: 'produto',
  *readLocal(db, cpfCnpjRaiz, key) {
    const keyFilter = key === undefined ? {} : { codigo: Number(key) };
    for (const row of iterateProducts(db, { cpfCnpjRaiz, ...keyFilter }))
      yield row && sideOf(row.codigo, versionText(row), row.situacao, contentOf(row));
  },
  readRemote(item) {
    const codigo = integerOf(item['codigo']);
    if (codigo === undefined) return undefined;
    return sideOf(codigo, versaoIn(item), situacaoIn(item), contentIn(PRODUCT, item));
  },
  sorts: ['codigoInterno'],
  pairsByCode: true,
  members(text) {
    const { situacao, content } = JSON.parse(text) as ProductText;
    return productMembers(content, situacao, (codigo, part) => part ?? codigo);
  },
  version(db, cpfCnpjRaiz, key, versao) {
    const store = new ProductStore(db, () => 0, false);
    const number = parseVersion(versao);
    const current = store.find(cpfCnpjRaiz, Number(key));
    if (number === undefined || current === undefined) return undefined;
    const version = isNumber(current, number) ? current : store.versions.findPast(current.id, number);
    return version && JSON.stringify({ situacao: 'ATIVADO', content: contentOf(version) });
  },
  unsendableReason(text, rules) {
    const { modalidade, denominacao } = (JSON.parse(text) as ProductText).content;
    if (modalidade === 'AMBOS' && !rules.modalidadeAmbos)
      return 'modalidade AMBOS, que as regras de lá não aceitam; separe em IMPORTACAO e EXPORTACAO';
    return tooLong('denominacao', denominacao, rules.denominacaoMax);
  },
  allowsIdentical: false,
};

/** Counts characters, because the limits are in characters and JavaScript counts UTF-16 units. */
export function tooLong(member: string, text: string, max: SendingRules['nomeMax']): string | undefined {
  const length = codePoints(text);
  return length <= max ? undefined : `${member} com ${length} caracteres; as regras de lá aceitam até ${max}`;
}
