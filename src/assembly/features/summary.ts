/** A company's catalogue in numbers. */
import type { Feature } from '../feature.ts';
import type { CatalogueGround } from './catalogue-ground.ts';
import { summaryRoutes } from '../../catalogue/summary/routes.ts';

export const openSummary = ({ rules, access, reads: summaries }: CatalogueGround): Feature => ({
  operations: () => summaryRoutes({ summaries, rules, access }),
});
