/** Spreadsheets: upload, preview and import. */
import type { WaitingUploads } from '../../catalogue/import/waiting-uploads.ts';
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import type { ImportFolder } from '../../catalogue/import/folder.ts';
import type { ImportService } from '../../catalogue/import/service.ts';
import { createSheetImports } from '../../catalogue/sheet/imports.ts';
import type { SheetRoutesParts } from '../../catalogue/sheet/routes.ts';
import { createSheetService } from '../../catalogue/sheet/service.ts';
import type { SheetStore } from '../../catalogue/sheet/store.ts';
import type { TemplateParts } from '../../catalogue/sheet/template/template.ts';
import type { Idempotency } from '../../idempotency/service.ts';
import { SHEET_LIMITS } from '../../sheet/limits.ts';
import type { CatalogueRules } from '../../validation/company.ts';

export interface SheetParts {
  readonly rules: CatalogueRules;
  readonly idempotency: Idempotency;
  readonly folder: ImportFolder;
  readonly waiting: WaitingUploads;
  readonly store: SheetStore;
  readonly imports: ImportService;
  readonly changes: SheetRoutesParts['changes'];
  readonly guideOf: TemplateParts['guideOf'];
}

export function openSheet(
  { writer, clock, reads }: AppContext,
  { rules, idempotency, folder, waiting, store, imports, changes, guideOf }: SheetParts,
) {
  const sheets = createSheetService({ store, folder, writer, clock, reads });
  const sheetImports = createSheetImports({ imports, sheets, store, folder, reads, clock });
  const feature: Feature = {
    lateOperations: ({ sheetRoutes, templateRoutes }) => [
      ...sheetRoutes({
        sheets,
        imports: sheetImports,
        changes,
        idempotency,
        rules,
        reads,
        clock,
        folder,
        maxBytes: SHEET_LIMITS.maxBytes,
        waiting,
      }),
      ...templateRoutes({ rules, clock, guideOf }),
    ],
    jobs: [
      {
        name: 'planilhas-antigas',
        about: 'Apaga as planilhas enviadas há mais de uma hora.',
        pattern: '*/10 * * * *',
        atStart: true,
        runOnce: () => sheets.runOnce(),
      },
    ],
  };
  return { ...feature, imports: sheetImports };
}
