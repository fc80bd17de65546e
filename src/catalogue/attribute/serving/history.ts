/**
 * Reads, in a Worker, the changes that each table made: for tables that were in force, in the format of the
 * public service (contract section 8); for every loaded table, in the format of section 19.
 */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { arrayText } from '../../../reading/stream.ts';
import { momentText } from '../../../validation/calendar.ts';
import { type Activation, ActivationStore } from '../activation/activation-store.ts';
import { alterationInNcm } from '../table/alteration.ts';
import { tableChange } from '../table/change.ts';
import { TableChangeStore } from '../table/change-store.ts';
import {
  type ChangeCounts,
  type ChangedNcm,
  HISTORY_TABLES,
  NO_TABLE_BEFORE,
  type PairAlteration,
  type TableChange,
  countsOf,
} from '../table/model.ts';
import { AttributeTableStore, type StoredTable } from '../table/store.ts';

/** Message to the reading Worker. */
export interface TableVersionsRead {
  readonly kind: 'tableVersions';
  readonly today: Day;
  /** Subject of the result: NCMs with their attributes, or the attributes alone. */
  readonly subject: 'ncms' | 'attributes';
  /** Requested versions, by `numero`; `undefined`: all. */
  readonly numbers: readonly number[] | undefined;
}
export interface TableHistoryRead {
  readonly kind: 'tableHistory';
  readonly today: Day;
}
export interface TableChangesRead {
  readonly kind: 'tableChanges';
  readonly tableId: number;
  readonly sinceId: number;
  /** True: the result contains all levels of changes, for storage. False: only codes, for display. */
  readonly isWhole: boolean;
}

/**
 * Yields `historico-versoes`: the tables that were in force, newest first, each with its changes since the
 * previous one.
 */
export function* tableVersionTexts(db: Db, read: TableVersionsRead): Generator<string> {
  const { today, subject, numbers } = read;
  const changes = new Changes(db);
  const started = startedActivations(new ActivationStore(db), today);
  const versions = started.slice(0, HISTORY_TABLES).flatMap(({ tableId, onDay }, index) => {
    const table = changes.tables.find(tableId);
    const nextStart = started[index + 1];
    const numero = started.length - index;
    if (table === undefined || numbers?.includes(numero) === false) return [];
    return [{ numero, onDay, table, from: nextStart && changes.tables.find(nextStart.tableId) }];
  });
  yield* arrayText(
    (function* () {
      for (const { numero, onDay, table, from } of versions)
        yield {
          numero,
          dataVersao: onDay,
          alteracoes: TEXTS[subject](from, table, changes.find(table, from)),
        };
    })(),
  );
}

/**
 * Yields the newest tables, newest first, each with counts of its changes since the one loaded before it.
 */
export function* tableHistoryTexts(db: Db, { today }: TableHistoryRead): Generator<string> {
  const changes = new Changes(db);
  const started = startedActivations(new ActivationStore(db), today);
  const tables = changes.tables.list().reverse();
  yield* arrayText(
    (function* () {
      for (const [index, table] of tables.slice(0, HISTORY_TABLES).entries()) {
        const from = tables[index + 1];
        yield {
          id: table.id,
          versao: table.versao,
          loadedAt: momentText(table.loadedAt),
          since: from === undefined ? null : { id: from.id, versao: from.versao },
          inForceOn: started.findLast(({ tableId }) => tableId === table.id)?.onDay ?? null,
          ...changes.countsOf(table, from),
        };
      }
    })(),
  );
}

/**
 * Yields the changes from table `sinceId` to table `tableId`, for display or storage. `sinceId` 0: the table
 * is the first one. Yields an empty change if the changes are no longer stored.
 */
export function* tableChangeTexts(
  db: Db,
  { tableId, sinceId, isWhole }: TableChangesRead,
): Generator<string> {
  const changes = new Changes(db);
  const table = changes.tables.find(tableId);
  const from = changes.tables.find(sinceId);
  if (table === undefined) return;
  const change = changes.find(table, from) ?? NO_CHANGE;
  yield JSON.stringify(isWhole ? change : codesOf(change));
}

const codesOf = ({ ncms, attributes }: TableChange) => ({
  ncms: { ...ncms, changed: ncms.changed.map(({ pairs: _, ...codes }) => codes) },
  attributes,
});

const NO_CODES = { added: [], removed: [], changed: [] } as const;
const NO_CHANGE: TableChange = { ncms: NO_CODES, attributes: NO_CODES };

