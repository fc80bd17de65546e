/** Joins the features of the catalogue: what an import, a command or the server needs of them. */
import type { Db } from '../db/open.ts';
import type { Writer } from '../db/writer.ts';
import type { EventPublisher } from '../notification/event/model.ts';
import type { Settings } from '../config.ts';
import type { CatalogueRules } from './company.ts';
import { CatalogueEvents } from './event.ts';
import { ProductChanges } from './product/changes.ts';
import { ProductItems } from './product/items.ts';
import { ProductMirror } from './product/mirror.ts';
import { productSchemas } from './product/model.ts';
import { type AttributeChecker, ProductRules } from './product/rules.ts';
import { ProductService } from './product/service.ts';
import { ProductStore } from './product/store.ts';

export interface CatalogueParts {
  readonly db: Db;
  readonly writer: Writer;
  readonly rules: CatalogueRules;
  readonly attributes: AttributeChecker;
  readonly publisher: EventPublisher;
}

/** The rules that the settings choose. */
export function catalogueRules(settings: Settings): CatalogueRules {
  return {
    denominacaoMax: settings['limite.denominacao'],
    nomeMax: settings['limite.nome'],
    alphanumericCnpj: settings['cnpj.alfanumerico'],
    checkDigits: settings['cnpj.digitos'],
    modalidadeAmbos: settings['produto.modalidadeAmbos'],
    refuseIdentical: settings['produto.recusarIdentico'],
  };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

export function createCatalogue({ db, writer, rules, attributes, publisher }: CatalogueParts) {
  const events = new CatalogueEvents(publisher);
  return { rules, events, product: createProducts(db, writer, rules, attributes, events) };
}

function createProducts(
  db: Db,
  writer: Writer,
  rules: CatalogueRules,
  attributes: AttributeChecker,
  events: CatalogueEvents,
) {
  const schemas = productSchemas(rules);
  const store = new ProductStore(db);
  const productRules = new ProductRules({ store, attributes, refuseIdentical: rules.refuseIdentical });
  const changes = new ProductChanges({ store, rules: productRules, events });
  const mirror = new ProductMirror({ store, rules: productRules, changes });
  const items = new ProductItems(schemas, changes, mirror);
  return { schemas, store, changes, items, service: new ProductService({ store, changes, items, writer }) };
}
