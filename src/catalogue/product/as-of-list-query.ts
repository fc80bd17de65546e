/** Products as they stood at the end of a day (contract section 5, `dataReferencia`). */
import { Conditions, type Query, foldedOf } from '../list-query.ts';
import { KEYS_OF_COMPANY } from '../versioned/model.ts';
import { type KeyRange, type ProductFilter, addLinks, addOfProduct, printed } from './asked-list-query.ts';

/** The situation of a row at the end of a day that ends before the parameter. */
const situacaoThen = (t: string): string =>
  `CASE WHEN ${t}.deactivated_at < ? THEN 'DESATIVADO' ELSE 'ATIVADO' END`;

/**
 * As of a day everything is asked of the version then in force: the current one, or else at most one of the past. The two
 * walks are in the order of keys already, and are merged.
 */
export function asOfQuery(
  filter: ProductFilter,
  { day, endsBefore }: NonNullable<ProductFilter['asOf']>,
  companyId: number,
  keys: KeyRange,
): Query {
  const asOf = (t: 'p' | 'v', key: string, where: Conditions): Query => {
    where.add(`${key} > +? AND ${key} <= +?`, keys.after, keys.upTo);
    where.when(filter.codigo, `${key} = ${companyId} * ${KEYS_OF_COMPANY} + ?`);
    where.add(`${t}.starts_on <= ?`, day);
    // A draft is edited in place: what it was on a day is not known, so until its activation it is absent.
    where.add(`(${t}.draft_until IS NULL OR ${t}.draft_until < ?)`, endsBefore);
    addOfProduct(filter, where);
    where.when(filter.ncm, `${t}.ncm = ?`);
    where.when(filter.modalidade, `${t}.modalidade = ?`);
    if (filter.situacao !== undefined) where.add(`${situacaoThen(t)} = ?`, endsBefore, filter.situacao);
    for (const text of ['denominacao', 'descricao'] as const)
      where.when(
        foldedOf(filter[text]),
        `instr(${t === 'p' ? `p.${text}_folded` : `folded(v.${text})`}, ?) > 0`,
      );
    where.when(
      filter.codigoInterno,
      `EXISTS (SELECT 1 FROM json_each(${t}.codigos_interno) i WHERE i.value = ?)`,
    );
    where.when(
      filter.internalCode,
      `EXISTS (SELECT 1 FROM json_each(${t}.codigos_interno) i WHERE ltrim(i.value, '0') = ltrim(?, '0'))`,
    );
    const inForce = 'l.starts_on <= ? AND (l.ends_on IS NULL OR l.ends_on > ?)';
    addLinks(filter, companyId, where, inForce, [day, day]);
    const sql = `SELECT ${key} AS id, ${printed(t, key)}, p.changed_at AS changedAt, ${situacaoThen(t)} AS situacao`;
    return { sql, parameters: [endsBefore, ...where.parameters] };
  };
  const [now, then] = [new Conditions(), new Conditions()];
  const current = asOf('p', 'p.id', now);
  then.add('v.until_day > ? AND v.until_day IS NOT NULL', day);
  const past = asOf('v', 'v.record_id', then);
  const sql = `${current.sql} FROM product p WHERE ${now.sql} UNION ALL
    ${past.sql} FROM product_version v INDEXED BY product_version_in_force
      CROSS JOIN product p ON p.id = v.record_id WHERE ${then.sql} ORDER BY id`;
  return { sql, parameters: [...current.parameters, ...past.parameters] };
}
