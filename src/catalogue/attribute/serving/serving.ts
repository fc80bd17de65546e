/** The table in force as others read it: the whole file, or one NCM (contract section 8). */
import type { Clock, Day } from '../../../clock.ts';
import { notFound } from '../../../errors.ts';
import { shown } from '../../../validation/shown.ts';
import { zipAround } from '../../../files/deflated-zip.ts';
import { streamOf } from '../../../reading/stream.ts';
import { dayOf } from '../../../validation/calendar.ts';
import { nearest } from '../../../validation/text.ts';
import type { Activation } from '../activation/activation-store.ts';
import type { AttributeTables } from '../activation/in-force.ts';
import { type Modalidade, type Pair, isInForce } from '../words/model.ts';
import { MODALITY_BITS } from '../check/prepare.ts';
import type { AttributeTableStore, StoredTable } from '../table/store.ts';

export interface ServingParts {
  readonly store: AttributeTableStore;
  readonly inForce: AttributeTables;
  readonly clock: Clock;
}

export interface ServedFile {
  readonly name: string;
  readonly content: ReadableStream<Uint8Array>;
}

export interface NcmFilter {
  readonly modalidade?: Modalidade;
  readonly data?: Day;
}

export interface ServedNcm {
  readonly versao: string;
  /** Dotted, as in the public file. */
  readonly codigoNcm: string;
  /** As the file has them, nothing added and nothing left out. */
  readonly listaAtributos: readonly unknown[];
  readonly detalhesAtributos: readonly unknown[];
}

export class TableServing {
  readonly #parts: ServingParts;

  constructor(parts: ServingParts) {
    this.#parts = parts;
  }

  /** The table in force; `undefined` where there is none. */
  current(): StoredTable | undefined {
    const activation = this.#parts.inForce.inForceToday();
    return activation && this.#parts.store.find(activation.tableId);
  }

  /** The file of the table in force as it was loaded, in a zip with today's names; it is kept deflated. Throws 404 where there is none. */
  download(): ServedFile {
    const { id, jsonBytes: bytes, jsonCrc32: crc32, deflatedBytes } = this.#required();
    const madeAt = this.#parts.clock.now();
    const day = dayOf(madeAt).replaceAll('-', '_');
    const name = `ATRIBUTOS_POR_NCM_${day}.json`;
    const zip = zipAround({ name, bytes, crc32, deflatedBytes, madeAt }, this.#deflated(id));
    return { name: `ATRIBUTOS_${day}.zip`, content: streamOf(zip) };
  }

  /**
   * Pairs of an NCM, of a modality and in force on a day where one is asked for, and what they name. The table is that of
   * the day, or the next one that is still whole; of a day before the first table, the one in force today. Throws 404.
   */
  ofNcm(ncm: string, { modalidade, data }: NcmFilter): ServedNcm {
    const { store, inForce } = this.#parts;
    const { id, versao } = this.#required(data);
    const pairs = store.findPairs(id, ncm);
    if (pairs === undefined)
      throw notFound(
        `A NCM ${shown(ncm)} não está na tabela de atributos em vigor, versão ${shown(versao)}.${inForce.noteOf(id)}`,
      );
    const wanted = MODALITY_BITS[modalidade ?? 'AMBOS'];
    const isAskedFor = (pair: Pair): boolean =>
      (MODALITY_BITS[pair.modalidade] & wanted) !== 0 && (data === undefined || isInForce(pair, data));
    const written = store.getPairsAsWritten(id, ncm);
    const codes = new Set(pairs.listaAtributos.filter(isAskedFor).map(({ codigo }) => codigo));
    return {
      versao,
      codigoNcm: dotted(ncm),
      listaAtributos: written.filter((_, index) => isAskedFor(pairs.listaAtributos[index] as Pair)),
      detalhesAtributos: [...codes].map((codigo) => store.getDetailAsWritten(id, codigo)),
    };
  }

  /** The code of the table in force that is nearest to one that is not in it, where any is near. */
  nearestNcm(ncm: string): string | undefined {
    const table = this.current();
    return table && nearest(ncm, [...this.#parts.store.fingerprints(table.id).keys()]);
  }

  #required(day?: Day): StoredTable {
    const { inForce } = this.#parts;
    const since = day === undefined ? undefined : inForce.inForceOn(day);
    const table = since === undefined ? this.current() : this.#wholeFrom(since);
    if (table === undefined)
      throw notFound(
        'Nenhuma tabela de atributos está em vigor; um administrador deve carregar e ativar uma.',
      );
    return table;
  }

  /** The table of that activation, or of the first one after it that is still whole. */
  #wholeFrom(since: Activation): StoredTable | undefined {
    const { inForce, store } = this.#parts;
    const all = inForce.list();
    const later = all.slice(0, all.findIndex(({ id }) => id === since.id) + 1).reverse();
    return later.flatMap(({ tableId }) => store.find(tableId) ?? []).find(({ isWhole }) => isWhole);
  }

  *#deflated(id: number): Generator<Uint8Array> {
    for (let part = 0; ; part += 1) {
      const bytes = this.#parts.store.findPart(id, part);
      if (bytes === undefined) return;
      yield bytes;
    }
  }
}

const dotted = (ncm: string): string => `${ncm.slice(0, 4)}.${ncm.slice(4, 6)}.${ncm.slice(6)}`;
