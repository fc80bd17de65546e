/**
 * Offers attribute tables to the rest of the product: load, compare, put in force, serve (contract section
 * 8).
 */
import type { Actor } from '../../change.ts';
import type { Clock, Day } from '../../clock.ts';
import { notFound } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { FileSource } from '../../files/file-limits.ts';
import { readText } from '../../reading/stream.ts';
import {
  type DeactivationCount,
  type DeactivationWords,
  deactivationProblems,
  refuseDeactivations,
} from '../brake.ts';
import { fromOperator } from '../../files/from-operator.ts';
import type { QuotaOwner } from '../../fair-shares.ts';
import type { LongRead } from '../../reading/long-read.ts';
import type { Reads } from '../../reading/pool.ts';
import { SYSTEM } from '../../session/model.ts';
import { dayOf, momentText } from '../../validation/calendar.ts';
import { type Activator, requireFullTable, unknownTable } from './activation/activation.ts';
import type { ImpactForm, ImpactRead, ImpactRequest } from './activation/impact.ts';
import type { ActivationStore } from './activation/activation-store.ts';
import type { AttributeTables } from './activation/in-force.ts';
import { NO_TABLE_BEFORE } from './table/model.ts';
import type { TableLoader } from './table/loader.ts';
import type { AttributeTableStore, StoredTable } from './table/store.ts';
import type { SweepResult, SweepRun } from './activation/sweep.ts';
import type { TableChangesRead, TableHistoryRead, TableVersionsRead } from './serving/history.ts';

export interface LoadedTable {
  readonly id: number;
  readonly versao: string;
  readonly ncms: number;
  readonly attributes: number;
}

export interface ListedTable extends LoadedTable {
  /** `yyyy-MM-ddTHH:mm:ss`, Brasília. */
  readonly loadedAt: string;
  readonly inForce: boolean;
  /** Future days on which it comes into force. */
  readonly scheduledOn: readonly Day[];
  /** True if it was fetched automatically. */
  readonly fetched: boolean;
  /** Reason why it is not put in force automatically, until a person does so. */
  readonly keptBack: string | null;
}

export type AttributeService = ReturnType<typeof createAttributeService>;

