/** Joins the features of the catalogue: what an import, a command or the server needs of them. */
import type { Db } from '../db/open.ts';
import { Remembered } from '../db/remembered.ts';
import type { Snapshot } from '../db/snapshot.ts';
import type { Writer } from '../db/writer.ts';
import type { EventPublisher } from '../notification/event/model.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config.ts';
import { createAttributeRules, createAttributes } from './attribute/attributes.ts';
import type { ImpactRead } from './attribute/impact.ts';
import type { Reads } from '../reading/pool.ts';
import type { CatalogueRules } from './company.ts';
import { ConcessionActItems } from './concession-act/items.ts';
import { concessionActSchemas } from './concession-act/model.ts';
import { ConcessionActService } from './concession-act/service.ts';
import { ConcessionActStore } from './concession-act/store.ts';
import { CatalogueEvents } from './event.ts';
import { OperatorChanges } from './foreign-operator/changes.ts';
import { OperatorItems } from './foreign-operator/items.ts';
import { OperatorMirror } from './foreign-operator/mirror.ts';
import { operatorSchemas } from './foreign-operator/model.ts';
import { OperatorRules } from './foreign-operator/rules.ts';
import { OperatorService } from './foreign-operator/service.ts';
import { OperatorStore } from './foreign-operator/store.ts';
import { LinkChanges } from './manufacturer-link/changes.ts';
import { LinkItems } from './manufacturer-link/items.ts';
import { linkSchemas } from './manufacturer-link/model.ts';
import { LinkRules } from './manufacturer-link/rules.ts';
import { LinkService } from './manufacturer-link/service.ts';
import { LinkStore } from './manufacturer-link/store.ts';
import { ProductCodeStore } from './product/code-store.ts';
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
  readonly snapshot: Snapshot;
  readonly rules: CatalogueRules;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
  /** A monotonic reading in ms. */
  readonly stopwatch: () => number;
  /** Who reads what is long. */
  readonly reads: Reads<ImpactRead>;
  /** Bytes of an attribute table's file. */
  readonly tableMaxBytes: number;
}

/** About as many characters of versions that were looked up are remembered: some ten thousand versions. */
const REMEMBERED_CHARACTERS = 8 * 1024 * 1024;

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

export function createCatalogue(parts: CatalogueParts) {
  const { db, writer, rules, clock, stopwatch, reads } = parts;
  const events = new CatalogueEvents(parts.publisher);
  const attributeRules = createAttributeRules({ db, clock });
  const product = createProducts(parts, attributeRules.inForce, events);
  const attribute = createAttributes({
    db,
    writer,
    clock,
    stopwatch,
    reads,
    rules: attributeRules,
    maxBytes: parts.tableMaxBytes,
    hand: {
      deactivate: (tx, cpfCnpjRaiz, codigo) =>
        void product.changes.deactivate(tx, cpfCnpjRaiz, codigo, 'DESATIVACAO_SISTEMA'),
      publishDeactivated: (tx, cpfCnpjRaiz, ncm, codigos) =>
        events.productsDeactivatedBySystem(tx, cpfCnpjRaiz, ncm, codigos),
    },
  });
  return {
    rules,
    events,
    attribute,
    product,
    operator: createOperators(db, writer, rules, events),
    link: createLinks(db, writer, rules, events),
    concessionAct: createConcessionActs(db, writer, rules),
  };
}

function createProducts(
  { db, writer, snapshot, rules }: CatalogueParts,
  attributes: AttributeChecker,
  events: CatalogueEvents,
) {
  const schemas = productSchemas(rules);
  const store = new ProductStore(db);
  const productRules = new ProductRules({ store, attributes, refuseIdentical: rules.refuseIdentical });
  const codes = new ProductCodeStore(db);
  const changes = new ProductChanges({ store, codes, rules: productRules, events });
  const mirror = new ProductMirror({ store, rules: productRules, changes });
  const items = new ProductItems(schemas, changes, mirror);
  const remembered = new Remembered(snapshot, REMEMBERED_CHARACTERS);
  const { refuseIdentical } = rules;
  const service = new ProductService({ store, changes, items, writer, remembered, refuseIdentical });
  return { schemas, store, changes, items, service };
}

function createOperators(db: Db, writer: Writer, rules: CatalogueRules, events: CatalogueEvents) {
  const schemas = operatorSchemas(rules);
  const store = new OperatorStore(db);
  const changes = new OperatorChanges({ store, rules: new OperatorRules(store), events });
  const items = new OperatorItems(schemas, changes, new OperatorMirror({ store, changes }));
  return { schemas, store, changes, items, service: new OperatorService({ changes, items, writer }) };
}

function createLinks(db: Db, writer: Writer, rules: CatalogueRules, events: CatalogueEvents) {
  const schemas = linkSchemas(rules);
  const store = new LinkStore(db);
  const linkRules = new LinkRules({ store, checkDigits: rules.checkDigits });
  const changes = new LinkChanges({ store, rules: linkRules, events });
  const items = new LinkItems(schemas, changes);
  return { schemas, items, service: new LinkService({ changes, items, writer }) };
}

function createConcessionActs(db: Db, writer: Writer, rules: CatalogueRules) {
  const schemas = concessionActSchemas(rules);
  const items = new ConcessionActItems(schemas, new ConcessionActStore(db));
  return { schemas, items, service: new ConcessionActService({ items, writer }) };
}
