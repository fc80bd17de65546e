/**
 * Reads a row of a sheet as a foreign operator or a concession act: the members in the row, and the stored
 * others.
 */
import { malformed, unprocessable } from '../../errors.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { AppliedItem, ItemApplier } from '../batch.ts';
import { cellOf } from '../members/cell-text.ts';
import { type MemberText, differencesOf } from '../record.ts';
import type { VersionNumber } from '../version.ts';
import { subdivisionsByName } from './country-names.ts';
import type { MemberColumn } from './member-column.ts';
import type { SheetInstructions } from './instructions.ts';
import { asCode, partsOf } from '../../sheet/values.ts';
import { differOnlyByZeros, lostZeros, lostZerosNotice, zerosNotice } from './code-zeros.ts';
import { catalogueCodeOf } from './known-codes.ts';
import { type SheetRowInput, rowApplier } from './row-applier.ts';
import { identifiedRecord, refusalOf, refuseNewDeactivated, refuseRepeat, refuseRow } from './row-checks.ts';
import type { SheetReading } from './row.ts';
import type { SheetItem } from './rows.ts';
import { situacaoChanges, staleMembers } from './stale.ts';

export type RecordItem = Readonly<Record<string, unknown>>;

/** A record in the form of an item that would create it. */
export interface StoredRecord extends RecordItem {
  readonly codigo: string;
  readonly codigoPais: string;
  readonly situacao: string;
  readonly versao: string;
}

export interface RecordRowsParts {
  readonly columns: readonly MemberColumn[];
  readonly items: ItemApplier;
  /** Finds the records with the key of a row. Absent: rows create new records. */
  readonly find?: (
    cpfCnpjRaiz: string,
    key: 'codigo' | 'codigoInterno',
    text: string,
  ) => readonly StoredRecord[];
  /** Returns a record as it was in a version. Throws 404. */
  readonly findAt?: (cpfCnpjRaiz: string, record: StoredRecord, number: VersionNumber) => StoredRecord;
}

