/** A company's catalogue in numbers, searched, and what of it waits to be mended. */
import type { Feature } from '../feature.ts';
import type { CatalogueGround } from './catalogue-ground.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { mendingRoutes } from '../../catalogue/mending/routes.ts';
import { searchRoutes } from '../../catalogue/search/routes.ts';
import { summaryRoutes } from '../../catalogue/summary/routes.ts';

export const openSummary = (
  { rules, access, reads, clock }: CatalogueGround,
  nomenclature: Nomenclature,
): Feature => ({
  operations: () => [
    ...summaryRoutes({ summaries: reads, rules, access }),
    ...searchRoutes({ searches: reads, nomenclature, rules, access }),
    ...mendingRoutes({ reads, rules, access, clock }),
  ],
});
