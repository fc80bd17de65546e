/** Foreign operators: assembles the parts of `versioned` and of this folder. */
import type { Feature } from '../feature.ts';
import type { CatalogueContext } from './catalogue-context.ts';
import { VersionedArrivals } from '../../catalogue/versioned/arrivals.ts';
import { VersionedChanges } from '../../catalogue/versioned/changes.ts';
import { VersionedItems, type RecordAccess } from '../../catalogue/versioned/items.ts';
import { VersionedLookUp } from '../../catalogue/versioned/look-up.ts';
import { VersionedMirror } from '../../catalogue/versioned/mirror.ts';
import { situacaoOf } from '../../catalogue/versioned/model.ts';
import { type MembersOf, VersionedUndo } from '../../catalogue/versioned/undo.ts';
import { operatorKind } from '../../catalogue/foreign-operator/kind.ts';
import { operatorMembers } from '../../catalogue/foreign-operator/members.ts';
import {
  type OperatorItem,
  type OperatorTypes,
  operatorSchemas,
  toContent,
} from '../../catalogue/foreign-operator/model.ts';
import { operatorRoutes } from '../../catalogue/foreign-operator/routes.ts';
import { OperatorRules } from '../../catalogue/foreign-operator/rules.ts';
import { OperatorService } from '../../catalogue/foreign-operator/service.ts';
import { OperatorStore } from '../../catalogue/foreign-operator/store.ts';
import { tinNotices } from '../../catalogue/foreign-operator/tin-notices.ts';

export function openOperator(appContext: CatalogueContext) {
  const { db, writer, rules, access, events, settings, clock, reads, nameOf } = appContext;
  const schemas = operatorSchemas(rules);
  const store = new OperatorStore(db);
  const kind = operatorKind(store, new OperatorRules(store), events);
  const changes = new VersionedChanges(kind);
  const lookUp = new VersionedLookUp(kind);
  const recordAccess: RecordAccess<OperatorTypes, OperatorItem> = {
    kind,
    schemas,
    changes,
    lookUp,
    mirror: new VersionedMirror(kind, changes),
    placeOf: ({ cpfCnpjRaiz, codigoPais }) => ({ cpfCnpjRaiz, codigoPais }),
    toContent,
    noticesOf: (cpfCnpjRaiz, codigo) =>
      tinNotices(store, { cpfCnpjRaiz, codigo }).map((message) => ({ path: '/tin', message })),
  };
  const items = new VersionedItems(recordAccess);
  const membersOf: MembersOf<OperatorTypes> = (key, version) =>
    operatorMembers({ ...version, ...key, situacao: situacaoOf(version) });
  const undo = new VersionedUndo<OperatorTypes>(kind, changes, lookUp, membersOf);
  const arrivals = new VersionedArrivals(recordAccess, membersOf);
  const service = new OperatorService({ store, changes, lookUp, items, writer, nameOf });
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const parts = { operators: service, schemas, rules, access };
  const feature: Feature = {
    operations: () => operatorRoutes({ ...parts, listings: reads, clock, deprecatedOperations }),
    lateOperations: ({ operatorBrowsingRoutes, subdivisionRoutes }) => [
      ...operatorBrowsingRoutes({ ...parts, clock, pages: reads }),
      ...subdivisionRoutes(),
    ],
  };
  return { ...feature, store, lookUp, changes, items, arrivals, undo };
}
