/** Summary of a company's catalogue: counts, search, and the products to correct. */
import type { Feature } from '../feature.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { mendingRoutes } from '../../catalogue/mending/routes.ts';
import { searchRoutes } from '../../catalogue/search/routes.ts';
import { DismissalStore } from '../../catalogue/summary/dismissal-store.ts';
import { Dismissals } from '../../catalogue/summary/dismissals.ts';
import { summaryRoutes } from '../../catalogue/summary/routes.ts';
import { SYSTEM } from '../../session/model.ts';

export const openSummary = (
  { db, writer, rules, access, reads, clock }: CatalogueContext,
  nomenclature: Nomenclature,
): Feature => {
  const dismissals = new Dismissals({ reads, store: new DismissalStore(db), writer, clock });
  return {
    jobs: [
      {
        name: 'atencao-dispensada',
        about:
          'Baixa a conta do que foi dispensado quando há menos, para que volte a pedir atenção se crescer.',
        pattern: '*/10 * * * *',
        atStart: false,
        runOnce: async () => ({ lowered: await dismissals.lowerCounts({ user: SYSTEM }) }),
      },
    ],
    operations: () => [
      ...summaryRoutes({ summaries: reads, dismissals, rules, access, clock }),
      ...searchRoutes({ searches: reads, nomenclature, rules, access }),
      ...mendingRoutes({ reads, rules, access, clock }),
    ],
  };
};
