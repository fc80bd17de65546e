/** The filters of the list: in the address under the API's names, and as the API is asked. */
import type { Query } from '../api/client.ts';
import type { Filters } from '../api/use-filters.ts';

export const FILTERS = [
  'denominacao',
  'descricao',
  'ncm',
  'modalidade',
  'codigoInterno',
  'dataReferencia',
  'situacao',
  'codigo',
  'paisOrigem',
  'cpfCnpjFabricante',
  'operadorEstrangeiroCodigo',
  'periodoRegistroInicio',
  'periodoRegistroFim',
  'ultimaAlteracaoInicio',
  'ultimaAlteracaoFim',
] as const;

export type FilterName = (typeof FILTERS)[number];
export type ProductFilters = Filters<FilterName>;

/** Those that are seen only when they are asked for. */
export const FURTHER: readonly FilterName[] = FILTERS.slice(FILTERS.indexOf('situacao'));

export const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, ''])) as ProductFilters;

export const isFiltered = (filters: ProductFilters): boolean => FILTERS.some((name) => filters[name] !== '');

/** As the API numbers them (specification, States). */
export const SITUACOES = [
  { value: '0', label: 'Ativado' },
  { value: '1', label: 'Desativado' },
  { value: '2', label: 'Rascunho' },
] as const;

const SITUACAO_NUMBERS: Readonly<Record<string, string>> = { ATIVADO: '0', DESATIVADO: '1', RASCUNHO: '2' };

/** Also of an address that says it in words. */
export const situacaoNumber = (situacao: string): string =>
  SITUACAO_NUMBERS[situacao.toUpperCase()] ?? situacao;

/** What people type, as the API takes it. */
export const tidied = (typed: ProductFilters): ProductFilters => {
  const trimmed = Object.fromEntries(FILTERS.map((name) => [name, typed[name].trim()])) as ProductFilters;
  return {
    ...trimmed,
    ncm: trimmed.ncm.replaceAll('.', ''),
    paisOrigem: trimmed.paisOrigem.toUpperCase(),
    cpfCnpjFabricante: trimmed.cpfCnpjFabricante.replaceAll(/[./-]/g, ''),
  };
};

/** An internal code is found without its leading zeros, too. */
export function askedOf(company: string, filters: ProductFilters, order: string): Query {
  const { codigoInterno, situacao, ...others } = filters;
  return {
    cpfCnpjRaiz: company,
    ...others,
    situacao: situacaoNumber(situacao),
    internalCode: codigoInterno,
    order,
  };
}
