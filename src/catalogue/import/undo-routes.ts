/** Defines the operation that undoes an import (contract section 24). */
import { ACCEPTED, type Operation, accepted, operation } from '../../http/operation.ts';
import { type Idempotency, KEY_HEADER } from '../../idempotency/service.ts';
import type { Caller } from '../../session/model.ts';
import { ExpectedMember, expectedIn } from '../brake.ts';
import { strict } from '../model.ts';
import { ImportId, ImportStarted } from './model.ts';
import { requireImporter } from './service.ts';
import type { ImportUndo } from './undo.ts';
import { t } from '../../validation/type.ts';

const UndoRequest = t.Object(
  {
    simular: t.Optional(t.Boolean({ description: 'true: mostra o que seria desfeito e não grava nada.' })),
    expected: ExpectedMember,
  },
  {
    ...strict,
    'x-form': 'UndoRequest',
    description: 'Se só se mostra o que seria desfeito.',
    examples: [{ simular: true }],
  },
);

export const undoRoutes = (undo: ImportUndo, idempotency: Idempotency): Operation<Caller>[] => [
  operation('POST', '/appliance/api/imports/:id/undo', {
    tag: 'Importações',
    source: 'contract, section 24',
    id: 'undoImport',
    right: 'leitura',
    summary: 'Desfaz uma importação ou uma alteração de vários produtos',
    description:
      'É outra importação, que se acompanha pelo id e também pode ser desfeita. De cada linha que gravou algo, o que foi incluído é desativado e o que mudou ganha uma nova versão com o que havia antes; um vínculo é desvinculado, ou vinculado de novo a partir de hoje. O que mudou depois fica como está e é o erro da linha, mudouDepois. Um registro que várias linhas mudaram é desfeito uma só vez. Não se desfazem simulações, importações do modo espelho ou de atos concessórios, nem as que não terminaram, não gravaram nada ou não guardam mais seus resultados: 422.',
    params: t.Object({ id: ImportId }),
    body: UndoRequest,
    bodyForm: 'optional-json',
    success: ImportStarted,
    successStatus: ACCEPTED,
    guard: requireImporter,
    headers: KEY_HEADER,
    handle: async ({ caller, quotaOwner, params, body, request }) => {
      const simular = body?.simular === true;
      const expected = expectedIn(body?.expected);
      const find = (id: number) => undo.find(caller, id);
      const content = ['undoImport', params.id, simular, expected];
      const id = await idempotency.once({ caller, request, content, find }, (alsoWrite) =>
        undo.start(caller, quotaOwner, params.id, { simular, expected, alsoWrite }),
      );
      return accepted({ id });
    },
  }),
];
