import type { Ground } from '../ground.ts';
import type { CatalogueAccess } from './access.ts';
import type { CatalogueRules } from './company.ts';
import type { CatalogueEvents } from './event.ts';

/** What every feature of the catalogue stands on. */
export interface CatalogueGround extends Ground {
  readonly rules: CatalogueRules;
  readonly access: CatalogueAccess;
  readonly events: CatalogueEvents;
}
