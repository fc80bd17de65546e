/** A company's catalogue in numbers, searched, what of it waits to be mended, and what will be asked of it. */
import type { Feature } from '../feature.ts';
import type { CatalogueGround } from './catalogue-ground.ts';
import { deadlineRoutes } from '../../catalogue/attribute/deadline/routes.ts';
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
    ...deadlineRoutes({ reads, rules, clock }),
  ],
});
