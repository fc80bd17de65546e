/** Concession acts of products. */
import { batchRunner } from '../../catalogue/batch.ts';
import type { Feature } from '../feature.ts';
import type { CatalogueGround } from './catalogue-ground.ts';
import type { Products } from '../../catalogue/product/model.ts';
import { ConcessionActItems } from '../../catalogue/concession-act/items.ts';
import { concessionActSchemas } from '../../catalogue/concession-act/model.ts';
import { concessionActRoutes } from '../../catalogue/concession-act/routes.ts';
import { ConcessionActStore } from '../../catalogue/concession-act/store.ts';

export function openConcessionAct(ground: CatalogueGround, products: Products) {
  const { db, writer, rules, access, reads: listings } = ground;
  const schemas = concessionActSchemas(rules);
  const items = new ConcessionActItems(schemas, new ConcessionActStore(db), products);
  const runBatch = batchRunner(writer, items);
  const feature: Feature = {
    operations: () => concessionActRoutes({ runBatch, schemas, listings, access }),
  };
  return { ...feature, items };
}
