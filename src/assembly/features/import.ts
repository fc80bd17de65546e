/** Imports: files whose items are processed one by one in the background. */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { faultOf } from '../../log/log.ts';
import type { ItemApplier } from '../../catalogue/batch.ts';
import type { Catalogue } from './catalogue.ts';
import { importLimits } from '../../catalogue/import/feed.ts';
import { AppliedChangeStore } from '../../catalogue/import/applied-change-store.ts';
import { FamilyStore } from '../../catalogue/import/family-store.ts';
import { CellsStore } from '../../catalogue/import/cells-store.ts';
import { ImportFolder } from '../../catalogue/import/folder.ts';
import { KeptCells } from '../../catalogue/import/kept-cells.ts';
import type { AppliedJob, ImportJob, ImportKind } from '../../catalogue/import/model.ts';
import { type BrakedRecords, BrakeCheck } from '../../catalogue/import/brake-check.ts';
import { createImportRetention } from '../../catalogue/import/retention.ts';
import type { SheetStarter } from '../../catalogue/import/routes.ts';
import { ImportRunner, type ImportRunnerParts } from '../../catalogue/import/runner.ts';
import { ImportService } from '../../catalogue/import/service.ts';
import { ImportStore } from '../../catalogue/import/store.ts';
import { ImportUndo } from '../../catalogue/import/undo.ts';
import { WaitingUploads, type WaitingWork } from '../../catalogue/import/waiting-uploads.ts';
import type { Idempotency } from '../../idempotency/service.ts';
import type { NotifyPeople } from '../../session/notices/model.ts';
import { wordsOf } from '../reading/failed-imports.ts';

export interface ImportParts
  extends
    Pick<ImportRunnerParts, 'callerOf'>,
    Partial<Pick<ImportRunnerParts, 'onFault' | 'otherNeededFiles'>> {
  readonly catalogue: Catalogue;
  readonly idempotency: Idempotency;
  readonly notify: NotifyPeople;
  /** Returns further unfinished works with uploaded files. */
  readonly otherWaitingWork?: () => Iterable<WaitingWork>;
  /** Returns the service that starts imports of spreadsheets. */
  readonly sheets: () => SheetStarter;
  /**
   * Returns the applier of the items of a dry run of a file. It reports the changes that each item would
   * make.
   */
  readonly dryRunApplierOf?: (tipo: ImportKind) => ItemApplier;
  /** Returns the applier of the items of a job with a request. */
  readonly applierOfInstructions: (job: AppliedJob & { readonly pedido: string }) => ItemApplier;
}

/** Imports of sheets have their own limit, `planilha.guardadas`. */
const waitingWork = ({ kind, documento, company, storedFile }: ImportJob): readonly WaitingWork[] =>
  kind === 'arquivo' ? [{ documento, company, files: [storedFile] }] : [];

export type Imports = ReturnType<typeof openImport>;

export function openImport(appContext: AppContext, parts: ImportParts) {
  const { db, feed, writer, clock, stopwatch, settings, log, reads } = appContext;
  const { idempotency } = parts;
  const { rules } = parts.catalogue;
  const maxBytes = settings['importacao.maximo'];
  const store = new ImportStore(db);
  const folder = new ImportFolder(appContext.folder.imports);
  const appliers = importAppliers(parts.catalogue);
  const limits = importLimits(maxBytes);
  const applierOf = (job: AppliedJob): ItemApplier => {
    const { tipo, pedido, simular } = job;
    if (pedido !== null) return parts.applierOfInstructions({ ...job, pedido });
    return (simular ? parts.dryRunApplierOf?.(tipo) : undefined) ?? appliers[tipo];
  };
  const brakeCheck = new BrakeCheck(writer, stopwatch, brakedRecords(parts.catalogue));
  const cells = new KeptCells(new CellsStore(db), folder, writer, settings['planilha.guardadas']);
  const runner = new ImportRunner({
    store,
    appliedChanges: new AppliedChangeStore(db),
    folder,
    cells,
    writer,
    clock,
    stopwatch,
    limits,
    failuresKept: settings['importacao.falhas'],
    applierOf,
    ended: (tx, job) => {
      if (job.simular || (job.state !== 'failed' && job.failed === 0)) return;
      parts.notify(tx, {
        kind: 'importacoes',
        // The sender is notified of an import of several companies, or of one whose company cannot be read.
        ...(job.company === null ? { documento: job.documento } : { cpfCnpjRaiz: job.company }),
        text: wordsOf(job),
        link: { href: `/importar/${job.id}`, label: 'Ver resultado' },
      });
    },
    onFault: (error, job) =>
      log.error('A importação {id} falhou: {error}', { id: job?.id, error: faultOf(error) }),
    ...parts,
  });
  const waiting = new WaitingUploads(
    folder,
    () => [...store.listUnfinished().flatMap(waitingWork), ...(parts.otherWaitingWork?.() ?? [])],
    settings['importacao.esperando'],
  );
  const upload = { folder, maxBytes, waiting };
  const retention = createImportRetention({
    store,
    writer,
    clock,
    folder,
    days: settings['importacao.dias'],
  });
  const service = new ImportService({
    store,
    families: new FamilyStore(db),
    writer,
    runner,
    retention,
    folder,
    limits,
    cells,
    brakeCheck,
    applierOf,
  });
  let endFeed: (() => void) | undefined;
  const feature: Feature = {
    lateOperations: ({ importRoutes, reasonsRoutes, undoRoutes }) => [
      ...importRoutes({
        imports: service,
        sheets: parts.sheets(),
        rules,
        reads,
        clock,
        idempotency,
        ...upload,
      }),
      ...reasonsRoutes({ imports: service, reads, clock, rules }),
      ...undoRoutes(new ImportUndo(service, reads), idempotency),
    ],
    jobs: [
      {
        name: 'importacoes-antigas',
        about: 'Apaga as importações que terminaram há mais dias que importacao.dias, com seus resultados.',
        pattern: '40 3 * * *',
        atStart: true,
        runOnce: () => retention.runOnce(),
      },
    ],
    start: async () => {
      await Promise.all([runner.resume(), cells.start()]);
      // `catp call` queues imports that the server of the folder runs.
      endFeed ??= feed.onOthers(() => void setImmediate(() => runner.wake()));
    },
    stop: () => {
      endFeed?.();
      endFeed = undefined;
      return runner.stop();
    },
  };
  return { ...feature, service, runner, store, retention, upload };
}

/** Returns the stores that the brake reads. */
export const brakedRecords = ({ product, operator, link }: Catalogue): BrakedRecords => ({
  products: product.store,
  operators: operator.store,
  links: link.store,
});

/** Returns the item applier of each kind of file. */
export function importAppliers(catalogue: Catalogue): Readonly<Record<ImportKind, ItemApplier>> {
  return {
    produto: catalogue.product.items,
    'operador-estrangeiro': catalogue.operator.items,
    fabricante: catalogue.link.items,
    'ato-concessorio': catalogue.concessionAct.items,
  };
}
