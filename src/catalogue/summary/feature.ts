/** A company's catalogue in numbers. */
import type { Feature } from '../../feature.ts';
import type { CatalogueGround } from '../ground.ts';
import { summaryRoutes } from './routes.ts';

export const openSummary = ({ rules, access, reads: summaries }: CatalogueGround): Feature => ({
  operations: () => summaryRoutes({ summaries, rules, access }),
});
