/**
 * Counts the records of a company: from indexes alone for large counts; row by row for products that are not
 * active.
 */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import { keyIn } from '../versioned/model.ts';
import { SYSTEM } from '../../session/model.ts';
import { type SystemDeactivation, tableEffects } from './table-effects-list-query.ts';
import type { CatalogueSummary, ChapterCounts, ProductCounts } from './model.ts';

export const SUMMARY = {
  nextNcm: `SELECT min(ncm) FROM product INDEXED BY product_by_ncm
    WHERE company_id = @companyId AND ncm >= @from`,
  ofChapter: `SELECT count(*) FROM product INDEXED BY product_by_ncm
    WHERE company_id = @companyId AND ncm >= @from AND ncm < @to`,
  withoutNcm: `SELECT count(*) FROM product INDEXED BY product_by_ncm
    WHERE company_id = @companyId AND ncm IS NULL`,
  inactive: `SELECT id, substr(ncm, 1, 2) AS chapter, situacao,
      CASE WHEN situacao = 'DESATIVADO' AND deactivated_by = @system THEN deactivated_at END AS deactivatedBySystemAt
    FROM product INDEXED BY product_by_situacao WHERE company_id = @companyId AND situacao <> 'ATIVADO'`,
  rareProducts: `SELECT count(*) FROM product INDEXED BY product_by_situacao
    WHERE company_id = @companyId AND situacao <> 'ATIVADO' AND situacao = @situacao`,
  bySystem: `SELECT count(*) FROM product INDEXED BY product_by_situacao
    WHERE company_id = @companyId AND situacao <> 'ATIVADO' AND situacao = 'DESATIVADO' AND deactivated_by = @system`,
  operators: `SELECT count(*) FROM foreign_operator INDEXED BY foreign_operator_by_numero
    WHERE company_id = @companyId AND situacao = @situacao`,
  links: `SELECT count(*) FROM manufacturer_link INDEXED BY manufacturer_link_once
    WHERE product_id > @first AND product_id < @last AND unlinked_at IS NULL`,
} as const;

interface Inactive {
  readonly id: number;
  readonly chapter: string | null;
  readonly situacao: 'DESATIVADO' | 'RASCUNHO';
  /** Time at which the system deactivated it; `null` if the system did not. */
  readonly deactivatedBySystemAt: number | null;
}

/** Number of rows before other reads may run. */
const STRETCH = 1000;

/** Reads the summary on a read connection; yields to let other reads run. */
export function* summaryOf(db: Db, cpfCnpjRaiz: string): Generator<undefined, CatalogueSummary> {
  const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
  const count = (name: keyof typeof SUMMARY, values: object = {}): number =>
    db
      .prepare<[object], number>(SUMMARY[name])
      .pluck()
      .get({ companyId, ...values }) ?? 0;
  const { chapters, deactivations } = yield* productsOf(db, companyId);
  const tables = yield* tableEffects(db, companyId, deactivations);
  const foreignOperators = {
    ATIVADO: count('operators', { situacao: 'ATIVADO' }),
    DESATIVADO: count('operators', { situacao: 'DESATIVADO' }),
  };
  yield undefined;
  const ofCompany = { first: keyIn(companyId, 0), last: keyIn(companyId + 1, 0) };
  const manufacturerLinks = count('links', ofCompany);
  return { cpfCnpjRaiz, products: sumOf(chapters), chapters, tables, foreignOperators, manufacturerLinks };
}

type Counts = { -readonly [Name in keyof ProductCounts]: number };
const noCounts = (): Counts => ({ ATIVADO: 0, DESATIVADO: 0, RASCUNHO: 0, deactivatedBySystem: 0 });

/** Counts all products by chapter, and those that the system deactivated. */
function* productsOf(
  db: Db,
  companyId: number,
): Generator<
  undefined,
  { readonly chapters: ChapterCounts[]; readonly deactivations: SystemDeactivation[] }
> {
  const counts = yield* allByChapter(db, companyId);
  const deactivations: SystemDeactivation[] = [];
  const inactive = db.prepare<[object], Inactive>(SUMMARY.inactive);
  let count = 0;
  for (const { id, chapter, situacao, deactivatedBySystemAt } of inactive.iterate({
    companyId,
    system: SYSTEM,
  })) {
    const chapterCounts = counts.get(chapter) ?? noCounts();
    chapterCounts.ATIVADO -= 1;
    chapterCounts[situacao] += 1;
    if (deactivatedBySystemAt !== null) {
      chapterCounts.deactivatedBySystem += 1;
      deactivations.push({ product: id, at: deactivatedBySystemAt, isActive: 0 });
    }
    if (++count % STRETCH === 0) yield undefined;
  }
  return {
    chapters: [...counts].map(([chapter, chapterCounts]) => ({ chapter, ...chapterCounts })),
    deactivations,
  };
}

/** Counts all products as active. Finds each chapter by the first NCM after the previous chapter. */
function* allByChapter(db: Db, companyId: number): Generator<undefined, Map<string | null, Counts>> {
  const nextNcm = db.prepare<[object], string | null>(SUMMARY.nextNcm).pluck();
  const ofChapter = db.prepare<[object], number>(SUMMARY.ofChapter).pluck();
  const counts = new Map<string | null, Counts>();
  for (let from = ''; ;) {
    const ncm = nextNcm.get({ companyId, from }) ?? null;
    if (ncm === null) break;
    const chapter = ncm.slice(0, 2);
    from = `${chapter}:`; // the character after the digits
    counts.set(chapter, {
      ...noCounts(),
      ATIVADO: ofChapter.get({ companyId, from: chapter, to: from }) ?? 0,
    });
    yield undefined;
  }
  const ATIVADO = db.prepare<[object], number>(SUMMARY.withoutNcm).pluck().get({ companyId }) ?? 0;
  if (ATIVADO > 0) counts.set(null, { ...noCounts(), ATIVADO });
  return counts;
}

function sumOf(chapters: readonly ChapterCounts[]): ProductCounts {
  const sum = noCounts();
  for (const chapterCounts of chapters)
    for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += chapterCounts[name];
  return sum;
}

/** Returns a function that counts the products of a company that users must correct or finish. */
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
