/** Summary of a company's catalogue: counts, search, and the products to correct. */
import type { Feature } from '../feature.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { DismissalStore } from '../../catalogue/summary/dismissal-store.ts';
import { Dismissals } from '../../catalogue/summary/dismissals.ts';
import { SYSTEM } from '../../session/model.ts';

export const openSummary = (
  { db, writer, rules, access, reads, clock }: CatalogueContext,
  nomenclature: Nomenclature,
): Feature => {
  const dismissals = new Dismissals(reads, new DismissalStore(db), writer, clock);
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
    lateOperations: ({ summaryRoutes, searchRoutes, mendingRoutes }) => [
      ...summaryRoutes({ summaries: reads, dismissals, rules, access, clock }),
      ...searchRoutes({ searches: reads, nomenclature, rules, access }),
      ...mendingRoutes(reads, rules, access, clock),
    ],
  };
};
