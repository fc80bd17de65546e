/** The catalogue: its features, and what they have of each other. */
import type { Ground } from '../ground.ts';
import type { EventPublisher } from '../../notification/event/model.ts';
import { SYSTEM } from '../../session/model.ts';
import { counted } from '../../validation/text.ts';
import { catalogueAccess } from '../../catalogue/access.ts';
import { openAttribute, openAttributeRules } from './attribute.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { openConcessionAct } from './concession-act.ts';
import { openDeadline } from './deadline.ts';
import { deedOf } from '../../catalogue/deed.ts';
import { CatalogueEvents } from '../../catalogue/event.ts';
import { openOperator } from './foreign-operator.ts';
import type { CatalogueGround } from './catalogue-ground.ts';
import { openLink } from './manufacturer-link.ts';
import { openProduct } from './product.ts';
import { openSummary } from './summary.ts';

export type Catalogue = ReturnType<typeof openCatalogue>;

export function openCatalogue(
  base: Ground,
  rules: CatalogueRules,
  publisher: EventPublisher,
  nameOf: CatalogueGround['nameOf'],
  nomenclature: Nomenclature,
) {
  const events = new CatalogueEvents(publisher);
  const ground: CatalogueGround = { ...base, rules, access: catalogueAccess(rules), events, nameOf };
  const attributeRules = openAttributeRules(ground);
  const product = openProduct(
    ...([ground, attributeRules.inForce] as const),
    ...([attributeRules.versionInForce, attributeRules.next] as const),
  );
  const operator = openOperator(ground);
  return {
    rules,
    events,
    /** What the table in force says of attributes. */
    attributes: attributeRules.inForce,
    product,
    operator,
    /** What a company has here, in words; nothing where it has nothing. */
    recordsOf: (cpfCnpjRaiz: string): readonly string[] =>
      [
        countText(product.store.versions.countOf(cpfCnpjRaiz), 'produto', 'produtos'),
        countText(
          operator.store.versions.countOf(cpfCnpjRaiz),
          'operador estrangeiro',
          'operadores estrangeiros',
        ),
      ].filter((text) => text !== ''),
    link: openLink(ground, product.store, operator.store),
    summary: openSummary(ground, nomenclature),
    deadline: openDeadline(ground),
    concessionAct: openConcessionAct(ground, product.store),
    attribute: openAttribute(ground, attributeRules, nomenclature, {
      deactivate: (tx, cpfCnpjRaiz, codigo) =>
        void product.changes.deactivate(
          deedOf(tx, SYSTEM),
          { cpfCnpjRaiz, codigo },
          undefined,
          'DESATIVACAO_SISTEMA',
        ),
      publishDeactivated: (tx, cpfCnpjRaiz, ncm, codigos) =>
        events.productsDeactivatedBySystem(tx, cpfCnpjRaiz, ncm, codigos),
    }),
  };
}

const countText = (count: number, one: string, many: string): string =>
  count === 0 ? '' : counted(count, one, many);
