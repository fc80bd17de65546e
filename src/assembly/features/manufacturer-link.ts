/** Links between products and their manufacturers. */
import type { Feature } from '../feature.ts';
import type { Operators } from '../../catalogue/foreign-operator/model.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import type { Products } from '../../catalogue/product/model.ts';
import { LinkChanges } from '../../catalogue/manufacturer-link/changes.ts';
import { LinkItems } from '../../catalogue/manufacturer-link/items.ts';
import { linkSchemas } from '../../catalogue/manufacturer-link/model.ts';
import { linkRoutes } from '../../catalogue/manufacturer-link/routes.ts';
import { LinkRules } from '../../catalogue/manufacturer-link/rules.ts';
import { LinkService } from '../../catalogue/manufacturer-link/service.ts';
import { LinkStore } from '../../catalogue/manufacturer-link/store.ts';

export function openLink(appContext: CatalogueContext, products: Products, operators: Operators) {
  const { db, writer, rules, access, events, settings, clock, reads } = appContext;
  const schemas = linkSchemas(rules);
  const store = new LinkStore(db);
  const linkRules = new LinkRules(store, operators, rules.checkDigits);
  const changes = new LinkChanges(store, products, linkRules, events);
  const items = new LinkItems(schemas, changes);
  const links = new LinkService(changes, items, writer);
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const feature: Feature = {
    operations: () => linkRoutes({ links, schemas, listings: reads, access, clock, deprecatedOperations }),
    lateOperations: ({ linkBrowsingRoutes }) => linkBrowsingRoutes({ pages: reads, schemas, access, clock }),
  };
  return { ...feature, schemas, store, changes, items };
}
