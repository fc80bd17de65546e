/** Bulk changes of products: their selection, and the change of each product. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import type { ItemApplier } from '../../catalogue/batch.ts';
import type { Catalogue } from './catalogue.ts';
import type { SheetOrder } from '../../catalogue/sheet/order.ts';
import { recordApplier } from './proposal.ts';
import { sheetRows, zipRows } from './sheet-rows.ts';
import { undosOf } from './undo.ts';
import type { FetchOrder, ImportKind, RecordOrder, ZipOrder } from '../../catalogue/import/model.ts';
import type { ImportService } from '../../catalogue/import/service.ts';
import { undoApplier } from '../../catalogue/import/undo-applier.ts';
import { changeApplier } from '../../catalogue/many/applier.ts';
import { type CorrectedOrder, changeRequestSchema } from '../../catalogue/many/order.ts';
import type { IdempotentOrders } from '../../idempotency/service.ts';
import { ChangeService } from '../../catalogue/many/service.ts';

export function openMany(
  { clock, reads: listings }: AppContext,
  { rules, product, link }: Catalogue,
  { service: imports }: { readonly service: ImportService },
  orders: IdempotentOrders,
) {
  const schema = changeRequestSchema(rules, product.schemas, link.schemas);
  const changes = new ChangeService({ imports, products: product.store, listings, clock, schema });
  const feature: Feature = { lateOperations: ({ changeRoutes }) => changeRoutes(changes, schema, orders) };
  return { ...feature, changes };
}

/** Returns the item applier of an import with this request. */
export function applierOfOrder(
  catalogue: Catalogue,
  fetched: (order: FetchOrder) => ItemApplier,
): (pedido: string, tipo: ImportKind) => ItemApplier {
  const { product, link } = catalogue;
  return (pedido, tipo) => {
    const order = JSON.parse(pedido) as
      | CorrectedOrder
      | { readonly sheet: SheetOrder }
      | { readonly zip: ZipOrder<SheetOrder> }
      | { readonly undo: number }
      | RecordOrder
      | FetchOrder;
    if ('sheet' in order) return sheetRows(catalogue, order.sheet);
    if ('zip' in order) return zipRows(catalogue, order.zip);
    if ('record' in order) return recordApplier(catalogue, tipo);
    if ('undo' in order) return undoApplier(undosOf(catalogue));
    if ('fetch' in order) return fetched(order);
    return changeApplier({ patches: product.patches, links: link.changes }, order);
  };
}
