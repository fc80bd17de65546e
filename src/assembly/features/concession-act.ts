/** Concession acts of products. */
import { batchRunner } from '../../catalogue/batch.ts';
import type { Feature } from '../feature.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import type { Products } from '../../catalogue/product/model.ts';
import { ConcessionActItems } from '../../catalogue/concession-act/items.ts';
import { concessionActSchemas } from '../../catalogue/concession-act/model.ts';
import { ConcessionActStore } from '../../catalogue/concession-act/store.ts';

export function openConcessionAct(appContext: CatalogueContext, products: Products) {
  const { db, writer, rules, access, reads: listings } = appContext;
  const schemas = concessionActSchemas(rules);
  const items = new ConcessionActItems(schemas, new ConcessionActStore(db), products);
  const runBatch = batchRunner(writer, items);
  const feature: Feature = {
    lateOperations: ({ concessionActRoutes }) => concessionActRoutes({ runBatch, schemas, listings, access }),
  };
  return { ...feature, items };
}
