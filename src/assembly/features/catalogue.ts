/** The catalogue: its features and their dependencies. */
import type { AppContext } from '../app-context.ts';
import type { EventPublisher } from '../../notification/event/model.ts';
import { SYSTEM } from '../../session/model.ts';
import type { NotifyPeople } from '../../session/notices/model.ts';
import { withCount } from '../../validation/text.ts';
import { catalogueAccess } from '../../catalogue/access.ts';
import { openAttribute, openAttributeRules } from './attribute.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import type { Nomenclature } from '../../nomenclature/service.ts';
import { openConcessionAct } from './concession-act.ts';
import { openDeadline } from './deadline.ts';
import { actorTransaction } from '../../catalogue/actor-transaction.ts';
import { CatalogueEvents } from '../../catalogue/event.ts';
import { openOperator } from './foreign-operator.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import { openLink } from './manufacturer-link.ts';
import { openProduct } from './product.ts';
import { openSummary } from './summary.ts';

export type Catalogue = ReturnType<typeof openCatalogue>;

export function openCatalogue(
  base: AppContext,
  rules: CatalogueRules,
  publisher: EventPublisher,
  nameOf: CatalogueContext['nameOf'],
  nomenclature: Nomenclature,
  notify: NotifyPeople,
) {
  const events = new CatalogueEvents(publisher, notify);
  const appContext: CatalogueContext = { ...base, rules, access: catalogueAccess(rules), events, nameOf };
  const attributeRules = openAttributeRules(appContext);
  const { inForce, versionInForce, next, activations } = attributeRules;
  const product = openProduct(appContext, inForce, versionInForce, next, (at) =>
    activations.findTableThatDeactivated(at),
  );
  const operator = openOperator(appContext);
  return {
    rules,
    events,
    /** The attribute rules of the table in force. */
    attributes: attributeRules.inForce,
    product,
    operator,
    /** Returns the kinds of records that a company has, in words; empty if it has no records. */
    recordsOf: (cpfCnpjRaiz: string): readonly string[] =>
      [
        countText(product.store.versions.countOf(cpfCnpjRaiz), 'produto', 'produtos'),
        countText(
          operator.store.versions.countOf(cpfCnpjRaiz),
          'operador estrangeiro',
          'operadores estrangeiros',
        ),
      ].filter((text) => text !== ''),
    link: openLink(appContext, product.store, operator.store),
    summary: openSummary(appContext, nomenclature),
    deadline: openDeadline(appContext),
    concessionAct: openConcessionAct(appContext, product.store),
    attribute: openAttribute(appContext, attributeRules, nomenclature, {
      deactivate: (tx, cpfCnpjRaiz, codigo) =>
        void product.changes.deactivate(
          actorTransaction(tx, SYSTEM),
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
  count === 0 ? '' : withCount(count, one, many);
