/** Products: the parts that `versioned` and this folder have, put together. */
import type { Feature } from '../../feature.ts';
import type { CatalogueGround } from '../ground.ts';
import { VersionedChanges } from '../versioned/changes.ts';
import { VersionedItems } from '../versioned/items.ts';
import { VersionedLookUp } from '../versioned/look-up.ts';
import { VersionedMirror } from '../versioned/mirror.ts';
import { productBrowsingRoutes } from './browsing-routes.ts';
import { ProductCodeStore } from './code-store.ts';
import { contentHashOf } from './content.ts';
import { draftRoutes } from './draft-routes.ts';
import { duplicateRoutes } from './duplicate-routes.ts';
import { productFormRoutes } from './form-routes.ts';
import { productKind } from './kind.ts';
import { type ProductItem, type ProductTypes, productSchemas, toContent } from './model.ts';
import { ProductPatches } from './patch.ts';
import { contentOf } from './record.ts';
import { productRoutes } from './routes.ts';
import { type AttributeChecker, ProductRules } from './rules.ts';
import { ProductService } from './service.ts';
import { ProductStore } from './store.ts';

/** `tableInForce`: the version of the attribute table by which `attributes` judges, where there is one. */
export function openProduct(
  ground: CatalogueGround,
  attributes: AttributeChecker,
  tableInForce: () => string | undefined,
) {
  const { db, writer, rules, access, events, settings, clock, reads } = ground;
  const { refuseIdentical } = rules;
  const schemas = productSchemas(rules);
  const store = new ProductStore(db, (stored) => contentHashOf(contentOf(stored)), refuseIdentical);
  const kind = productKind(
    store,
    new ProductCodeStore(db),
    new ProductRules({ store, attributes, refuseIdentical }),
    events,
  );
  const changes = new VersionedChanges(kind);
  const lookUp = new VersionedLookUp(kind);
  const items = new VersionedItems<ProductTypes, ProductItem>({
    kind,
    schemas,
    changes,
    lookUp,
    mirror: new VersionedMirror(kind, changes),
    placeOf: ({ cpfCnpjRaiz }) => ({ cpfCnpjRaiz }),
    toContent,
  });
  const service = new ProductService({ store, changes, lookUp, items, writer, refuseIdentical });
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const parts = { products: service, schemas, rules, access, clock };
  const feature: Feature = {
    operations: () => [
      ...productRoutes({ ...parts, listings: reads, deprecatedOperations }),
      ...productBrowsingRoutes({ ...parts, pages: reads }),
      ...duplicateRoutes({ ...parts, pages: reads }),
      ...draftRoutes({ products: service, schemas, access }),
      ...productFormRoutes({ rules, clock, tableInForce }),
    ],
    prepare: () => service.start(),
  };
  const patches = new ProductPatches({ changes, lookUp, attributes });
  return { ...feature, schemas, store, changes, items, patches, service };
}
