/** Changes of many products: what chooses them, and what changes each. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import type { ItemApplier } from '../../catalogue/batch.ts';
import type { Catalogue } from './catalogue.ts';
import type { ImportService } from '../../catalogue/import/service.ts';
import { changeApplier } from '../../catalogue/many/applier.ts';
import { type ChangeOrder, changeRequestSchema } from '../../catalogue/many/order.ts';
import { changeRoutes } from '../../catalogue/many/routes.ts';
import { ChangeService } from '../../catalogue/many/service.ts';

export function openMany(
  { clock, reads: listings }: Ground,
  { rules, product, link }: Catalogue,
  { service: imports }: { readonly service: ImportService },
): Feature {
  const changes = new ChangeService({ imports, products: product.store, listings, clock });
  return {
    operations: () => changeRoutes(changes, changeRequestSchema(rules, product.schemas, link.schemas)),
  };
}

/** Who applies the items of an import with that order. */
export const applierOfOrder = ({ product, link }: Catalogue, pedido: string): ItemApplier =>
  changeApplier({ patches: product.patches, links: link.changes }, JSON.parse(pedido) as ChangeOrder);
