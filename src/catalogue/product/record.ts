/** A product as it is kept, and as JSON text in its three forms, members in the order of contract section 4. */
import type { EpochMs } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import type { AttributeLists } from '../attribute/words/model.ts';
import { type VersionNumber, versionText } from '../version.ts';
import { EXPORTED_SITUACAO } from '../versioned/model.ts';
import type { ProductColumns, ProductContent, Situacao, StoredAttributes } from './model.ts';

/** What a record shows, beside its place in a list. */
export interface PrintedProduct extends ProductColumns, VersionNumber {
  readonly codigo: number;
  readonly situacao: Situacao;
}

/** A content as its columns; members of lists in one order, whatever the order of the request. */
export function columnsOf(content: ProductContent): ProductColumns {
  const { denominacao, descricao, modalidade, ncm } = content;
  return {
    denominacao,
    descricao,
    modalidade,
    ncm,
    atributos: listText(content.atributos, toSingle),
    atributosMultivalorados: listText(content.atributosMultivalorados, ({ atributo, valores }) => ({
      atributo,
      valores,
    })),
    atributosCompostos: listText(content.atributosCompostos, ({ atributo, valores }) => ({
      atributo,
      valores: valores.map(toSingle),
    })),
    atributosCompostosMultivalorados: listText(
      content.atributosCompostosMultivalorados,
      ({ atributo, valores }) => ({ atributo, valores: valores.map((group) => group.map(toSingle)) }),
    ),
    codigosInterno: listText(content.codigosInterno, (text) => text),
  };
}

const listText = <T>(list: readonly T[], toItem: (item: T) => unknown): string | null =>
  list.length === 0 ? null : JSON.stringify(list.map(toItem));

const toSingle = ({ atributo, valor }: { atributo: string; valor: string }) => ({ atributo, valor });

// The texts were written by columnsOf.
const parsed = <T>(list: string | null): readonly T[] => (list === null ? [] : (JSON.parse(list) as T[]));

export const codigosInternoOf = ({ codigosInterno }: Pick<ProductColumns, 'codigosInterno'>) =>
  parsed<string>(codigosInterno);

export const attributesOf = (stored: StoredAttributes): AttributeLists => ({
  atributos: parsed(stored.atributos),
  atributosMultivalorados: parsed(stored.atributosMultivalorados),
  atributosCompostos: parsed(stored.atributosCompostos),
  atributosCompostosMultivalorados: parsed(stored.atributosCompostosMultivalorados),
});

/** The content of a stored version. */
export function contentOf(version: ProductColumns): ProductContent {
  const { denominacao, descricao, modalidade, ncm } = version;
  const codigosInterno = codigosInternoOf(version);
  return { denominacao, descricao, modalidade, ncm, ...attributesOf(version), codigosInterno };
}

/** What JSON writes otherwise than it is: quotation marks, backslashes, control characters, lone surrogates. */
// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need no escape, and to find that out is cheaper than to have them printed. */
function quoted(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const listMembers = (product: ProductColumns): string =>
  `"atributos":${product.atributos ?? '[]'},"atributosMultivalorados":${product.atributosMultivalorados ?? '[]'},` +
  `"atributosCompostos":${product.atributosCompostos ?? '[]'},` +
  `"atributosCompostosMultivalorados":${product.atributosCompostosMultivalorados ?? '[]'},` +
  `"codigosInterno":${product.codigosInterno ?? '[]'}`;

/** The response form. */
export function responseText(cpfCnpjRaiz: string, product: PrintedProduct): string {
  return (
    `{"descricao":${quoted(product.descricao)},"denominacao":${quoted(product.denominacao)},` +
    `"modalidade":${quoted(product.modalidade)},"ncm":${quoted(product.ncm)},${listMembers(product)},` +
    `"cpfCnpjRaiz":"${cpfCnpjRaiz}","codigo":${product.codigo},"versao":"${versionText(product)}","situacao":"${product.situacao}"}`
  );
}

/** The list form. */
export const listItemText = (cpfCnpjRaiz: string, seq: number, product: PrintedProduct): string =>
  `{"seq":${seq},${itemMembers(cpfCnpjRaiz, product)}}`;

/** The list form without its place, and when the record was last changed (contract section 14). */
export const pageItemText = (cpfCnpjRaiz: string, product: PrintedProduct, changedAt: EpochMs): string =>
  `{${itemMembers(cpfCnpjRaiz, product)},"changedAt":"${momentText(changedAt)}"}`;

const itemMembers = (cpfCnpjRaiz: string, product: PrintedProduct): string =>
  `"codigo":${product.codigo},"descricao":${quoted(product.descricao)},` +
  `"denominacao":${quoted(product.denominacao)},"cpfCnpjRaiz":"${cpfCnpjRaiz}","situacao":"${product.situacao}",` +
  `"modalidade":${quoted(product.modalidade)},"ncm":${quoted(product.ncm)},"versao":"${versionText(product)}",${listMembers(product)}`;

/** The export form: the list form with the situation in words, as an object to be printed pretty. */
export function exportRecord(cpfCnpjRaiz: string, seq: number, product: PrintedProduct): object {
  return {
    seq,
    codigo: product.codigo,
    descricao: product.descricao,
    denominacao: product.denominacao,
    cpfCnpjRaiz,
    situacao: EXPORTED_SITUACAO[product.situacao],
    modalidade: product.modalidade,
    ncm: product.ncm,
    versao: versionText(product),
    ...attributesOf(product),
    codigosInterno: codigosInternoOf(product),
  };
}
