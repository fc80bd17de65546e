/** A company's catalogue in numbers, and searched. */
import type { Feature } from '../feature.ts';
import type { CatalogueGround } from './catalogue-ground.ts';
import { searchRoutes } from '../../catalogue/search/routes.ts';
import { summaryRoutes } from '../../catalogue/summary/routes.ts';

export const openSummary = ({ rules, access, reads }: CatalogueGround): Feature => ({
  operations: () => [
    ...summaryRoutes({ summaries: reads, rules, access }),
    ...searchRoutes({ searches: reads, rules, access }),
  ],
});
