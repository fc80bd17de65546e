/** Attention items of the catalogue of a company, without its imports (contract section 25). */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { dayCell } from '../../sheet/table.ts';
import { daysAfter } from '../../validation/calendar.ts';
import { withCount } from '../../validation/text.ts';
import { ActivationStore } from '../../catalogue/attribute/activation/activation-store.ts';
import { requirementsByNcm } from '../../catalogue/attribute/deadline/requirements-by-ncm.ts';
import { productsWithRequirements } from '../../catalogue/attribute/deadline/deadlines.ts';
import type { AttentionItem } from '../../catalogue/summary/attention-item.ts';
import { attentionCounts } from '../../catalogue/summary/summary-list-query.ts';

/** Deadlines further away than this number of days are not listed. */
const DEADLINE_DAYS = 30;
/** A deadline within this number of days has the tone `error`. */
const URGENT_DAYS = 7;

interface CallerOptions {
  readonly today: Day;
  readonly administrador: boolean;
}

/** Returns a generator of the items of one company. It yields `''` where other reads may run. */
export function catalogueAttention(
  db: Db,
  { today, administrador }: CallerOptions,
): (cpfCnpjRaiz: string) => Generator<string, readonly AttentionItem[]> {
  const countsOf = attentionCounts(db);
  const filter = { today, until: daysAfter(today, DEADLINE_DAYS) };
  const requirementsIn = requirementsByNcm(db, { ...filter, companies: undefined });
  const hasTable = new ActivationStore(db).list().some(({ onDay }) => onDay <= today);
  return function* (cpfCnpjRaiz) {
    const { deactivatedBySystem, drafts } = countsOf(cpfCnpjRaiz);
    const deadlines = yield* countDeadlines(
      productsWithRequirements(db, { ...filter, companies: [cpfCnpjRaiz] }, requirementsIn),
    );
    const attentionItems: readonly AttentionItem[] = [
      {
        kind: 'paraCorrigir',
        count: deactivatedBySystem,
        href: `/corrigir?cpfCnpjRaiz=${cpfCnpjRaiz}`,
        tone: 'error',
        message: `${withCount(deactivatedBySystem, 'produto desativado', 'produtos desativados')} pelo sistema, porque os atributos da NCM mudaram. Grave uma nova versão de cada um com o que falta.`,
      },
      deadlineItem(cpfCnpjRaiz, deadlines, today),
      {
        kind: 'semTabela',
        count: hasTable ? 0 : 1,
        href: '/atributos',
        tone: 'warning',
        message: `Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos. ${administrador ? 'Carregue' : 'Peça ao administrador que carregue'} a tabela pública de atributos por NCM.`,
      },
      {
        kind: 'rascunhos',
        count: drafts,
        href: `/produtos?cpfCnpjRaiz=${cpfCnpjRaiz}&situacao=RASCUNHO`,
        tone: 'info',
        message: `${withCount(drafts, 'rascunho', 'rascunhos')} por terminar. Complete o que falta e ative: enquanto rascunho, o produto não vale.`,
      },
    ];
    return attentionItems.filter(({ count }) => count > 0);
  };
}

interface Deadlines {
  /** Number of products that lack at least one required value. */
  readonly count: number;
  /** The earliest day on which one of the missing values becomes required. */
  readonly firstDay: Day | undefined;
}

/** Counts the products that lack a value that becomes required. */
function* countDeadlines(
  products: ReturnType<typeof productsWithRequirements>,
): Generator<string, Deadlines> {
  let count = 0;
  let firstDay: Day | undefined;
  for (const product of products) {
    if (product === undefined) yield '';
    else if (product.missing.length > 0) {
      count += 1;
      for (const { on: day } of product.missing) if (firstDay === undefined || day < firstDay) firstDay = day;
    }
  }
  return { count, firstDay };
}

function deadlineItem(cpfCnpjRaiz: string, { count, firstDay = '' }: Deadlines, today: Day): AttentionItem {
  const products = withCount(count, 'produto não tem', 'produtos não têm');
  return {
    kind: 'prazos',
    count,
    day: firstDay,
    href: `/corrigir?cpfCnpjRaiz=${cpfCnpjRaiz}&fonte=due`,
    tone: firstDay <= daysAfter(today, URGENT_DAYS) ? 'error' : 'warning',
    message: `${products} o que vai ser exigido em até ${DEADLINE_DAYS} dias, o primeiro em ${dayCell(firstDay)}. Preencha antes: o que ainda faltar quando a tabela o exigir é desativado.`,
  };
}
