import type { AppContext } from '../app-context.ts';
import type { CatalogueAccess } from '../../catalogue/access.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { CatalogueEvents } from '../../catalogue/event.ts';

/** What every feature of the catalogue stands on. */
export interface CatalogueContext extends AppContext {
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly events: CatalogueEvents;
  /** The name of a user. */
  readonly nameOf: (documento: string) => string | undefined;
}