export function recordRows(parts: RecordRowsParts, instructions: SheetInstructions): ItemApplier {
  const { columns, items, find, findAt } = parts;
  const { cpfCnpjRaiz, key, reactivate, conflict } = instructions;

  return rowApplier(instructions, {
    columns,
    isStored,
    apply(row) {
      const { item, reading, members } = row;
      refuseRepeat(item, reading, key);
      if (reading.problems.length > 0) throw malformed(reading.problems);
      const record = findRecord(members, reading, item);
      restoreZeros(members, record, reading);
      const rowValues = rowValuesOf(members, reading, record?.codigoPais);
      if (reading.problems.length > 0) throw unprocessable(reading.problems);
      if (record !== undefined) return change(row, record, rowValues);
      refuseNewDeactivated(reading, rowValues['situacao'], key);
      if (reading.problems.length > 0) throw unprocessable(reading.problems);
      const { versao: _versao, codigo: _codigo, ...rowMembers } = rowValues;
      const newRecord: RecordItem = { seq: reading.row, ...rowMembers, cpfCnpjRaiz };
      const { changes: _none, ...applied } = row.applyItem(items, newRecord);
      return { ...applied, changes: differencesOf(new Map(), textsOf(newRecord)) };
    },
  });

  function change(
    { reading, applyItem }: SheetRowInput,
    record: StoredRecord,
    rowValues: RecordItem,
  ): AppliedItem {
    const { situacao: receivedSituacao, versao: sheetVersion, ...others } = rowValues;
    const { codigo, versao, situacao: storedSituacao } = record;
    const content = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
    const emptied = Object.entries(others)
      .filter(([, value]) => value === null)
      .map(([name]) => name);
    const changed = { ...without(record, emptied), ...content };
    const allChanges = differencesOf(textsOf(record), textsOf(changed));
    const stale = staleMembers(conflict, reading, sheetVersion, {
      versao,
      changes: () => [
        ...allChanges,
        ...situacaoChanges(storedSituacao, receivedSituacao as string | null | undefined), // from a cell
      ],
      membersAt: (number) => membersOf(findAt?.(cpfCnpjRaiz, record, number) ?? record),
    });
    const newRow = { ...changed, ...Object.fromEntries([...stale].map((name) => [name, record[name]])) };
    const changes = allChanges.filter(({ member }) => !stale.has(member));
    const requestedSituacao = stale.has('situacao') ? undefined : receivedSituacao;
    const isToBeActive =
      storedSituacao === 'ATIVADO'
        ? requestedSituacao !== 'DESATIVADO'
        : requestedSituacao === 'ATIVADO' || (reactivate && requestedSituacao === undefined);
    const situacao = isToBeActive ? 'ATIVADO' : 'DESATIVADO';
    if (changes.length > 0 && !isToBeActive)
      refuseRow(
        reading,
        'changesBesideDeactivation',
        `o registro ${codigo} fica desativado, e a linha muda também ${changes.map(({ heading }) => heading).join(', ')}; faça uma coisa de cada vez.`,
        'situacao',
      );
    if (reading.problems.length > 0) throw unprocessable(reading.problems);
    changes.push(...situacaoChanges(storedSituacao, situacao));
    if (changes.length === 0) return { codigo, versao, outcome: 'unchanged', changes };
    const { versao: _was, ...newContent } = newRow as RecordItem & { versao?: unknown };
    const { changes: _none, ...applied } = applyItem(items, { ...newContent, seq: reading.row, situacao });
    return { ...applied, changes };
  }

  function isStored(reading: SheetReading, target: string, text: string): boolean {
    if (key === 'nenhuma') return false;
    const records = find?.(cpfCnpjRaiz, key, reading.cellText(key)) ?? [];
    return records.some((storedRecord) => textOf(storedRecord[target]) === text);
  }

  function findRecord(
    members: Map<string, string | null>,
    reading: SheetReading,
    { zeroTwins }: SheetItem,
  ): StoredRecord | undefined {
    const received = key === 'nenhuma' ? undefined : members.get(key);
    if (key === 'nenhuma' || find === undefined || received === undefined || received === null)
      return undefined;
    const isKnown = (code: string): boolean => find(cpfCnpjRaiz, key, code).length > 0;
    const row = { reading, earlierRows: zeroTwins, target: key };
    const text =
      key === 'codigo'
        ? received
        : catalogueCodeOf(row, received, {
            listUsed: (codes) => codes.filter(isKnown),
            mayHaveZeros: () => true,
          });
    if (reading.problems.length > 0) throw unprocessable(reading.problems);
    const record = identifiedRecord(find(cpfCnpjRaiz, key, text), 'operadores', reading, key);
    if (record === undefined && key === 'codigo')
      throw refusalOf(
        reading,
        'unknownKey',
        `recebido ${formatValue(text)}; não há registro com este código no catálogo. Para incluir, deixe a célula vazia.`,
        'codigo',
      );
    return record;
  }

  /** Keeps a code of the record if that of the row differs only by leading zeros, and any text that lost some. */
  function restoreZeros(
    members: Map<string, string | null>,
    record: StoredRecord | undefined,
    reading: SheetReading,
  ): void {
    for (const { target, read } of columns) {
      const [rowCode, recordCode] = [members.get(target), record?.[target]];
      if (typeof rowCode !== 'string' || typeof recordCode !== 'string') continue;
      const isCode = read === asCode;
      if (!(isCode ? differOnlyByZeros : lostZeros)(rowCode, recordCode)) continue;
      members.set(target, recordCode);
      reading.notice(target, (isCode ? zerosNotice : lostZerosNotice)(rowCode, recordCode));
    }
  }

  function rowValuesOf(
    members: ReadonlyMap<string, string | null>,
    reading: SheetReading,
    storedPais: string | undefined,
  ): RecordItem {
    const codigoPais = members.get('codigoPais') ?? storedPais ?? '';
    const valueIn = (member: string, text: string): unknown => {
      return member === SUBDIVISION ? subdivisionIn(text, codigoPais, reading) : valueOf(member, text);
    };
    return Object.fromEntries(
      [...members].map(([member, text]) => [member, text === null ? null : valueIn(member, text)]),
    );
  }

  function subdivisionIn(text: string, codigoPais: string, reading: SheetReading): string {
    const subdivisions = subdivisionsByName(text, codigoPais);
    if (subdivisions.length > 1)
      reading.refuse(
        `recebido ${formatValue(text)}, que pode ser ${subdivisions.map(({ codigo, nome }) => `${codigo} (${nome})`).join(', ')}; escreva o código.`,
        reading.cells.find(({ target }) => target === SUBDIVISION) ?? { target: SUBDIVISION },
      );
    return subdivisions[0]?.codigo ?? text;
  }

  function valueOf(member: string, text: string): unknown {
    if (member === 'identificacoesAdicionais')
      return partsOf(text)
        .filter((part) => part !== '')
        .map(identificationOf);
    return text;
  }

  /** Returns the members of the record and its situation. */
  function membersOf(record: StoredRecord): ReadonlyMap<string, MemberText> {
    return new Map([...textsOf(record), ['situacao', { heading: 'Situação', text: record.situacao }]]);
  }

  function textsOf(item: RecordItem): ReadonlyMap<string, MemberText> {
    const contentColumns = columns.filter(({ target }) => !NOT_CONTENT.has(target));
    return new Map(
      contentColumns.map(({ target, heading }) => [target, { heading, text: textOf(item[target]) }]),
    );
  }
}

const SUBDIVISION = 'codigoSubdivisaoPais';

/** Members that identify the record, or that say what to do with it. */
const NOT_CONTENT = new Set(['cpfCnpjRaiz', 'codigo', 'versao', 'situacao', 'dataReferencia']);

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return cellOf(
    (value as { numero: string; codigo: string }[]).map(({ numero, codigo }) => `${numero}:${codigo}`),
  );
}

const without = (item: RecordItem, names: readonly string[]): RecordItem =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** Reads `123456:16`. */
function identificationOf(text: string): { readonly numero: string; readonly codigo: string } {
  const mark = text.lastIndexOf(':');
  if (mark === -1) return { numero: text, codigo: '' };
  return { numero: text.slice(0, mark).trim(), codigo: text.slice(mark + 1).trim() };
}
