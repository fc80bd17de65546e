/**
 * Finds NCMs of a table by their first digits, by their words, or by the name of one of their attributes
 * (contract section 17).
 */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { folded } from '../../../validation/text.ts';
import type { Page, PageRequest } from '../../paging/model.ts';
import { pageText } from '../../paging/text.ts';
import { type NcmPairs, PRODUCT_OBJECTIVE, isInForce } from '../words/model.ts';
import { AttributeTableStore } from '../table/store.ts';

/** Message to the reading Worker. */
export interface NcmsRead {
  readonly kind: 'ncms';
  readonly tableId: number;
  readonly day: Day;
  readonly search: string;
  /** Matches in the nomenclature. */
  readonly nomenclatureMatches: readonly string[];
  readonly page: PageRequest;
}

export interface NcmMatch {
  readonly ncm: string;
  /** Distinct product attributes of the NCM on the day, and how many of them are required. */
  readonly attributes: number;
  readonly required: number;
  /** Attributes whose name contains the text. */
  readonly matched: readonly { readonly codigo: string; readonly nomeApresentacao: string }[];
}

/** Number of NCMs searched before other reads may run. */
const SEARCHED_PER_TURN = 500;

export function* ncmTexts(db: Db, request: NcmsRead): Generator<string> {
  const tables = new AttributeTableStore(db);
  const names = new Map<string, string>();
  let count = 0;
  for (const { codigo, nome, nomeApresentacao, objetivos } of tables.iterateDetails(request.tableId)) {
    if (objetivos.some((objective) => objective.codigo === PRODUCT_OBJECTIVE))
      names.set(codigo, nomeApresentacao === '' ? nome : nomeApresentacao);
    count += 1;
    if (count % SEARCHED_PER_TURN === 0) yield '';
  }
  const results: NcmMatch[] = [];
  const matchesSearch = searchCondition(request);
  for (const pairs of tables.iteratePairs(request.tableId)) {
    const ncm = matchOf(pairs, names, request);
    if (matchesSearch(ncm)) results.push(ncm);
    count += 1;
    if (count % SEARCHED_PER_TURN === 0) yield '';
  }
  yield pageText(request.page, pageOfMatches(results, request.page), (ncm) => JSON.stringify(ncm));
}

const isCode = (search: string): boolean => /^\d[\d.]*$/.test(search);

function searchCondition({ search, nomenclatureMatches }: NcmsRead): (ncm: NcmMatch) => boolean {
  if (search === '') return () => true;
  const digits = search.replaceAll('.', '');
  const matchingNcms = new Set(nomenclatureMatches);
  return isCode(search)
    ? ({ ncm }) => ncm.startsWith(digits)
    : ({ ncm, matched }) => matched.length > 0 || matchingNcms.has(ncm);
}

function matchOf(
  { codigoNcm, listaAtributos }: NcmPairs,
  names: ReadonlyMap<string, string>,
  { day, search }: NcmsRead,
): NcmMatch {
  const pairs = listaAtributos.filter((pair) => names.has(pair.codigo) && isInForce(pair, day));
  const codes = new Set(pairs.map(({ codigo }) => codigo));
  const required = new Set(pairs.filter(({ obrigatorio }) => obrigatorio).map(({ codigo }) => codigo));
  const text = folded(search);
  const matched = [...codes]
    .map((codigo) => ({ codigo, nomeApresentacao: names.get(codigo) ?? '' }))
    .filter(
      ({ nomeApresentacao }) => text !== '' && !isCode(search) && folded(nomeApresentacao).includes(text),
    );
  return { ncm: codigoNcm, attributes: codes.size, required: required.size, matched };
}

function pageOfMatches(ncms: readonly NcmMatch[], { after, limit }: PageRequest): Page<NcmMatch> {
  const [last = ''] = after ?? [];
  const rest = ncms.filter(({ ncm }) => ncm > String(last));
  const rows = rest.slice(0, limit);
  const end = rows.at(-1);
  return {
    rows,
    next: end !== undefined && rest.length > rows.length ? [end.ncm] : undefined,
    total: ncms.length,
    totalIsExact: true,
  };
}
