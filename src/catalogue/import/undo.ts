/**
 * Undoes an import by another import (contract section 24): each row that changed something is changed back.
 */
import type { Proposed } from '../../change.ts';
import type { AlsoWrite } from '../../idempotency/service.ts';
import { unprocessable } from '../../errors.ts';
import type { Reads } from '../../reading/pool.ts';
import type { Caller } from '../../session/model.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import type { Expected } from '../brake.ts';
import { violated } from '../codes.ts';
import { type ImportJob, isOver, rightOf } from './model.ts';
import type { ImportService } from './service.ts';
import type { UndoRowsRead } from './undo-rows.ts';

export class ImportUndo {
  readonly #imports: ImportService;
  readonly #reads: Reads<UndoRowsRead>;

  constructor(imports: ImportService, reads: Reads<UndoRowsRead>) {
    this.#imports = imports;
    this.#reads = reads;
  }

  /** Throws 404, also for an import that the caller may not see. */
  find(caller: Caller, id: number): ImportJob {
    return this.#imports.find(caller, id);
  }

  /** Queues the undo. Returns the id of its import. Throws 403, 404, 422, 503. */
  async start(
    caller: Caller,
    quotaOwner: QuotaOwner,
    id: number,
    {
      simular,
      expected = {},
      proposal,
      alsoWrite,
    }: {
      readonly simular: boolean;
      readonly expected?: Expected;
      readonly proposal?: Proposed;
      readonly alsoWrite?: AlsoWrite | undefined;
    },
  ): Promise<number> {
    const job = this.#imports.find(caller, id);
    this.#imports.requireRight(caller, job, rightOf('desfazer', simular));
    const reason = reasonNotTo(job);
    if (reason !== undefined) throw notUndoable(id, reason);
    const { tipo, company } = job;
    const importRequest = {
      kind: 'desfazer',
      source: id,
      tipo,
      modo: 'lote',
      simular,
      company,
      fileName: `Desfaz a importação ${id}`,
      pedido: JSON.stringify({ undo: id }),
      proposal,
    } as const;
    const braked = { ...importRequest, checkedItems: 'all', keyColumn: undefined, expected } as const;
    return this.#imports.startGenerated(
      caller,
      this.#reads.read({ kind: 'undoRows', id, tipo }, quotaOwner),
      importRequest,
      {
        judge: async (items, storedFile) => {
          for await (const _one of items)
            return simular ? undefined : this.#imports.refuseBraked(caller, braked, storedFile);
          throw notUndoable(id, reasonOfNothing(job));
        },
        alsoWrite,
      },
    );
  }
}

/**
 * Explains why nothing can be undone. Changes that an older version did not record are not reported as no
 * change.
 */
const reasonOfNothing = ({ created, newVersion, deactivated }: ImportJob): string =>
  created + newVersion + deactivated === 0
    ? 'nenhuma de suas linhas gravou algo que se desfaça; não há o que fazer'
    : 'o que cada linha gravou não foi registrado, ou já foi apagado; mude os registros um a um';

/** Explains why an import cannot be undone. `undefined`: it can. */
function reasonNotTo({ state, simular, modo, tipo }: ImportJob): string | undefined {
  if (simular) return 'é uma simulação, e não gravou nada; não há o que fazer';
  if (modo === 'espelho')
    return 'é do modo espelho, que traz versões como são; mude os registros um a um, ou restaure um backup';
  if (!isOver(state)) return 'ainda não terminou; espere até que termine, ou cancele-a antes';
  if (tipo === 'ato-concessorio')
    return 'é de atos concessórios, e nenhuma operação do serviço retira um ato; não há o que fazer';
  return undefined;
}

function notUndoable(id: number, reason: string) {
  const message = `A importação ${id} não pode ser desfeita: ${reason}.`;
  return unprocessable([violated('notUndoable', null, message)]);
}
