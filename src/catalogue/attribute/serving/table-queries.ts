/** Serves the table in force: the whole file, or one NCM (contract section 8). */
import type { Clock, Day } from '../../../clock.ts';
import { malformed, notFound } from '../../../errors.ts';
import type { LongRead } from '../../../reading/long-read.ts';
import type { Reads } from '../../../reading/pool.ts';
import type { QuotaOwner } from '../../../fair-shares.ts';
import { fieldProblem } from '../../../validation/decoding.ts';
import { formatValue } from '../../../validation/format-value.ts';
import { zipAround } from '../../../files/deflated-zip.ts';
import { zipWith } from '../../../files/zip-out.ts';
import { cutWith, streamOf } from '../../../reading/stream.ts';
import { dayOf } from '../../../validation/calendar.ts';
import { folded, nearest } from '../../../validation/text.ts';
import type { Activation } from '../activation/activation-store.ts';
import type { AttributeTables } from '../activation/in-force.ts';
import type { Pair } from '../words/model.ts';
import type { AttributeTableStore, StoredTable } from '../table/store.ts';
import type { OriginalTableStore } from '../table/original-store.ts';
import { dotted } from './dotted.ts';
import {
  type AttributeFilter,
  type PairFilter,
  filtersDetails,
  matchesFilter,
  pairMatches,
} from './filter.ts';
import type { AttributeLookUp, AttributesFileRead, FileForm, TableFileRead } from './table-texts.ts';

/** Quota owner of all anonymous downloads, which share one quota. */
const ANONYMOUS: QuotaOwner = { user: 'anybody' };

export interface ServedFile {
  readonly name: string;
  readonly content: ReadableStream<Uint8Array>;
}

export interface ServedNcm {
  readonly versao: string;
  /** Dotted, as in the public file. */
  readonly codigoNcm: string;
  /** Pairs exactly as in the file. */
  readonly listaAtributos: readonly unknown[];
  readonly detalhesAtributos: readonly unknown[];
}

export type TableQueries = ReturnType<typeof createTableQueries>;

