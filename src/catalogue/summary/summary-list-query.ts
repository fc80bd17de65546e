/** How many records of each situation a company has, from indexes alone where it has many. */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import { keyIn } from '../versioned/model.ts';
import { SYSTEM } from '../../session/model.ts';
import type { CatalogueSummary } from './model.ts';

export const SUMMARY = {
  products: 'SELECT count(*) FROM product INDEXED BY product_by_registration WHERE company_id = @companyId',
  rareProducts: `SELECT count(*) FROM product INDEXED BY product_by_situacao
    WHERE company_id = @companyId AND situacao <> 'ATIVADO' AND situacao = @situacao`,
  bySystem: `SELECT count(*) FROM product INDEXED BY product_by_situacao
    WHERE company_id = @companyId AND situacao <> 'ATIVADO' AND situacao = 'DESATIVADO' AND deactivated_by = @system`,
  operators: `SELECT count(*) FROM foreign_operator INDEXED BY foreign_operator_by_numero
    WHERE company_id = @companyId AND situacao = @situacao`,
  links: `SELECT count(*) FROM manufacturer_link INDEXED BY manufacturer_link_once
    WHERE product_id > @first AND product_id < @last AND unlinked_at IS NULL`,
} as const;

/** Reads it on a reading connection; yields where others may have their turn. */
export function* summaryOf(db: Db, cpfCnpjRaiz: string): Generator<undefined, CatalogueSummary> {
  const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
  const count = (name: keyof typeof SUMMARY, values: object = {}): number =>
    db
      .prepare<[object], number>(SUMMARY[name])
      .pluck()
      .get({ companyId, ...values }) ?? 0;
  const [DESATIVADO, RASCUNHO] = ['DESATIVADO', 'RASCUNHO'].map((situacao) =>
    count('rareProducts', { situacao }),
  );
  yield undefined;
  const all = count('products');
  yield undefined;
  const deactivatedBySystem = count('bySystem', { system: SYSTEM });
  yield undefined;
  const foreignOperators = {
    ATIVADO: count('operators', { situacao: 'ATIVADO' }),
    DESATIVADO: count('operators', { situacao: 'DESATIVADO' }),
  };
  yield undefined;
  const ofCompany = { first: keyIn(companyId, 0), last: keyIn(companyId + 1, 0) };
  const manufacturerLinks = count('links', ofCompany);
  const products = {
    ...{ ATIVADO: all - (DESATIVADO ?? 0) - (RASCUNHO ?? 0), DESATIVADO: DESATIVADO ?? 0 },
    ...{ RASCUNHO: RASCUNHO ?? 0, deactivatedBySystem },
  };
  return { cpfCnpjRaiz, products, foreignOperators, manufacturerLinks };
}

/** Of one company after the other: what somebody has to mend, or to end. */
export function attentionCounts(db: Db) {
  const bySystem = db.prepare<[object], number>(SUMMARY.bySystem).pluck();
  const drafts = db.prepare<[object], number>(SUMMARY.rareProducts).pluck();
  return (cpfCnpjRaiz: string) => {
    const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
    return {
      deactivatedBySystem: bySystem.get({ companyId, system: SYSTEM }) ?? 0,
      drafts: drafts.get({ companyId, situacao: 'RASCUNHO' }) ?? 0,
    };
  };
}