/** Returns stored changes, or computes them if both tables are whole. */
class Changes {
  readonly tables: AttributeTableStore;
  readonly #changeStore: TableChangeStore;

  constructor(db: Db) {
    this.tables = new AttributeTableStore(db);
    this.#changeStore = new TableChangeStore(db);
  }

  /** Returns `undefined` if no changes are stored and a table is no longer whole. */
  find(table: StoredTable, from: StoredTable | undefined): TableChange | undefined {
    return this.#changeStore.find(table.id, from?.id ?? NO_TABLE_BEFORE) ?? this.#compute(table, from);
  }

  countsOf(table: StoredTable, from: StoredTable | undefined): ChangeCounts {
    const storedCounts = this.#changeStore.counts(table.id, from?.id ?? NO_TABLE_BEFORE);
    return storedCounts ?? countsOf(this.#compute(table, from) ?? NO_CHANGE);
  }

  #compute(table: StoredTable, from: StoredTable | undefined): TableChange | undefined {
    return table.isWhole && from?.isWhole !== false ? tableChange(this.tables, from, table) : undefined;
  }
}

/**
 * Returns the activations whose day has come, newest first. Omits an activation of the table that was already
 * in force.
 */
export function startedActivations(activations: ActivationStore, today: Day): readonly Activation[] {
  const started = activations.list().filter(({ onDay }) => onDay <= today);
  return started.filter(({ tableId }, index) => started[index + 1]?.tableId !== tableId);
}

interface ChangedItems {
  readonly added: readonly unknown[];
  readonly removed: readonly unknown[];
  readonly changed: readonly unknown[];
}

/** Returns the counts of the changes in one sentence, in Portuguese. */
function summaryOf(
  from: StoredTable | undefined,
  changedKind: string,
  items: ChangedItems | undefined,
): string {
  const origin = from === undefined ? 'Primeira tabela' : `Desde a versão ${from.versao}`;
  if (items === undefined) return `${origin}: o que mudou não foi guardado.`;
  const { added, removed, changed } = items;
  const [ending, noun] =
    changedKind === 'NCM' ? ['a', 'NCM'] : ['o', added.length === 1 ? changedKind : `${changedKind}s`];
  const countWith = (count: number, word: string): string =>
    `${count.toLocaleString('pt-BR')} ${word}${ending}${count === 1 ? '' : 's'}`;
  return `${origin}: ${countWith(added.length, `${noun} adicionad`)}, ${countWith(removed.length, 'excluíd')} e ${countWith(changed.length, 'alterad')}.`;
}

type VersionTexts = (
  from: StoredTable | undefined,
  to: StoredTable,
  change: TableChange | undefined,
) => object;

const TEXTS: Readonly<Record<TableVersionsRead['subject'], VersionTexts>> = {
  ncms: (from, to, change) => {
    const { ncms, descriptions = {} } = change ?? NO_CHANGE;
    return {
      versao: to.versao,
      resumo: summaryOf(from, 'NCM', change?.ncms),
      adicionado: ncms.added,
      excluido: ncms.removed,
      alterado: ncms.changed.map((changedNcm) => publicNcm(from, to, changedNcm, descriptions)),
    };
  },
  attributes: (from, to, change) => {
    const { attributes, descriptions = {} } = change ?? NO_CHANGE;
    return {
      versao: to.versao,
      resumo: summaryOf(from, 'atributo', change?.attributes),
      adicionado: attributes.added,
      excluido: attributes.removed,
      alterado: attributes.changed.map((codigo) => descriptions[codigo] ?? { codigo }),
    };
  },
};

/** One empty alteration: an attribute of which only the description changed is reported once. */
const NO_PAIR_CHANGED: readonly PairAlteration[] = [{}];

const publicNcm = (
  from: StoredTable | undefined,
  { versao }: StoredTable,
  changedNcm: ChangedNcm,
  descriptions: NonNullable<TableChange['descriptions']>,
) => {
  const { ncm: codigoNcm, added, removed, changed, pairs = {} } = changedNcm;
  const alterado = changed.flatMap((codigo) =>
    (pairs[codigo] ?? NO_PAIR_CHANGED).map((pair) => alterationInNcm(codigo, descriptions[codigo], pair)),
  );
  const resumo = summaryOf(from, 'atributo', changedNcm);
  return { codigoNcm, atributos: { versao, resumo, adicionado: added, excluido: removed, alterado } };
};
