/** Spreadsheets: sent, looked through, imported. */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import type { ImportFolder } from '../../catalogue/import/folder.ts';
import { sheetRoutes } from '../../catalogue/sheet/routes.ts';
import { SheetService } from '../../catalogue/sheet/service.ts';
import type { SheetStore } from '../../catalogue/sheet/store.ts';
import { SHEET_LIMITS } from '../../sheet/limits.ts';
import type { CatalogueRules } from '../../validation/company.ts';

export interface SheetParts {
  readonly rules: CatalogueRules;
  readonly folder: ImportFolder;
  readonly store: SheetStore;
}

export function openSheet({ writer, clock, reads }: Ground, { rules, folder, store }: SheetParts): Feature {
  const sheets = new SheetService({ store, folder, writer, clock, reads });
  return {
    operations: () => sheetRoutes({ sheets, rules, folder, maxBytes: SHEET_LIMITS.maxBytes }),
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
}
