/** What a filter asks of a product, condition by condition (contract section 5). */
import type { Day, EpochMs } from '../../clock.ts';
import { type Conditions, type Parameter, foldedOf } from '../list-query.ts';
import { SYSTEM } from '../../session/model.ts';
import { KEYS_OF_COMPANY } from '../versioned/model.ts';
import { CODIGO_INTERNO_MAX, type Situacao } from './model.ts';

/** What is asked of the products of a company; absent members ask nothing. */
export interface ProductFilter {
  readonly cpfCnpjRaiz: string;
  readonly codigo?: number;
  readonly codigoInterno?: string;
  /** One of the internal codes is this one, whatever zeros either begins with. */
  readonly internalCode?: string;
  readonly descricao?: string;
  readonly denominacao?: string;
  readonly ncm?: string;
  readonly registeredFrom?: EpochMs;
  readonly registeredBefore?: EpochMs;
  readonly changedFrom?: EpochMs;
  readonly changedBefore?: EpochMs;
  readonly situacao?: Situacao;
  readonly withoutDeactivated?: boolean;
  /** The system has deactivated it, and it still is, whatever day is asked for. */
  readonly deactivatedBySystem?: boolean;
  readonly modalidade?: string;
  readonly paisOrigem?: string;
  readonly cpfCnpjFabricante?: string;
  readonly operadorEstrangeiroCodigo?: string;
  /** Products as they stood at the end of this day, which ends before `endsBefore`. */
  readonly asOf?: { readonly day: Day; readonly endsBefore: EpochMs };
}

/** Only products of these keys: greater than `after`, none greater than `upTo`. */
export interface KeyRange {
  readonly after: number;
  readonly upTo: number;
}

/** What a record shows of a row `t`; its situation is asked for besides. */
export const printed = (
  t: string,
  key = `${t}.id`,
): string => `${key} % ${KEYS_OF_COMPANY} AS codigo, ${t}.family, ${t}.rectification,
  ${t}.denominacao, ${t}.descricao, ${t}.modalidade, ${t}.ncm, ${t}.atributos,
  ${t}.atributos_multivalorados AS atributosMultivalorados, ${t}.atributos_compostos AS atributosCompostos,
  ${t}.atributos_compostos_multivalorados AS atributosCompostosMultivalorados, ${t}.codigos_interno AS codigosInterno`;

/** What no index that drives has answered. */
export function addAsked(filter: ProductFilter, companyId: number, where: Conditions): void {
  where.when(filter.situacao, 'p.situacao = ?');
  if (filter.withoutDeactivated === true) where.add("p.situacao <> 'DESATIVADO'");
  where.when(filter.modalidade, 'p.modalidade = ?');
  addOfProduct(filter, where);
  where.when(foldedOf(filter.denominacao), 'instr(p.denominacao_folded, ?) > 0');
  where.when(foldedOf(filter.descricao), 'instr(p.descricao_folded, ?) > 0');
  addLinks(filter, companyId, where, 'l.unlinked_at IS NULL', []);
}

export const HAS_INTERNAL_CODE = `EXISTS (SELECT 1 FROM product_internal_code c
  WHERE c.company_id = p.company_id AND c.codigo_interno = ? AND c.product_id = p.id)`;

export const IS_OF_INTERNAL_CODES = `p.id IN (SELECT c.product_id FROM product_internal_code c
  WHERE c.company_id = ? AND c.codigo_interno IN (SELECT value FROM json_each(?)))`;

/** All internal codes that differ from this one in the zeros that they begin with. */
export function withAnyZeros(code: string): string[] {
  const rest = code.replace(/^0+/, '');
  return Array.from({ length: CODIGO_INTERNO_MAX - rest.length + 1 }, (_, zeros) => '0'.repeat(zeros) + rest);
}

export function isLinked({
  paisOrigem,
  cpfCnpjFabricante,
  operadorEstrangeiroCodigo,
}: ProductFilter): boolean {
  return (paisOrigem ?? cpfCnpjFabricante ?? operadorEstrangeiroCodigo) !== undefined;
}

/** One of the link filters, the most selective, to drive a query. */
export function addLinkColumns(filter: ProductFilter, companyId: number, where: Conditions): void {
  const { cpfCnpjFabricante, operadorEstrangeiroCodigo, paisOrigem } = filter;
  if (cpfCnpjFabricante !== undefined) where.add('l.cpf_cnpj_fabricante = ?', cpfCnpjFabricante);
  else if (operadorEstrangeiroCodigo !== undefined)
    where.add(HAS_OPERATOR, operadorEstrangeiroCodigo, companyId, operadorEstrangeiroCodigo);
  else where.when(paisOrigem, 'l.codigo_pais = ?');
}

/** An operator is named by its code or by its TIN. */
const HAS_OPERATOR = `l.codigo_operador IN
  (SELECT ? UNION ALL SELECT o.codigo FROM foreign_operator o INDEXED BY foreign_operator_by_tin WHERE o.company_id = ? AND o.tin = ?)`;

/** What is asked of the product itself, and not of its content on a day. */
export function addOfProduct(filter: ProductFilter, where: Conditions): void {
  if (filter.deactivatedBySystem === true)
    where.add("p.situacao = 'DESATIVADO' AND p.deactivated_by = ?", SYSTEM);
  where.when(filter.registeredFrom, 'p.registered_at >= ?');
  where.when(filter.registeredBefore, 'p.registered_at < ?');
  where.when(filter.changedFrom, 'p.changed_at >= ?');
  where.when(filter.changedBefore, 'p.changed_at < ?');
}

/** Each link filter alone: the product has some link like that, in force by `inForce`. */
export function addLinks(
  filter: ProductFilter,
  companyId: number,
  where: Conditions,
  inForce: string,
  when: readonly Parameter[],
): void {
  const has = (condition: string, ...parameters: Parameter[]): void =>
    where.add(
      `EXISTS (SELECT 1 FROM manufacturer_link l WHERE l.product_id = p.id AND ${inForce} AND ${condition})`,
      ...when,
      ...parameters,
    );
  const { paisOrigem, cpfCnpjFabricante, operadorEstrangeiroCodigo: operator } = filter;
  if (paisOrigem !== undefined) has('l.codigo_pais = ?', paisOrigem);
  if (cpfCnpjFabricante !== undefined) has('l.cpf_cnpj_fabricante = ?', cpfCnpjFabricante);
  if (operator !== undefined) has(HAS_OPERATOR, operator, companyId, operator);
}
