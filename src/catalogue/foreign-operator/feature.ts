/** Foreign operators: the parts that `versioned` and this folder have, put together. */
import type { Feature } from '../../feature.ts';
import type { CatalogueGround } from '../ground.ts';
import { VersionedChanges } from '../versioned/changes.ts';
import { VersionedItems } from '../versioned/items.ts';
import { VersionedLookUp } from '../versioned/look-up.ts';
import { VersionedMirror } from '../versioned/mirror.ts';
import { situacaoOf } from '../versioned/model.ts';
import { VersionedService } from '../versioned/service.ts';
import { operatorKind } from './kind.ts';
import { type OperatorItem, type OperatorTypes, operatorSchemas, toContent } from './model.ts';
import { answerText } from './record.ts';
import { operatorRoutes } from './routes.ts';
import { OperatorRules } from './rules.ts';
import { OperatorStore } from './store.ts';

export function openOperator(ground: CatalogueGround) {
  const { db, writer, rules, access, events, settings, clock, reads: listings } = ground;
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
    toContent,
  });
  const service = new VersionedService({
    changes,
    lookUp,
    items,
    writer,
    toContent,
    print: ({ cpfCnpjRaiz, codigoPais, codigo }, version) =>
      answerText(cpfCnpjRaiz, { ...version, codigo, codigoPais, situacao: situacaoOf(version) }),
  });
  const deprecatedOperations = settings.operacoesDescontinuadas;
  const feature: Feature = {
    operations: () =>
      operatorRoutes({ operators: service, schemas, rules, listings, access, clock, deprecatedOperations }),
  };
  return { ...feature, store, items };
}
