/** Products: assembles the parts of `versioned` and of this folder. */
import type { Feature } from '../feature.ts';
import { SessionStore } from '../../session/store.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import { VersionedArrivals } from '../../catalogue/versioned/arrivals.ts';
import { VersionedChanges } from '../../catalogue/versioned/changes.ts';
import { VersionedItems, type RecordAccess } from '../../catalogue/versioned/items.ts';
import { VersionedLookUp } from '../../catalogue/versioned/look-up.ts';
import { VersionedMirror } from '../../catalogue/versioned/mirror.ts';
import { type MembersOf, VersionedUndo } from '../../catalogue/versioned/undo.ts';
import { ProductCodeStore } from '../../catalogue/product/code-store.ts';
import { contentHashOf } from '../../catalogue/product/content.ts';
import type { ProductFormRoutesParts } from '../../catalogue/product/form-routes.ts';
import { productKind } from '../../catalogue/product/kind.ts';
import {
  type ProductItem,
  type ProductTypes,
  productSchemas,
  toContent,
} from '../../catalogue/product/model.ts';
import { ProductPatches } from '../../catalogue/product/patch.ts';
import { writtenContentOf } from '../../catalogue/product/record.ts';
import { productRoutes } from '../../catalogue/product/routes.ts';
import { type AttributeChecker, ProductRules } from '../../catalogue/product/rules.ts';
import { ProductService, type ProductServiceDependencies } from '../../catalogue/product/service.ts';
import { ProductStore } from '../../catalogue/product/store.ts';
import { asSchema } from '../../validation/schema.ts';

/**
 * `tableInForce`: the version of the attribute table that `attributes` validates against, if there is one.
 * `nextTable`: the next version. `tableAt`: the table by which the system deactivated products at a time.
 */
export function openProduct(
  appContext: CatalogueContext,
  attributes: AttributeChecker,
  tableInForce: () => string | undefined,
  nextTable: ProductFormRoutesParts['nextTable'],
  tableAt: ProductServiceDependencies['tableAt'],
) {
  const { db, writer, rules, access, events, settings, clock, reads, nameOf } = appContext;
  const { refuseIdentical } = rules;
  const findsIdentical = refuseIdentical || appContext.reportsIdentical;
  const schemas = productSchemas(rules);
  const store = new ProductStore(db, (stored) => contentHashOf(writtenContentOf(stored)), findsIdentical);
  const kind = productKind(
    store,
    new ProductCodeStore(db),
    new ProductRules(store, attributes, refuseIdentical, asSchema(schemas.Request)),
    events,
  );
  const contentIn: typeof toContent = (request) => attributes.trimDomainCodes(toContent(request));
  const changes = new VersionedChanges(kind);
  const lookUp = new VersionedLookUp(kind);
  const recordAccess: RecordAccess<ProductTypes, ProductItem> = {
    kind,
    schemas,
    changes,
    lookUp,
    mirror: new VersionedMirror(kind, changes),
    placeOf: ({ cpfCnpjRaiz }) => ({ cpfCnpjRaiz }),
    toContent: contentIn,
  };
  const items = new VersionedItems(recordAccess);
  const patches = new ProductPatches(changes, lookUp, attributes);
  const membersOf: MembersOf<ProductTypes> = (_key, version, today) => patches.membersOf(version, today);
  const undo = new VersionedUndo<ProductTypes>(kind, changes, lookUp, membersOf);
  const arrivals = new VersionedArrivals(recordAccess, membersOf);
  const service = new ProductService({
    store,
    changes,
    lookUp,
    items,
    writer,
    findsIdentical,
    patches,
    nameOf,
    tableAt,
    toContent: contentIn,
  });
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const parts = { products: service, schemas, rules, access, clock };
  const feature: Feature = {
    operations: () => productRoutes({ ...parts, listings: reads, deprecatedOperations }),
    lateOperations: ({ productBrowsingRoutes, dueRoutes, draftRoutes, productFormRoutes }) => [
      ...productBrowsingRoutes({ ...parts, pages: reads, tableInForce }),
      ...dueRoutes({
        ...parts,
        pages: reads,
        tableInForce,
        listCompanies: new SessionStore(db).listCompanies,
      }),
      ...draftRoutes(service, schemas, access),
      ...productFormRoutes({ rules, clock, tableInForce, nextTable }),
    ],
    prepare: () => service.start(),
  };
  return { ...feature, schemas, store, changes, lookUp, items, arrivals, patches, undo, service };
}