export function createAttributeService({
  store,
  inForce,
  loader,
  activator,
  activations,
  reads,
  clock,
  maxBytes,
}: {
  readonly store: AttributeTableStore;
  readonly inForce: AttributeTables;
  readonly loader: TableLoader;
  readonly activator: Activator;
  readonly activations: ActivationStore;
  readonly reads: Reads<ImpactRead | TableVersionsRead | TableHistoryRead | TableChangesRead>;
  readonly clock: Clock;
  /** Maximum size of a file in bytes, also unpacked (setting `importacao.maximo`). */
  readonly maxBytes: number;
}) {
  /** Loads a file, JSON or zip, without putting it in force. Throws 422 with the position of each fault. */
  async function load(file: FileSource, by: Actor): Promise<LoadedTable> {
    return toLoaded(await loader.load(file, { maxBytes: maxBytes, by }));
  }

  /** Loads a file of the operator. Throws `OperatorError` with every fault. */
  async function loadFile(path: string, by: Actor): Promise<LoadedTable> {
    return fromOperator(path, 'A tabela de atributos', () => load(path, by));
  }

  /** Returns the tables that can be put in force, in load order. */
  function list(): ListedTable[] {
    const current = inForce.inForceToday();
    const scheduled = inForce.list().filter(({ onDay }) => onDay > today());
    const wholeTables = store.list().filter(({ isWhole }) => isWhole);
    return wholeTables.map((table) => ({
      ...toLoaded(table),
      loadedAt: momentText(table.loadedAt),
      inForce: table.id === current?.tableId,
      fetched: table.fetchedAt !== null,
      keptBack: activations.wasEverActivated(table.id) ? null : table.keptBack,
      scheduledOn: scheduled.flatMap(({ tableId, onDay }) => (tableId === table.id ? [onDay] : [])).reverse(),
    }));
  }

  /** Returns the text of the tables that were in force, newest first, each with its changes. */
  function versions(
    subject: TableVersionsRead['subject'],
    numbers: readonly number[] | undefined,
    quotaOwner: QuotaOwner,
  ): LongRead {
    return reads.read({ kind: 'tableVersions', today: today(), subject: subject, numbers }, quotaOwner);
  }

  /** Returns the text of the newest tables, newest first, each with counts of its changes. */
  function history(quotaOwner: QuotaOwner): LongRead {
    return reads.read({ kind: 'tableHistory', today: today() }, quotaOwner);
  }

  /** Returns the JSON text of the changes from the previously loaded table to this one. Throws 404. */
  function changes(id: number, quotaOwner: QuotaOwner): LongRead {
    const ids = store.list().map((table) => table.id);
    const index = ids.indexOf(id);
    if (index === -1) throw unknownTable(id);
    const sinceId = ids[index - 1] ?? NO_TABLE_BEFORE;
    return reads.read({ kind: 'tableChanges', tableId: id, sinceId, isWhole: false }, quotaOwner);
  }

  /** Returns the table with that `versao`. Throws 404. */
  function getByVersao(versao: string): LoadedTable {
    const table = store.findByVersao(versao);
    if (table === undefined)
      throw notFound(
        `Não existe tabela de atributos com a versão ${formatValue(versao)}; as carregadas estão na lista.`,
      );
    return toLoaded(requireFullTable(table, table.id));
  }

  /**
   * Returns the text of an impact, as of today or of a day on which the table is to come into force. Throws
   * 404.
   */
  function impact(
    id: number,
    form: ImpactForm,
    quotaOwner: QuotaOwner,
    on?: Day,
    companies: readonly string[] | null = null,
  ): LongRead {
    const impact = { ...impactRequest(id, on), companies };
    return reads.read({ kind: 'impact', impact, form }, quotaOwner);
  }

  /** Returns the request for the comparison. Throws 404. */
  function impactRequest(id: number, on?: Day): ImpactRequest {
    requireFullTable(store.find(id), id);
    const current = inForce.inForceToday();
    const day = on ?? today();
    return {
      tableId: id,
      currentId: current?.tableId ?? null,
      sinceTableId: activator.comparableTable(current, day),
      day,
      companies: null,
    };
  }

  /**
   * Puts a table in force at once, or on a day. `expected`: the count of products that it deactivates,
   * required when there are many. Throws 404, 422.
   */
  async function activate(
    id: number,
    on: Day | undefined,
    by: Actor,
    quotaOwner: QuotaOwner,
    expected?: number,
    words?: DeactivationWords,
  ): Promise<SweepResult> {
    activator.requireActivatable(id, on);
    refuseDeactivations(await deactivationCounts(id, on, quotaOwner), expected, words);
    return activator.activate(id, on, by);
  }

  /**
   * Returns true if the table would deactivate so many products that a person has to put it in force. Throws
   * 404.
   */
  async function mustBeConfirmed(id: number, quotaOwner: QuotaOwner): Promise<boolean> {
    const companies = await deactivationCounts(id, undefined, quotaOwner);
    return deactivationProblems(companies, undefined).length > 0;
  }

  /** Returns the counts of products that the table would deactivate, by company. */
  async function deactivationCounts(
    id: number,
    on: Day | undefined,
    quotaOwner: QuotaOwner,
  ): Promise<DeactivationCount[]> {
    return JSON.parse(await readText(impact(id, 'deactivations', quotaOwner, on))) as DeactivationCount[]; // written by our Worker
  }

  /** Cancels the future activation of a table, on one day or on all. Throws 404. */
  function cancel(id: number, on: Day | undefined, by: Actor): Promise<void> {
    return activator.cancel(id, on, by);
  }

  /**
   * Runs the sweep that is due today; called at the start of the server and every day at 00:05, Brasília.
   */
  function runOnce(): Promise<SweepRun> {
    return activator.runOnce();
  }

  /**
   * Loads a file and puts it in force if no table is loaded yet (setting `atributos.arquivo`; does nothing if
   * it is empty).
   * `waits`: the table would deactivate so many products that a person has to put it in force.
   */
  async function loadFirst(file: string): Promise<'waits' | undefined> {
    if (file === '' || store.list().length > 0) return undefined;
    const { id } = await loadFile(file, SYSTEM);
    const quotaOwner = { user: SYSTEM };
    if (await mustBeConfirmed(id, quotaOwner)) return 'waits';
    await activate(id, undefined, SYSTEM, quotaOwner);
    return undefined;
  }

  function today(): Day {
    return dayOf(clock.now());
  }

  return {
    load,
    loadFile,
    list,
    versions,
    history,
    changes,
    getByVersao,
    impact,
    impactRequest,
    activate,
    mustBeConfirmed,
    cancel,
    runOnce,
    loadFirst,
  };
}

const toLoaded = ({ id, versao, ncms, attributes }: StoredTable): LoadedTable => ({
  id,
  versao,
  ncms,
  attributes,
});
