/**
 * The items of a file, applied a slice at a time: as many as fit in a few milliseconds, so that requests get their turn
 * between slices. An item that is refused leaves the others alone (contract section 7).
 */
import type { Change } from '../../change.ts';
import type { Unit } from '../../db/writer.ts';
import { type ItemProblem, malformed, messageAlone } from '../../errors.ts';
import type { FileItem } from '../../files/json-members.ts';
import type { Caller } from '../../session/model.ts';
import type { Notice } from '../../validation/decoding.ts';
import { scalarText } from '../../validation/json-number.ts';
import { memberIn } from '../../validation/json-value.ts';
import { counted } from '../../validation/text.ts';
import { type AppliedItem, type ItemApplier, problemsOf, seqIn } from '../batch.ts';
import type { Did } from '../record.ts';
import { ERRORS_KEPT, type ImportKind, type ImportMode, type ItemResult, type KeptResult } from './model.ts';

/** A slice takes no further item after this long. */
export const SLICE_MS = 8;

/** Characters of the problems that are kept of one item: members of a hostile one have names of any length. */
export const ERROR_CHARACTERS_KEPT = 8 * 1024;

/** A name is shown to find the item by: longer ones are cut. */
export const NAME_MAX_CHARACTERS = 150;

/** The member by which people know an item of a kind (contract section 7). */
export const NAME_OF: Readonly<Record<ImportKind, string>> = {
  produto: 'denominacao',
  'operador-estrangeiro': 'nome',
  fabricante: 'codigoProduto',
  'ato-concessorio': 'codigoProduto',
};

export interface SliceOrder {
  readonly kind: ImportKind;
  /** What the file is called; an item of a zip names its member. */
  readonly fileName: string;
  readonly applier: ItemApplier;
  readonly caller: Caller;
  readonly mode: ImportMode;
  /**
   * Judges each item by the real rules against what is stored, and undoes it at once: a dry run of a long file cannot
   * hold one transaction open, so an item does not see what earlier items of the same file would have changed.
   */
  readonly dryRun: boolean;
  /** The items are rows of a sheet, which counts them. */
  readonly rows?: boolean;
  /** What each item does is told, so that it can be taken back. */
  readonly keepsDid?: boolean;
  /** By which the changes come, as the audit has it; that of files, where nothing is said. */
  readonly channel?: Change['channel'];
}

export type SliceItem = Pick<FileItem, 'index' | 'value' | 'repeated' | 'file' | 'line'>;

export interface SliceParts {
  /** A monotonic reading in ms. */
  readonly stopwatch: () => number;
}

/** Applies items from the first on until the slice's time is over; at least one. Returns a result for each that was. */
export function applySlice(
  { stopwatch }: SliceParts,
  unit: Unit,
  items: readonly SliceItem[],
  order: SliceOrder,
): KeptResult[] {
  const started = stopwatch();
  const results: KeptResult[] = [];
  for (const item of items) {
    const changes: Change[] = [];
    const record = (change: Change): void => {
      changes.push(change);
      unit.record({ ...change, channel: order.channel ?? 'import' });
    };
    const result = applyOne({ ...unit, record }, item, order);
    results.push(
      order.keepsDid !== true || result.outcome === 'failed' ? result : { ...result, did: didBy(changes) },
    );
    if (stopwatch() - started >= SLICE_MS) break;
  }
  return results;
}

const didBy = (changes: readonly Change[]): readonly Did[] =>
  changes.flatMap(({ kind, key, found }) => (found === undefined ? [] : [{ kind, key, ...found() }]));

function applyOne(
  tx: Unit,
  { index, value, repeated, file, line }: SliceItem,
  order: SliceOrder,
): ItemResult {
  const { applier, caller, mode, dryRun, kind, fileName } = order;
  const seq = seqIn(value) ?? null;
  const at = order.rows === true ? (value as { readonly row: number }).row : line;
  const place = {
    name: nameIn(value, NAME_OF[kind]),
    codigosInterno: codesIn(value),
    file: file ?? fileName,
    line: at,
  };
  const notices: Notice[] = [];
  const note = (notice: Notice): unknown => notices.length < ERRORS_KEPT && notices.push(notice);
  try {
    if (repeated !== undefined) throw malformed(repeated);
    const applied = tx.part(() => applier.apply(tx, caller, value, mode, { origin: 'file', note }), !dryRun);
    return {
      index,
      seq,
      ...numbersOf(applied, value, dryRun),
      outcome: applied.outcome,
      errors: [],
      ...place,
      problems: [],
      notices: keptOf(notices),
      changes: applied.changes ?? [],
    };
  } catch (error) {
    const all = problemsOf(error);
    const problems = keptOf(all);
    const errors = messagesOf(problems, all.length - problems.length);
    const numbers = { codigo: codigoIn(value), versao: textIn(value, 'versao') };
    const told = { problems, notices: keptOf(notices), changes: [] };
    return { index, seq, ...numbers, outcome: 'failed', errors, ...place, ...told };
  }
}

/** A dry run gives no codes: only the one that came with the item is told. */
function numbersOf(
  { codigo, versao }: AppliedItem,
  item: unknown,
  dryRun: boolean,
): Pick<ItemResult, 'codigo' | 'versao'> {
  return { codigo: dryRun && codigoIn(item) === null ? null : codigo, versao };
}

/** The record that an item names, as it was received: it helps to find a refused item. */
const codigoIn = (item: unknown): string | null => textIn(item, 'codigo') ?? textIn(item, 'codigoProduto');

const SHOWN_MAX_CHARACTERS = 35;

function textIn(item: unknown, member: string, most = SHOWN_MAX_CHARACTERS): string | null {
  const text = rawTextIn(item, member);
  const isShowable = text !== '' && text.length <= most && text.isWellFormed();
  return isShowable && !text.includes('\0') ? text : null;
}

/** As it was received, made storable and cut. */
function nameIn(item: unknown, member: string): string | null {
  const text = rawTextIn(item, member);
  if (text === '') return null;
  const cut = text.length > NAME_MAX_CHARACTERS ? `${text.slice(0, NAME_MAX_CHARACTERS)}…` : text;
  return cut.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** So many of them, and so long, find any record. */
const CODES_KEPT = 20;
const CODE_CHARACTERS = 60;

function codesIn(item: unknown): readonly string[] {
  const listed = memberIn(item, 'codigosInterno');
  const codes: readonly unknown[] = Array.isArray(listed) ? listed : [memberIn(item, 'codigoInterno')];
  return codes.slice(0, CODES_KEPT).flatMap((code) => textIn({ code }, 'code', CODE_CHARACTERS) ?? []);
}

/** The text, number or boolean that an item has there; else an empty text. */
function rawTextIn(item: unknown, member: string): string {
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, member)) return '';
  const value = (item as Readonly<Record<string, unknown>>)[member];
  const text = scalarText(value) ?? value;
  return typeof text === 'string' ? text : '';
}

function keptOf<T extends Notice>(all: readonly T[]): readonly T[] {
  let left = ERROR_CHARACTERS_KEPT;
  const end = all.findIndex(({ path, message }) => (left -= path.length + message.length) < 0);
  return all.slice(0, Math.min(ERRORS_KEPT, end === -1 ? all.length : end));
}

/** Of the problems that are not kept it is told how many they are. */
function messagesOf(kept: readonly ItemProblem[], left: number): readonly string[] {
  const messages = kept.map(messageAlone);
  return left === 0 ? messages : [...messages, `… e mais ${counted(left, 'problema')}.`];
}
