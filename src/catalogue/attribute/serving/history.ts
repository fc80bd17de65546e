/** The tables that were in force, each with what it changed (contract section 8). Two tables never change: kept once told. */
import type { Day } from '../../../clock.ts';
import type { AttributeTables } from '../activation/in-force.ts';
import type { Pair } from '../words/model.ts';
import { compare } from '../table/difference.ts';
import type { AttributeTableStore, StoredTable } from '../table/store.ts';
import { latest } from '../../../system/latest.ts';
import { counted } from '../../../validation/text.ts';

export interface TableHistoryParts {
  readonly store: AttributeTableStore;
  readonly inForce: AttributeTables;
}

export interface TableVersion {
  /** 1 of the first one that was ever in force, then upwards. */
  readonly numero: number;
  /** The day on which it came into force. */
  readonly dataVersao: Day;
  readonly alteracoes: TableChanges;
}

/** Of codes: of NCMs (8 digits), or of the attributes of one. */
interface Changes<Changed> {
  readonly versao: string;
  readonly resumo: string;
  readonly adicionado: readonly string[];
  readonly excluido: readonly string[];
  readonly alterado: readonly Changed[];
}

export type TableChanges = Changes<{ readonly codigoNcm: string; readonly atributos: Changes<string> }>;

/** Comparisons that are remembered; the first of a table of 10 500 NCMs takes some tens of ms. */
const REMEMBERED = 50;

export class TableHistory {
  readonly #parts: TableHistoryParts;
  readonly #remembered = latest<string, TableChanges>(REMEMBERED);

  constructor(parts: TableHistoryParts) {
    this.#parts = parts;
  }

  /** Newest first. A table that is put in force again while it is in force begins nothing. */
  async list(today: Day): Promise<TableVersion[]> {
    const { store, inForce } = this.#parts;
    const begun = inForce.list().filter(({ onDay }) => onDay <= today);
    const versions: Omit<TableVersion, 'numero'>[] = [];
    for (const [index, { tableId, onDay }] of begun.entries()) {
      const before = begun[index + 1];
      const table = store.find(tableId);
      if (table === undefined || before?.tableId === tableId) continue;
      const alteracoes = this.#changes(before && store.find(before.tableId), table);
      versions.push({ dataVersao: onDay, alteracoes });
      await endOfTurn();
    }
    return versions.map((version, index) => ({ numero: versions.length - index, ...version }));
  }

  /** To be called when the tables on disk were replaced under us. */
  forget(): void {
    this.#remembered.clear();
  }

  #changes(from: StoredTable | undefined, to: StoredTable): TableChanges {
    const key = `${from?.id ?? ''} ${to.id}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const changes = this.#compare(from, to);
    this.#remembered.set(key, changes);
    return changes;
  }

  #compare(from: StoredTable | undefined, to: StoredTable): TableChanges {
    const { store } = this.#parts;
    const before = from === undefined ? new Map<string, string>() : store.fingerprints(from.id);
    const after = store.fingerprints(to.id);
    const details = from === undefined ? new Set<string>() : store.changedDetails(from.id, to.id);
    const { added, removed, changed } = compare(before, after, (ncm, was, is) =>
      from === undefined || was === is
        ? undefined
        : { codigoNcm: ncm, atributos: this.#changedAttributes(from, to, ncm, details) },
    );
    const counts = `${counted(added.length, 'NCM adicionada', 'NCM adicionadas')}, ${counted(removed.length, 'excluída')} e ${counted(changed.length, 'alterada')}`;
    const resumo =
      from === undefined ? `Primeira tabela: ${counts}.` : `Desde a versão ${from.versao}: ${counts}.`;
    return { versao: to.versao, resumo, adicionado: added, excluido: removed, alterado: changed };
  }

  /** An attribute has changed where its pairs differ, or its description does. */
  #changedAttributes(
    from: StoredTable,
    to: StoredTable,
    ncm: string,
    details: ReadonlySet<string>,
  ): Changes<string> {
    const pairsOf = ({ id }: StoredTable) =>
      byCode(this.#parts.store.findPairs(id, ncm)?.listaAtributos ?? []);
    const { added, removed, changed } = compare(pairsOf(from), pairsOf(to), (codigo, was, is) =>
      details.has(codigo) || was !== is ? codigo : undefined,
    );
    const resumo = `Desde a versão ${from.versao}: ${added.length} atributos adicionados, ${removed.length} excluídos e ${changed.length} alterados.`;
    return { versao: to.versao, resumo, adicionado: added, excluido: removed, alterado: changed };
  }
}

/** The pairs of each attribute as one text, whatever their order. */
function byCode(pairs: readonly Pair[]): Map<string, string> {
  const texts = new Map<string, string[]>();
  for (const pair of pairs) texts.set(pair.codigo, [...(texts.get(pair.codigo) ?? []), JSON.stringify(pair)]);
  return new Map([...texts].map(([codigo, some]) => [codigo, some.sort().join()]));
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
