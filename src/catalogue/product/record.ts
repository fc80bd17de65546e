/** A stored product as JSON text in its three forms, members in the order of contract section 4. */
import { type VersionNumber, versionText } from '../version.ts';
import type { ProductContent, ProductVersion, Situacao } from './model.ts';

/** What a record shows, beside its place in a list. */
export interface PrintedProduct extends VersionNumber {
  readonly codigo: number;
  readonly situacao: Situacao;
  readonly denominacao: string;
  readonly descricao: string | null;
  readonly modalidade: string | null;
  readonly ncm: string | null;
  readonly lists: string;
}

/** The lists of a product as one JSON object, whose inside is a part of every form. */
export function listsText(content: ProductContent): string {
  const { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } =
    content;
  return JSON.stringify({
    atributos: atributos.map(toSingle),
    atributosMultivalorados: atributosMultivalorados.map(({ atributo, valores }) => ({ atributo, valores })),
    atributosCompostos: atributosCompostos.map(({ atributo, valores }) => ({
      atributo,
      valores: valores.map(toSingle),
    })),
    atributosCompostosMultivalorados: atributosCompostosMultivalorados.map(({ atributo, valores }) => ({
      atributo,
      valores: valores.map((group) => group.map(toSingle)),
    })),
    codigosInterno: content.codigosInterno,
  });
}

/** Members in one order, whatever the order of the request. */
const toSingle = ({ atributo, valor }: { atributo: string; valor: string }) => ({ atributo, valor });

export type StoredLists = Pick<
  ProductContent,
  | 'atributos'
  | 'atributosMultivalorados'
  | 'atributosCompostos'
  | 'atributosCompostosMultivalorados'
  | 'codigosInterno'
>;

// The text was written by listsText.
export const parseLists = (lists: string): StoredLists => JSON.parse(lists) as StoredLists;

/** The content of a stored version. */
export function contentOf(version: ProductVersion): ProductContent {
  const { denominacao, descricao, modalidade, ncm, lists } = version;
  return { denominacao, descricao, modalidade, ncm, ...parseLists(lists) };
}

/** What JSON writes otherwise than it is: quotation marks, backslashes, control characters, lone surrogates. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Most texts need no escape, and to find that out is cheaper than to have them printed. */
function quoted(text: string | null): string {
  if (text === null) return 'null';
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const inside = (object: string): string => object.slice(1, -1);

/** The response form. */
export function responseText(cpfCnpjRaiz: string, product: PrintedProduct): string {
  return (
    `{"descricao":${quoted(product.descricao)},"denominacao":${quoted(product.denominacao)},` +
    `"modalidade":${quoted(product.modalidade)},"ncm":${quoted(product.ncm)},${inside(product.lists)},` +
    `"cpfCnpjRaiz":"${cpfCnpjRaiz}","codigo":${product.codigo},"versao":"${versionText(product)}","situacao":"${product.situacao}"}`
  );
}

/** The list form. */
export function listItemText(cpfCnpjRaiz: string, seq: number, product: PrintedProduct): string {
  return (
    `{"seq":${seq},"codigo":${product.codigo},"descricao":${quoted(product.descricao)},` +
    `"denominacao":${quoted(product.denominacao)},"cpfCnpjRaiz":"${cpfCnpjRaiz}","situacao":"${product.situacao}",` +
    `"modalidade":${quoted(product.modalidade)},"ncm":${quoted(product.ncm)},"versao":"${versionText(product)}",${inside(product.lists)}}`
  );
}

const EXPORTED_SITUACAO: Readonly<Record<Situacao, string>> = {
  ATIVADO: 'Ativado',
  DESATIVADO: 'Desativado',
  RASCUNHO: 'Rascunho',
};

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
    ...parseLists(product.lists),
  };
}
