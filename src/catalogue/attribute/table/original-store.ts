/** Reads a whole table as in its file, record by record. */
import { Store } from '../../../db/prepared.ts';
import { parseOwnJson } from '../../../validation/json.ts';
import type { AttributeDetail, Pair } from '../words/model.ts';
import { PARSED_PART, originalText, toDetail, toNcm } from './record.ts';

export interface OriginalPairs {
  readonly ncm: string;
  readonly listaAtributos: readonly Pair[];
  /** Items of `listaAtributos` as in the file, one for each. */
  readonly original: () => readonly unknown[];
}

export interface OriginalDetail {
  readonly detail: AttributeDetail;
  /** Description as in the file. */
  readonly original: () => unknown;
}

export class OriginalTableStore extends Store {
  readonly #allPairs = this.iterates<[number], { ncm: string; pairs: string }>(
    'SELECT ncm, pairs FROM attribute_table_ncm WHERE table_id = ? ORDER BY ncm',
  );
  readonly #allDetails = this.db
    .prepare<[number], string>('SELECT detail FROM attribute_table_detail WHERE table_id = ? ORDER BY rowid')
    .pluck();
  /** Returns the acronyms of the agencies that the table's attributes name, in order. */
  readonly agencies = this.values<[tableId: number], string>(
    `SELECT DISTINCT value FROM attribute_table_detail, json_each(${PARSED_PART('detail')}, '$.orgaos')
       WHERE table_id = ? ORDER BY value`,
  );

  /** Yields the NCMs in the order of their codes. */
  *iteratePairs(tableId: number): Generator<OriginalPairs> {
    for (const { ncm, pairs } of this.#allPairs(tableId)) {
      const { listaAtributos } = toNcm(ncm, pairs);
      yield { ncm, listaAtributos, original: () => parseOwnJson(originalText(pairs)) as unknown[] };
    }
  }

  /** Yields the attributes in the order of the file. */
  *iterateDetails(tableId: number): Generator<OriginalDetail> {
    for (const detail of this.#allDetails.iterate(tableId))
      yield { detail: toDetail(detail), original: () => parseOwnJson(originalText(detail)) };
  }
}
