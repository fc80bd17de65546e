/** Joins the features of the catalogue: what an import, a command or the server needs of them. */
import type { Feed } from '../db/feed.ts';
import type { Db } from '../db/open.ts';
import type { Writer } from '../db/writer.ts';
import type { EventPublisher } from '../notification/event/model.ts';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config.ts';
import { createAttributeRules, createAttributes } from './attribute/attributes.ts';
import type { ImpactRead } from './attribute/activation/impact.ts';
import type { Reads } from '../reading/pool.ts';
import type { CatalogueRules } from './company.ts';
import { ConcessionActItems } from './concession-act/items.ts';
import { concessionActSchemas } from './concession-act/model.ts';
import { ConcessionActService } from './concession-act/service.ts';
import { ConcessionActStore } from './concession-act/store.ts';
import { CatalogueEvents } from './event.ts';
import { deedOf } from './deed.ts';
import { SYSTEM } from '../session/model.ts';
import { operatorKind } from './foreign-operator/kind.ts';
import {
  type OperatorItem,
  type OperatorTypes,
  type Operators,
  operatorSchemas,
  toContent as toOperatorContent,
} from './foreign-operator/model.ts';
import { answerText } from './foreign-operator/record.ts';
import { OperatorRules } from './foreign-operator/rules.ts';
import { OperatorStore } from './foreign-operator/store.ts';
import { LinkChanges } from './manufacturer-link/changes.ts';
import { LinkItems } from './manufacturer-link/items.ts';
import { linkSchemas } from './manufacturer-link/model.ts';
import { LinkRules } from './manufacturer-link/rules.ts';
import { LinkService } from './manufacturer-link/service.ts';
import { LinkStore } from './manufacturer-link/store.ts';
import { ProductCodeStore } from './product/code-store.ts';
import { contentHashOf } from './product/content.ts';
import { productKind } from './product/kind.ts';
import {
  type ProductItem,
  type ProductTypes,
  type Products,
  productSchemas,
  toContent as toProductContent,
} from './product/model.ts';
import { contentOf } from './product/record.ts';
import { type AttributeChecker, ProductRules } from './product/rules.ts';
import { ProductService } from './product/service.ts';
import { ProductStore } from './product/store.ts';
import { VersionedChanges } from './versioned/changes.ts';
import { VersionedItems } from './versioned/items.ts';
import { VersionedLookUp } from './versioned/look-up.ts';
import { VersionedMirror } from './versioned/mirror.ts';
import { situacaoOf } from './versioned/model.ts';
import { VersionedService } from './versioned/service.ts';

export interface CatalogueParts {
  readonly db: Db;
  readonly writer: Writer;
  readonly feed: Feed;
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
  const { db, feed, writer, rules, clock, stopwatch, reads } = parts;
  const events = new CatalogueEvents(parts.publisher);
  const attributeRules = createAttributeRules({ db, feed, clock });
  const product = createProducts(parts, attributeRules.inForce, events);
  const attribute = createAttributes({
    db,
    feed,
    writer,
    clock,
    stopwatch,
    reads,
    rules: attributeRules,
    maxBytes: parts.tableMaxBytes,
    hand: {
      deactivate: (tx, cpfCnpjRaiz, codigo) =>
        void product.changes.deactivate(
          deedOf(tx, SYSTEM),
          { cpfCnpjRaiz, codigo },
          undefined,
          'DESATIVACAO_SISTEMA',
        ),
      publishDeactivated: (tx, cpfCnpjRaiz, ncm, codigos) =>
        events.productsDeactivatedBySystem(tx, cpfCnpjRaiz, ncm, codigos),
    },
  });
  const operator = createOperators(db, writer, rules, events);
  return {
    rules,
    events,
    attribute,
    product,
    operator,
    link: createLinks(parts, product.store, operator.store, events),
    concessionAct: createConcessionActs(parts, product.store),
  };
}

function createProducts(
  { db, writer, rules }: CatalogueParts,
  attributes: AttributeChecker,
  events: CatalogueEvents,
) {
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
    toContent: toProductContent,
  });
  const service = new ProductService({ store, changes, lookUp, items, writer, refuseIdentical });
  return { schemas, store, changes, items, service };
}

function createOperators(db: Db, writer: Writer, rules: CatalogueRules, events: CatalogueEvents) {
  const schemas = operatorSchemas(rules);
  const store = new OperatorStore(db);
  const kind = operatorKind(store, new OperatorRules(store), events);
  const changes = new VersionedChanges(kind);
  const lookUp = new VersionedLookUp(kind);
  const items = new VersionedItems<OperatorTypes, OperatorItem>({
    kind,
    schemas,
    changes,
    lookUp,
    mirror: new VersionedMirror(kind, changes),
    placeOf: ({ cpfCnpjRaiz, codigoPais }) => ({ cpfCnpjRaiz, codigoPais }),
    toContent: toOperatorContent,
  });
  const service = new VersionedService({
    changes,
    lookUp,
    items,
    writer,
    toContent: toOperatorContent,
    print: ({ cpfCnpjRaiz, codigoPais, codigo }, version) =>
      answerText(cpfCnpjRaiz, { ...version, codigo, codigoPais, situacao: situacaoOf(version) }),
  });
  return { schemas, store, items, service };
}

function createLinks(
  { db, writer, rules }: CatalogueParts,
  products: Products,
  operators: Operators,
  events: CatalogueEvents,
) {
  const schemas = linkSchemas(rules);
  const store = new LinkStore(db);
  const linkRules = new LinkRules({ store, operators, checkDigits: rules.checkDigits });
  const changes = new LinkChanges({ store, products, rules: linkRules, events });
  const items = new LinkItems(schemas, changes);
  return { schemas, items, service: new LinkService({ changes, items, writer }) };
}

function createConcessionActs({ db, writer, rules }: CatalogueParts, products: Products) {
  const schemas = concessionActSchemas(rules);
  const items = new ConcessionActItems(schemas, new ConcessionActStore(db), products);
  return { schemas, items, service: new ConcessionActService({ items, writer }) };
}
