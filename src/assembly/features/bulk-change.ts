/** Bulk changes of products: their selection, and the change of each product. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import type { ItemApplier } from '../../catalogue/batch.ts';
import type { Catalogue } from './catalogue.ts';
import { parseSheetInstructions } from '../../catalogue/sheet/instructions.ts';
import { recordApplier } from './proposal.ts';
import { sheetRows, zipRows } from './sheet-rows.ts';
import { undosOf } from './undo.ts';
import {
  type AppliedJob,
  type FetchInstructions,
  parseFetchInstructions,
  parseZipInstructions,
} from '../../catalogue/import/model.ts';
import type { ImportService } from '../../catalogue/import/service.ts';
import { undoApplier } from '../../catalogue/import/undo-applier.ts';
import { changeApplier } from '../../catalogue/bulk-change/applier.ts';
import { changeRequestSchema, parseChangeInstructions } from '../../catalogue/bulk-change/change-request.ts';
import type { Idempotency } from '../../idempotency/service.ts';
import { createChangeService } from '../../catalogue/bulk-change/service.ts';

export function openBulkChange(
  { clock, reads: listings }: AppContext,
  { rules, product, link }: Catalogue,
  { service: imports }: { readonly service: ImportService },
  idempotency: Idempotency,
) {
  // Built at its first use: a start changes nothing in bulk.
  let built: ReturnType<typeof changeRequestSchema> | undefined;
  const schema = () => (built ??= changeRequestSchema(rules, product.schemas, link.schemas));
  const changes = createChangeService({ imports, products: product.store, listings, clock, schema });
  const feature: Feature = {
    lateOperations: ({ changeRoutes }) => changeRoutes(changes, schema(), idempotency),
  };
  return { ...feature, changes };
}

/** Returns the function that makes the item applier of an import with instructions. */
export const applierOfInstructions =
  (catalogue: Catalogue, fetched: (instructions: FetchInstructions) => ItemApplier) =>
  ({ kind, changesMany = false, tipo, pedido }: AppliedJob & { readonly pedido: string }): ItemApplier => {
    switch (kind) {
      case 'arquivo':
        return zipRows(catalogue, parseZipInstructions(pedido));
      case 'planilha':
      case 'alteracao':
      case 'correcao': {
        if (!changesMany) return sheetRows(catalogue, parseSheetInstructions(pedido));
        const { product, link } = catalogue;
        return changeApplier(product.patches, link.changes, parseChangeInstructions(pedido));
      }
      case 'desfazer':
        return undoApplier(undosOf(catalogue));
      case 'remoto':
        return fetched(parseFetchInstructions(pedido));
      case 'registro':
        return recordApplier(catalogue, tipo);
    }
  };
