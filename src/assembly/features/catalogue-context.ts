import type { AppContext } from '../app-context.ts';
import type { CatalogueAccess } from '../../catalogue/access.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { CatalogueEvents } from '../../catalogue/event.ts';

/** Context of every catalogue feature. */
export interface CatalogueContext extends AppContext {
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly events: CatalogueEvents;
  /** Returns the name of a user. */
  readonly nameOf: (documento: string) => string | undefined;
}
