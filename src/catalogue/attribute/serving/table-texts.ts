/**
 * Yields a table as a file, whole or filtered, and attributes looked up in it; runs in a Worker (contract
 * section 8).
 */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { XML_HEAD, xmlOf } from '../../../files/xml-out.ts';
import { folded } from '../../../validation/text.ts';
import { AttributeTableStore } from '../table/store.ts';
import { OriginalTableStore } from '../table/original-store.ts';
import { type AttributeDetail, isInForce } from '../words/model.ts';
import {
  type AttributeFilter,
  type PairFilter,
  filtersDetails,
  matchesFilter,
  pairMatches,
} from './filter.ts';
import { dotted } from './dotted.ts';

export type FileForm = 'json' | 'xml';

/** Message to the reading Worker. */
export interface TableFileRead {
  readonly kind: 'tableFile';
  readonly tableId: number;
  readonly form: FileForm;
  readonly filter: PairFilter;
  /** Eight digits each; `undefined`: all NCMs. */
  readonly ncms: readonly string[] | undefined;
}

export interface AttributesFileRead {
  readonly kind: 'attributesFile';
  readonly tableId: number;
  readonly form: FileForm;
  readonly filter: AttributeFilter;
}

export interface AttributeLookUp {
  readonly kind: 'attributeLookUp';
  readonly tableId: number;
  /** Codes, or names compared without case and accents. */
  readonly by: 'codigo' | 'nome';
  readonly requested: readonly string[];
  readonly day: Day | undefined;
}

/** Number of records before other reads may run. */
const RECORDS_PER_TURN = 200;

/** Yields `{versao, listaNcm, detalhesAtributos}`; keeps an NCM without remaining pairs. */
export function* tableFileTexts(db: Db, read: TableFileRead): Generator<string> {
  const { tableId, form, filter } = read;
  const tables = new AttributeTableStore(db);
  const records = new OriginalTableStore(db);
  const matchesCode = yield* codeFilter(records, tableId, filter);
  const includedCodes = new Set<string>();
  const ncmFilter = read.ncms && new Set(read.ncms);
  const ncms = (function* () {
    for (const { ncm, listaAtributos, original } of records.iteratePairs(tableId)) {
      if (ncmFilter?.has(ncm) === false) continue;
      const isIncluded = listaAtributos.map((pair) => pairMatches(pair, filter) && matchesCode(pair.codigo));
      for (const [index, { codigo }] of listaAtributos.entries())
        if (isIncluded[index] === true) includedCodes.add(codigo);
      yield { codigoNcm: dotted(ncm), listaAtributos: original().filter((_, index) => isIncluded[index]) };
    }
  })();
  const isUnfiltered = ncmFilter === undefined && Object.values(filter).every((value) => value === undefined);
  const details = (function* () {
    for (const { detail, original } of records.iterateDetails(tableId))
      if (isUnfiltered || includedCodes.has(detail.codigo)) yield original();
  })();
  const versao = tables.find(tableId)?.versao ?? '';
  yield* fileTexts(form, versao, [
    ['listaNcm', ncms],
    ['detalhesAtributos', details],
  ]);
}

/** Yields `{versao, detalhesAtributos}`. */
export function* attributesFileTexts(db: Db, read: AttributesFileRead): Generator<string> {
  const { tableId, form, filter } = read;
  const tables = new AttributeTableStore(db);
  const records = new OriginalTableStore(db);
  const details = (function* () {
    for (const { detail, original } of records.iterateDetails(tableId))
      if (matchesFilter(detail, filter) && isOn(detail, filter.data)) yield original();
  })();
  yield* fileTexts(form, tables.find(tableId)?.versao ?? '', [['detalhesAtributos', details]]);
}

/** Yields the list of full attributes, in request order; omits unknown ones. */
export function* attributeLookUpTexts(db: Db, read: AttributeLookUp): Generator<string> {
  const { tableId, by, requested, day } = read;
  const records = new OriginalTableStore(db);
  const keys = new Set(requested);
  const matches = new Map<string, Map<string, unknown>>();
  /** Adds the first occurrence of a code; top-level attributes are visited before nested ones. */
  const addMatch = (detail: AttributeDetail, original: () => unknown): void => {
    const key = by === 'codigo' ? detail.codigo : folded(detail.nome);
    if (!keys.has(key) || !isOn(detail, day)) return;
    const bodies = matches.get(key) ?? new Map<string, unknown>();
    matches.set(key, bodies);
    if (!bodies.has(detail.codigo)) bodies.set(detail.codigo, original());
  };
  let count = 0;
  for (const isNestedPass of [false, true])
    for (const { detail, original } of records.iterateDetails(tableId)) {
      if (isNestedPass) addNestedMatches(detail, original, addMatch);
      else addMatch(detail, original);
      count += 1;
      if (count % RECORDS_PER_TURN === 0) yield '';
    }
  yield JSON.stringify(requested.flatMap((key) => [...(matches.get(key)?.values() ?? [])]));
}

type OriginalMembers = Readonly<Record<string, readonly unknown[] | undefined>>;
type AddMatch = (detail: AttributeDetail, original: () => unknown) => void;

/** The parsed description and its original have the same items at the same indexes. */
function addNestedMatches(detail: AttributeDetail, original: () => unknown, addMatch: AddMatch): void {
  const within = (list: string, index: number) => () => (original() as OriginalMembers)[list]?.[index];
  for (const [index, { atributo }] of detail.condicionados.entries()) {
    const conditional = () => (within('condicionados', index)() as { readonly atributo: unknown }).atributo;
    addMatch(atributo, conditional);
    addNestedMatches(atributo, conditional, addMatch);
  }
  for (const [index, sub] of detail.listaSubatributos.entries()) {
    addMatch(sub, within('listaSubatributos', index));
    addNestedMatches(sub, within('listaSubatributos', index), addMatch);
  }
}

const isOn = (detail: AttributeDetail, day: Day | undefined): boolean =>
  day === undefined || isInForce(detail, day);

/** Yields the codes of the requested attributes. */
function* codeFilter(
  records: OriginalTableStore,
  tableId: number,
  filter: AttributeFilter,
): Generator<string, (codigo: string) => boolean> {
  if (!filtersDetails(filter)) return () => true;
  const codes = new Set<string>();
  for (const { detail } of records.iterateDetails(tableId))
    if (matchesFilter(detail, filter)) codes.add(detail.codigo);
  yield '';
  return (codigo) => codes.has(codigo);
}

type NamedList = readonly [name: string, items: Iterable<unknown>];

function* fileTexts(form: FileForm, versao: string, lists: readonly NamedList[]): Generator<string> {
  yield form === 'json'
    ? `{"versao":${JSON.stringify(versao)}`
    : `${XML_HEAD}<arquivo>${xmlOf('versao', versao)}`;
  for (const [name, items] of lists) {
    if (form === 'json') yield `,"${name}":[`;
    let text = '';
    let count = 0;
    for (const item of items) {
      text += form === 'json' ? (count === 0 ? '' : ',') + JSON.stringify(item) : xmlOf(name, item);
      count += 1;
      if (count % RECORDS_PER_TURN !== 0) continue;
      yield text;
      text = '';
    }
    yield form === 'json' ? `${text}]` : text;
  }
  yield form === 'json' ? '}' : '</arquivo>';
}