export function createTableQueries({
  store,
  inForce,
  records,
  reads,
  clock,
}: {
  readonly store: AttributeTableStore;
  readonly inForce: AttributeTables;
  readonly records: Pick<OriginalTableStore, 'agencies'>;
  readonly reads: Reads<TableFileRead | AttributesFileRead | AttributeLookUp>;
  readonly clock: Clock;
}) {
  /** Returns the table in force; `undefined` if there is none. */
  function current(): StoredTable | undefined {
    const activation = inForce.inForceToday();
    return activation && store.find(activation.tableId);
  }

  /**
   * Returns the file of the table in force as it was loaded, in a zip; both names contain today's date. The
   * stored file is already deflated. Throws 404 if no table is in force.
   */
  function download(): ServedFile {
    const { id, jsonBytes: bytes, jsonCrc32: crc32, deflatedBytes } = requireTable();
    const madeAt = clock.now();
    const day = dayOf(madeAt).replaceAll('-', '_');
    const name = `ATRIBUTOS_POR_NCM_${day}.json`;
    const zip = zipAround({ name, bytes, crc32, deflatedBytes, madeAt }, deflatedParts(id));
    return { name: `ATRIBUTOS_${day}.zip`, content: streamOf(zip) };
  }

  /**
   * Returns the table, or the requested part, in a zip. Throws 404 if no table is in force, 400 for an agency
   * that no attribute has.
   */
  async function file(
    form: FileForm,
    filter: PairFilter = {},
    ncms?: readonly string[],
    quotaOwner: QuotaOwner = ANONYMOUS,
  ): Promise<ServedFile> {
    const isUnfiltered = ncms === undefined && Object.values(filter).every((value) => value === undefined);
    if (isUnfiltered && form === 'json') return download();
    const { id: tableId } = requireTable(filter.data);
    refuseUnknownAgencies(tableId, filter);
    return zip('ATRIBUTOS_POR_NCM', form, { kind: 'tableFile', tableId, form, filter, ncms }, quotaOwner);
  }

  /** Returns the attributes alone, without NCMs, in a zip. Throws like `file`. */
  async function attributesFile(
    form: FileForm,
    filter: AttributeFilter = {},
    quotaOwner: QuotaOwner = ANONYMOUS,
  ): Promise<ServedFile> {
    const { id: tableId } = requireTable(filter.data);
    refuseUnknownAgencies(tableId, filter);
    return zip('ATRIBUTOS', form, { kind: 'attributesFile', tableId, form, filter }, quotaOwner);
  }

  /**
   * Returns the JSON text of the attributes with the requested codes or names, in request order. Throws 404
   * if no table is in force.
   */
  function lookUp(
    by: AttributeLookUp['by'],
    requested: readonly string[],
    day: Day | undefined,
    quotaOwner: QuotaOwner,
  ): LongRead {
    const { id: tableId } = requireTable(day);
    const keys = by === 'nome' ? requested.map(folded) : requested;
    return reads.read({ kind: 'attributeLookUp', tableId, by, requested: keys, day }, quotaOwner);
  }

  /**
   * Returns the requested pairs of an NCM, and the attributes that they name.
   * They come from the table in force on the filter's day or, if its rows are deleted, from the next table
   * that is still whole. For a day before the first table they come from the table in force today.
   * Throws 404 if no table is in force or the table does not have the NCM, 400 for an agency that no
   * attribute has.
   */
  function ofNcm(ncm: string, filter: PairFilter): ServedNcm {
    const { id, versao } = requireTable(filter.data);
    refuseUnknownAgencies(id, filter);
    const pairs = store.findPairs(id, ncm);
    if (pairs === undefined)
      throw notFound(
        `A NCM ${formatValue(ncm)} não está na tabela de atributos em vigor, versão ${formatValue(versao)}.${inForce.noteOf(id)}`,
      );
    const isRequested = (pair: Pair): boolean =>
      pairMatches(pair, filter) &&
      (!filtersDetails(filter) || matchesFilter(store.getDetail(id, pair.codigo), filter));
    const originalPairs = store.getOriginalPairs(id, ncm);
    const codes = new Set(pairs.listaAtributos.filter(isRequested).map(({ codigo }) => codigo));
    return {
      versao,
      codigoNcm: dotted(ncm),
      listaAtributos: originalPairs.filter((_, index) => isRequested(pairs.listaAtributos[index] as Pair)),
      detalhesAtributos: [...codes].map((codigo) => store.getOriginalDetail(id, codigo)),
    };
  }

  /**
   * Returns the similar code of the table in force for a code that the table does not have; `undefined`:
   * none.
   */
  function nearestNcm(ncm: string): string | undefined {
    const table = current();
    return table && nearest(ncm, [...store.fingerprints(table.id).keys()]);
  }

  /** Throws `unavailable` when there is no capacity for another long read. */
  async function zip(
    name: string,
    form: FileForm,
    request: TableFileRead | AttributesFileRead,
    quotaOwner: QuotaOwner,
  ): Promise<ServedFile> {
    const madeAt = clock.now();
    const day = dayOf(madeAt).replaceAll('-', '_');
    const read = await reads.read(request, quotaOwner).begin();
    const content = cutWith(read, zipWith([], `${name}_${day}.${form}`, read, madeAt));
    return { name: `ATRIBUTOS_${day}.zip`, content };
  }

  function refuseUnknownAgencies(tableId: number, { orgaosDemandantes = [] }: AttributeFilter): void {
    if (orgaosDemandantes.length === 0) return;
    const agencies = records.agencies(tableId);
    const names = new Set(agencies.map((name) => name.toUpperCase()));
    const unknown = orgaosDemandantes.filter((name) => !names.has(name.toUpperCase()));
    if (unknown.length === 0) return;
    const domain =
      agencies.length === 0 ? 'nenhum: os atributos da tabela não informam órgão' : agencies.join(', ');
    throw malformed(
      unknown.map((name) =>
        fieldProblem(
          'orgaosDemandantes',
          `recebido ${formatValue(name)}; aceita ${domain}.`,
          'orgaosDemandantes',
          nearest(name.toUpperCase(), agencies),
        ),
      ),
    );
  }

  function requireTable(day?: Day): StoredTable {
    const activation = day === undefined ? undefined : inForce.inForceOn(day);
    const table = activation === undefined ? current() : firstWholeTable(activation);
    if (table === undefined)
      throw notFound(
        'Nenhuma tabela de atributos está em vigor; um administrador deve carregar e ativar uma.',
      );
    return table;
  }

  /** Returns the table of that activation, or of the first later one that is still whole. */
  function firstWholeTable(activation: Activation): StoredTable | undefined {
    const all = inForce.list();
    const later = all.slice(0, all.findIndex(({ id }) => id === activation.id) + 1).reverse();
    return later.flatMap(({ tableId }) => store.find(tableId) ?? []).find(({ isWhole }) => isWhole);
  }

  function* deflatedParts(id: number): Generator<Uint8Array> {
    for (let part = 0; ; part += 1) {
      const bytes = store.findPart(id, part);
      if (bytes === undefined) return;
      yield bytes;
    }
  }

  return { current, download, file, attributesFile, lookUp, ofNcm, nearestNcm };
}
