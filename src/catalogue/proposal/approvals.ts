/**
 * Queues the import that carries out a proposal: exactly the rows of its dry run, by the module that made it
 * (contract section 27).
 */
import type { QuotaOwner } from '../../fair-shares.ts';
import type { Caller } from '../../session/model.ts';
import type { BrakedPart } from '../brake.ts';
import type { Approval } from '../import/approval.ts';
import { type ImportJob, parseRecordItem } from '../import/model.ts';
import type { ImportService } from '../import/service.ts';
import type { ImportUndo } from '../import/undo.ts';

/** Carries out the dry runs of one module. */
interface Approver {
  approve(caller: Caller, job: ImportJob, approval: Approval): Promise<number>;
}

export type Approvals = ReturnType<typeof createApprovals>;

export function createApprovals({
  imports,
  sheets,
  changes,
  undo,
  brakeOf,
}: {
  readonly imports: ImportService;
  readonly sheets: Approver;
  readonly changes: Approver;
  readonly undo: ImportUndo;
  /** Returns the brake of a file with these instructions; `undefined`: no item can trigger one. */
  readonly brakeOf: (pedido: string | null) => BrakedPart | undefined;
}) {
  /** Throws 403, 422, 503. */
  function start(
    caller: Caller,
    quotaOwner: QuotaOwner,
    job: ImportJob,
    approval: Approval,
  ): Promise<number> {
    if (job.changesMany === true) return changes.approve(caller, job, approval);
    switch (job.kind) {
      case 'planilha':
      case 'correcao':
        return sheets.approve(caller, job, approval);
      case 'desfazer':
        return startUndo(caller, quotaOwner, job, approval);
      case 'arquivo':
      case 'registro':
        return items(caller, job, approval);
      default:
        throw new Error(`An import of the kind ${job.kind} is never proposed.`);
    }
  }

  function startUndo(
    caller: Caller,
    quotaOwner: QuotaOwner,
    job: ImportJob,
    { proposal, expected, decide }: Approval,
  ) {
    if (job.source === undefined) throw new Error(`Undo ${job.id} has no source.`);
    return undo.start(caller, quotaOwner, job.source, {
      simular: false,
      expected,
      proposal,
      alsoWrite: decide,
    });
  }

  /** Applies the items as received. The runner compares the changes of each with those that its dry run showed. */
  function items(caller: Caller, job: ImportJob, { proposal, expected, decide }: Approval): Promise<number> {
    const { id, kind, tipo, modo, fileName, sha256, company } = job;
    const pedido = imports.instructionsOf(job);
    const importRequest = {
      kind,
      source: id,
      tipo,
      modo,
      simular: false,
      fileName,
      sha256,
      company,
      pedido,
      proposal,
    } as const;
    const brake = kind === 'registro' ? undefined : brakeOf(pedido);
    return imports.startGenerated(caller, textsOf(imports, job), importRequest, {
      judge: async (_items, storedFile) => {
        if (brake !== undefined)
          await imports.refuseBraked(caller, { ...importRequest, ...brake, expected }, storedFile);
      },
      notices: () => job.notices,
      alsoWrite: decide,
    });
  }

  return { start };
}

/** Returns the items of a dry run as the text of a file. */
function textsOf(imports: ImportService, job: ImportJob): AsyncIterable<string | Uint8Array> {
  return job.kind === 'registro'
    ? itemText(parseRecordItem(imports.instructionsOf(job) ?? ''))
    : Bun.file(imports.rowsOf(job).file).stream();
}

async function* itemText(item: object): AsyncGenerator<string> {
  yield JSON.stringify([item]);
}
