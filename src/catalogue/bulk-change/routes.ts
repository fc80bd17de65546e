/** Defines the operation of a bulk change of products (contract section 25). */
import { ACCEPTED, type Operation, accepted, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { type Idempotency, KEY_HEADER } from '../../idempotency/service.ts';
import type { changeRequestSchema } from './change-request.ts';
import type { ChangeService } from './service.ts';
import { ImportStarted } from '../import/model.ts';
import { requireImporter } from '../import/service.ts';

export const changeRoutes = (
  changes: ChangeService,
  body: ReturnType<typeof changeRequestSchema>,
  idempotency: Idempotency,
): Operation<Caller>[] => [
  operation('POST', '/appliance/api/products/changes', {
    tag: 'Produtos',
    source: 'contract, section 25',
    id: 'changeProducts',
    right: 'leitura',
    summary: 'Altera, desativa ou reativa vários produtos de uma vez',
    description:
      'Os produtos são escolhidos por codigos ou filter, e cada um guarda o que set não nomeia. Um rascunho continua rascunho e um produto desativado continua desativado, a não ser com reactivate. É uma importação: acompanhe-a pelo id em /appliance/api/imports. Com simular nada é gravado; depois, {cpfCnpjRaiz, from: id} grava exatamente o que a simulação mostrou.',
    body,
    success: ImportStarted,
    successStatus: ACCEPTED,
    guard: requireImporter,
    headers: KEY_HEADER,
    handle: async ({ caller, body: changeRequest, request }) => {
      const find = (id: number) => changes.find(caller, id);
      const content = ['changeProducts', changeRequest];
      const id = await idempotency.once({ caller, request, content, find }, (alsoWrite) =>
        changes.start(caller, changeRequest, alsoWrite),
      );
      return accepted({ id });
    },
  }),
];
