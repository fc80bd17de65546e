/** Attention items of the catalogue of a company, without its imports (contract section 25). */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { dayCell } from '../../sheet/table.ts';
import { daysAfter } from '../../validation/calendar.ts';
import { counted } from '../../validation/text.ts';
import { ActivationStore } from '../../catalogue/attribute/activation/activation-store.ts';
import { requirementsByNcm } from '../../catalogue/attribute/deadline/requirements-by-ncm.ts';
import { productsWithRequirements } from '../../catalogue/attribute/deadline/deadlines.ts';
import type { Matter } from '../../catalogue/summary/matter.ts';
import { attentionCounts } from '../../catalogue/summary/summary-list-query.ts';

const DEADLINE_DAYS = 30;
/** A deadline is an error when it is at most this many days away. */
const URGENT_DAYS = 7;

interface Asked {
  readonly today: Day;
  readonly administrador: boolean;
}

/** Returns a function that lists the items of one company. It yields where other reads may run. */
export function catalogueMatters(
  db: Db,
  { today, administrador }: Asked,
): (cpfCnpjRaiz: string) => Generator<string, readonly Matter[]> {
  const countsOf = attentionCounts(db);
  const filter = { today, until: daysAfter(today, DEADLINE_DAYS) };
  const requirementsIn = requirementsByNcm(db, { ...filter, companies: undefined });
  const hasTable = new ActivationStore(db).list().some(({ onDay }) => onDay <= today);
  return function* (cpfCnpjRaiz) {
    const { deactivatedBySystem, drafts } = countsOf(cpfCnpjRaiz);
    const deadlines = yield* deadlinesOf(
      productsWithRequirements(db, { ...filter, companies: [cpfCnpjRaiz] }, requirementsIn),
    );
    const matters: readonly Matter[] = [
      {
        kind: 'paraCorrigir',
        count: deactivatedBySystem,
        href: `/corrigir?cpfCnpjRaiz=${cpfCnpjRaiz}`,
        tone: 'error',
        message: `${counted(deactivatedBySystem, 'produto desativado', 'produtos desativados')} pelo sistema, porque os atributos da NCM mudaram. Grave uma nova versão de cada um com o que falta.`,
      },
      deadlineMatter(cpfCnpjRaiz, deadlines, today),
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
        message: `${counted(drafts, 'rascunho', 'rascunhos')} por terminar. Complete o que falta e ative: enquanto rascunho, o produto não vale.`,
      },
    ];
    return matters.filter(({ count }) => count > 0);
  };
}

interface Deadlines {
  /** The number of products that lack something. Each counts once. */
  readonly count: number;
  /** The nearest day of a requirement that they lack. */
  readonly first: Day | undefined;
}

function* deadlinesOf(products: ReturnType<typeof productsWithRequirements>): Generator<string, Deadlines> {
  let count = 0;
  let first: Day | undefined;
  for (const product of products) {
    if (product === undefined) yield '';
    else if (product.missing.length > 0) {
      count += 1;
      for (const { on } of product.missing) if (first === undefined || on < first) first = on;
    }
  }
  return { count, first };
}

function deadlineMatter(cpfCnpjRaiz: string, { count, first = '' }: Deadlines, today: Day): Matter {
  const products = counted(count, 'produto não tem', 'produtos não têm');
  return {
    kind: 'prazos',
    count,
    day: first,
    href: `/corrigir?cpfCnpjRaiz=${cpfCnpjRaiz}&fonte=due`,
    tone: first <= daysAfter(today, URGENT_DAYS) ? 'error' : 'warning',
    message: `${products} o que vai ser exigido em até ${DEADLINE_DAYS} dias, o primeiro em ${dayCell(first)}. Preencha antes: o que ainda faltar quando a tabela o exigir é desativado.`,
  };
}
