/** Links of products to who makes them. */
import type { Feature } from '../../feature.ts';
import type { Operators } from '../foreign-operator/model.ts';
import type { CatalogueGround } from '../ground.ts';
import type { Products } from '../product/model.ts';
import { linkBrowsingRoutes } from './browsing-routes.ts';
import { LinkChanges } from './changes.ts';
import { LinkItems } from './items.ts';
import { linkSchemas } from './model.ts';
import { linkRoutes } from './routes.ts';
import { LinkRules } from './rules.ts';
import { LinkService } from './service.ts';
import { LinkStore } from './store.ts';

export function openLink(ground: CatalogueGround, products: Products, operators: Operators) {
  const { db, writer, rules, access, events, settings, clock, reads } = ground;
  const schemas = linkSchemas(rules);
  const store = new LinkStore(db);
  const linkRules = new LinkRules({ store, operators, checkDigits: rules.checkDigits });
  const changes = new LinkChanges({ store, products, rules: linkRules, events });
  const items = new LinkItems(schemas, changes);
  const links = new LinkService({ changes, items, writer });
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const feature: Feature = {
    operations: () => [
      ...linkRoutes({ links, schemas, listings: reads, access, clock, deprecatedOperations }),
      ...linkBrowsingRoutes({ pages: reads, schemas, access }),
    ],
  };
  return { ...feature, schemas, changes, items };
}
