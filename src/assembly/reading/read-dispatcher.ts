/**
 * Dispatches reads: lists go to the shared Workers; reads whose cost depends on user content go to separate
 * processes.
 */
import type { RealTime } from '../../clock.ts';
import type { QuotaOwner, ExceededLimit } from '../../fair-shares.ts';
import type { Settings } from '../../settings/config.ts';
import type { LongRead, ReadLimit } from '../../reading/long-read.ts';
import { ReadPool, type Reads } from '../../reading/pool.ts';
import { WorkPool, type WorkLimits } from '../../reading/work-pool.ts';
import { isPacked } from '../../sheet/packed.ts';
import { WorkProcesses } from '../../reading/work-process.ts';
import { ShortLists } from './short-lists.ts';
import type { AnyReadRequest } from './texts.ts';
import { WORK_ARGUMENT } from './work-argument.ts';

/**
 * Kinds that run in processes, in addition to each XLSX: reads of uploaded files and of files from other
 * servers.
 */
const OF_SHEETS: ReadonlySet<AnyReadRequest['kind']> = new Set([
  'sheetInspection',
  'sheetRows',
  'sheetFailed',
]);
const OF_TABLES: ReadonlySet<AnyReadRequest['kind']> = new Set([
  'tableLoad',
  'nomenclature',
  'nomenclatureComparison',
]);
const OF_REMOTES: ReadonlySet<AnyReadRequest['kind']> = new Set(['comparison']);

/** Limits of concurrent reads: one per user, two per company. */
const PLACES_LEAST = 4;
const PLACES_OF_COMPANY = 2;

export interface ReadDispatcherParts {
  readonly database: string;
  readonly settings: Settings;
  readonly realTime: RealTime;
  readonly onFailed: (error: Error) => void;
  readonly onStalled: (kind: string, ms: number) => void;
  /** Worker processes of another instance in this process. Default: its own. */
  readonly processes?: WorkProcesses<AnyReadRequest> | undefined;
}

export class ReadDispatcher implements Reads<AnyReadRequest> {
  readonly #lists: ReadPool<AnyReadRequest>;
  readonly #sheets: WorkPool<AnyReadRequest>;
  readonly #tables: WorkPool<AnyReadRequest>;
  readonly #remotes: WorkPool<AnyReadRequest>;
  readonly #own: WorkProcesses<AnyReadRequest> | undefined;
  readonly #short: ShortLists;

  constructor({ database, settings, processes, ...parts }: ReadDispatcherParts) {
    this.#short = new ShortLists(database);
    if (processes === undefined) this.#own = new WorkProcesses(ownCommand());
    const stallMs = settings['servidor.listasParada'];
    this.#lists = new ReadPool<AnyReadRequest>({
      ...parts,
      startWorker: () => new Worker(new URL('./reading.worker.ts', import.meta.url).href),
      database,
      limit: settings['servidor.listas'],
      waitMs: settings['servidor.listasEspera'],
      stallMs,
    });
    const pool = (
      places: WorkLimits,
      busyText: (exceededLimit: ExceededLimit, quotaOwner: QuotaOwner) => string,
    ) =>
      new WorkPool<AnyReadRequest>({
        ...parts,
        processes: processes ?? (this.#own as WorkProcesses<AnyReadRequest>),
        database,
        places,
        memory: settings['trabalho.memoria'],
        stallMs,
        busyText,
      });
    const atWork = Math.max(1, navigator.hardwareConcurrency - 1);
    const all = Math.max(PLACES_LEAST, atWork);
    this.#sheets = pool({ atWork, all, ofUser: 1, ofCompany: PLACES_OF_COMPANY }, busySheets);
    // The callers of these reads already queue them.
    const oneByOne: WorkLimits = { atWork: 1, all: 2, ofUser: 2, ofCompany: 2 };
    this.#tables = pool(oneByOne, () => BUSY_TABLES);
    this.#remotes = pool(oneByOne, () => BUSY_COMPARISONS);
  }

  read(request: AnyReadRequest, quotaOwner: QuotaOwner, limit?: ReadLimit): LongRead {
    return this.#poolOf(request).read(request, quotaOwner, limit);
  }

  shortText(request: AnyReadRequest): string | undefined {
    return this.#short.textOf(request);
  }

  async close(): Promise<void> {
    const pools = [this.#lists, this.#sheets, this.#tables, this.#remotes];
    await Promise.all(pools.map((pool) => pool.close()));
    this.#short.close();
    await this.#own?.close();
  }

  #poolOf(request: AnyReadRequest): Reads<AnyReadRequest> {
    if (OF_REMOTES.has(request.kind)) return this.#remotes;
    if (OF_TABLES.has(request.kind)) return this.#tables;
    return OF_SHEETS.has(request.kind) || isPacked(request) ? this.#sheets : this.#lists;
  }
}

/** Returns the command that starts a worker process: this executable, or the runtime with the sources. */
export function ownCommand(): readonly string[] {
  if (!Bun.isStandaloneExecutable)
    return [process.execPath, Bun.fileURLToPath(new URL('./work-main.ts', import.meta.url))];
  // An upgrade may replace the file while this version still serves.
  return [process.platform === 'linux' ? '/proc/self/exe' : process.execPath, WORK_ARGUMENT];
}

const BUSY_TABLES = 'Outra tabela, ou outra nomenclatura, está sendo lida';
const BUSY_COMPARISONS = 'Outra comparação está em andamento';

function busySheets(exceededLimit: ExceededLimit, { company }: QuotaOwner): string {
  if (exceededLimit === 'user') return 'Este usuário já tem uma planilha em andamento (lida ou baixada)';
  return exceededLimit === 'company'
    ? `A empresa ${company} já tem ${PLACES_OF_COMPANY} planilhas em andamento (lidas ou baixadas)`
    : 'Esta instância já tem todas as planilhas em andamento que pode ter (lidas ou baixadas)';
}
