/** Joins the parts of imports: what the server and its tests need of them. */
import type { Clock } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Writer } from '../../db/writer.ts';
import type { ItemApplier } from '../batch.ts';
import type { Catalogue } from '../catalogue.ts';
import { importLimits } from './feed.ts';
import { ImportFolder } from './folder.ts';
import type { ImportKind } from './model.ts';
import { ImportRunner, type ImportRunnerParts } from './runner.ts';
import { Savepoint } from './savepoint.ts';
import { ImportService } from './service.ts';
import { ImportStore } from './store.ts';
import type { UploadParts } from './upload.ts';

export interface ImportsParts extends Pick<ImportRunnerParts, 'callerOf' | 'onFault' | 'stopwatch'> {
  readonly db: Db;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  /** The folder of uploaded files. */
  readonly path: string;
  /** Bytes of a file, also unpacked (setting `importacao.maximo`). */
  readonly maxBytes: number;
}

export interface Imports {
  readonly service: ImportService;
  readonly runner: ImportRunner;
  readonly upload: UploadParts;
}

export function createImports(parts: ImportsParts): Imports {
  const { db, writer, clock, stopwatch, callerOf, onFault, maxBytes } = parts;
  const store = new ImportStore(db);
  const folder = new ImportFolder(parts.path);
  const runner = new ImportRunner({
    store,
    folder,
    writer,
    clock,
    stopwatch,
    savepoint: new Savepoint(db),
    limits: importLimits(maxBytes),
    appliers: importAppliers(parts.catalogue),
    callerOf,
    onFault,
  });
  return { service: new ImportService({ store, writer, runner }), runner, upload: { folder, maxBytes } };
}

/** Who applies the items of which kind of file. */
export function importAppliers(catalogue: Catalogue): Readonly<Record<ImportKind, ItemApplier>> {
  return {
    produto: catalogue.product.items,
    'operador-estrangeiro': catalogue.operator.items,
    fabricante: catalogue.link.items,
    'ato-concessorio': catalogue.concessionAct.items,
  };
}
