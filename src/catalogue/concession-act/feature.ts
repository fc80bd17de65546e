/** Concession acts of products. */
import type { Feature } from '../../feature.ts';
import type { CatalogueGround } from '../ground.ts';
import type { Products } from '../product/model.ts';
import { ConcessionActItems } from './items.ts';
import { concessionActSchemas } from './model.ts';
import { concessionActRoutes } from './routes.ts';
import { ConcessionActService } from './service.ts';
import { ConcessionActStore } from './store.ts';

export function openConcessionAct(ground: CatalogueGround, products: Products) {
  const { db, writer, rules, access, reads: listings } = ground;
  const schemas = concessionActSchemas(rules);
  const items = new ConcessionActItems(schemas, new ConcessionActStore(db), products);
  const concessionActs = new ConcessionActService({ items, writer });
  const feature: Feature = {
    operations: () => concessionActRoutes({ concessionActs, schemas, listings, access }),
  };
  return { ...feature, items };
}
