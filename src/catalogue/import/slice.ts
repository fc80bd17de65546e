/**
 * Applies the items of a file a slice at a time. A slice takes a few milliseconds, so that requests can run
 * between slices. A refused item does not affect the others (contract section 7).
 */
import type { Change } from '../../change.ts';
import type { Unit } from '../../db/writer.ts';
import { type ItemProblem, malformed, messageAlone } from '../../errors.ts';
import type { FileItem } from '../../files/json-members.ts';
import type { Caller } from '../../session/model.ts';
import type { Notice } from '../../validation/decoding.ts';
import { scalarText } from '../../validation/json-number.ts';
import { memberIn } from '../../validation/json-value.ts';
import { withCount } from '../../validation/text.ts';
import { type AppliedItem, type ItemApplier, problemsOf, seqIn } from '../batch.ts';
import type { AppliedChange } from '../record.ts';
import {
  ERRORS_KEPT,
  type ImportKind,
  type ImportMode,
  type ItemResult,
  type KeptResult,
  type SheetMembers,
} from './model.ts';

/** Time in ms after which a slice takes no further item. */
export const SLICE_MS = 8;

/**
 * Maximum characters of the problems that are stored for one item. Members of a hostile item have names of
 * any length.
 */
export const ERROR_CHARACTERS_KEPT = 8 * 1024;

/** Maximum length of a name. Names help to find the item, so longer ones are cut. */
export const NAME_MAX_CHARACTERS = 150;

/** The member that people know an item of a kind by (contract section 7). */
export const NAME_OF: Readonly<Record<ImportKind, string>> = {
  produto: 'denominacao',
  'operador-estrangeiro': 'nome',
  fabricante: 'codigoProduto',
  'ato-concessorio': 'codigoProduto',
};

export interface SliceOptions {
  readonly kind: ImportKind;
  /** The name of the file. An item of a zip names its member. */
  readonly fileName: string;
  readonly applier: ItemApplier;
  readonly caller: Caller;
  readonly mode: ImportMode;
  /**
   * True for a dry run: each item is judged by the real rules against the stored data, and rolled back at
   * once. A dry run of a long file cannot hold one transaction open, so an item does not see the changes of
   * earlier items of the same file.
   */
  readonly dryRun: boolean;
  /** True if the items are rows of a sheet. Then the sheet numbers them. */
  readonly rows?: boolean;
  /** The members of a zip whose items are rows of a sheet. */
  readonly sheetMembers?: SheetMembers | undefined;
  /** True if the results hold the changes that each item applied, for an undo. */
  readonly keepsAppliedChanges?: boolean;
  /** Refuses an item whose changes differ from those that its proposal showed. Absent: it is no proposal. */
  readonly confirm?: Confirm | undefined;
  /** The channel of the changes in the audit. Absent: that of files. */
  readonly channel?: Change['channel'];
}

/** Throws 422 if the changes of an item, by its index, differ from those of the approved dry run. */
export type Confirm = (index: number, applied: AppliedItem, appliedChanges: readonly AppliedChange[]) => void;

export type SliceItem = Pick<FileItem, 'index' | 'value' | 'repeated' | 'file' | 'line' | 'member'>;

/**
 * Applies items in order until the time of the slice is over, at least one. Returns a result for each applied
 * item. `stopwatch` returns a monotonic time in ms.
 */
export function applySlice(
  stopwatch: () => number,
  unit: Unit,
  items: readonly SliceItem[],
  options: SliceOptions,
): KeptResult[] {
  const started = stopwatch();
  const results: KeptResult[] = [];
  for (const item of items) {
    const changes: Change[] = [];
    const record = (change: Change): void => {
      changes.push(change);
      unit.record({ ...change, channel: options.channel ?? 'import' });
    };
    const confirm = (applied: AppliedItem): void =>
      options.confirm?.(item.index, applied, appliedChangesIn(changes));
    const result = applyOne({ ...unit, record }, item, options, confirm);
    results.push(
      options.keepsAppliedChanges !== true || result.outcome === 'failed'
        ? result
        : { ...result, appliedChanges: appliedChangesIn(changes) },
    );
    if (stopwatch() - started >= SLICE_MS) break;
  }
  return results;
}

const appliedChangesIn = (changes: readonly Change[]): readonly AppliedChange[] =>
  changes.flatMap(({ kind, key, states }) => (states === undefined ? [] : [{ kind, key, ...states() }]));

function applyOne(
  tx: Unit,
  { index, value, repeated, file, line, member }: SliceItem,
  options: SliceOptions,
  confirm: (applied: AppliedItem) => void,
): ItemResult {
  const { applier, caller, mode, dryRun, kind, fileName, sheetMembers } = options;
  const seq = seqIn(value) ?? null;
  const isRow = options.rows === true || sheetMembers?.names.has(member) === true;
  const position = isRow ? (value as { readonly row: number }).row : line;
  const place = {
    name: nameIn(value, NAME_OF[kind]),
    codigosInterno: codesIn(value),
    file: sheetMembers?.names.get(member) ?? file ?? fileName,
    line: position,
  };
  const notices: Notice[] = [];
  const note = (notice: Notice): unknown => notices.length < ERRORS_KEPT && notices.push(notice);
  try {
    if (repeated !== undefined) throw malformed(repeated);
    const applied = tx.part(() => {
      const result = applier.apply(tx, caller, value, mode, { origin: 'file', note, member });
      confirm(result);
      return result;
    }, !dryRun);
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
    const all = withFurtherProblems(tx, { value, member }, options, problemsOf(error));
    const problems = keptOf(all);
    const errors = messagesOf(problems, all.length - problems.length);
    const numbers = { codigo: codigoIn(value), versao: textIn(value, 'versao') };
    const details = { problems, notices: keptOf(notices), changes: [] };
    return { index, seq, ...numbers, outcome: 'failed', errors, ...place, ...details };
  }
}

/** Rounds that check the rest of an item: each round of rules sees only what the one before let pass. */
const REST_ROUNDS = 6;

/** Adds the problems of the rest of a refused item. Checks it like a dry run: nothing of it is stored. */
function withFurtherProblems(
  tx: Unit,
  { value, member }: Pick<SliceItem, 'value' | 'member'>,
  { applier, caller, mode }: SliceOptions,
  first: readonly ItemProblem[],
): readonly ItemProblem[] {
  const all = [...first];
  const unit: Unit = { ...tx, record: () => undefined };
  for (let round = 0; round < REST_ROUNDS; round += 1) {
    const furtherProblems = applier.furtherProblems?.(value, all, member);
    if (furtherProblems === undefined) return all;
    const further = refusalsOf(() =>
      unit.part(
        () =>
          applier.apply(unit, caller, furtherProblems.item, mode, {
            origin: 'file',
            note: () => undefined,
            member,
          }),
        false,
      ),
    ).filter(
      (itemProblem) => furtherProblems.keeps(itemProblem) && !all.some((other) => isSame(itemProblem, other)),
    );
    if (further.length === 0) return all;
    all.push(...further);
  }
  return all;
}

function refusalsOf(work: () => unknown): readonly ItemProblem[] {
  try {
    work();
    return [];
  } catch (error) {
    return problemsOf(error);
  }
}

const isSame = (itemProblem: ItemProblem, other: ItemProblem): boolean =>
  itemProblem.code === other.code &&
  itemProblem.member === other.member &&
  itemProblem.message === other.message;

/** Returns the code and version of a result. A dry run assigns no code, so only a received one appears. */
function numbersOf(
  { codigo, versao }: AppliedItem,
  item: unknown,
  dryRun: boolean,
): Pick<ItemResult, 'codigo' | 'versao'> {
  return { codigo: dryRun && codigoIn(item) === null ? null : codigo, versao };
}

/** Returns the code of the record that an item names, as received. It helps to find a refused item. */
const codigoIn = (item: unknown): string | null => textIn(item, 'codigo') ?? textIn(item, 'codigoProduto');

const EXCERPT_MAX_CHARACTERS = 35;

function textIn(item: unknown, member: string, most = EXCERPT_MAX_CHARACTERS): string | null {
  const text = rawTextIn(item, member);
  const isShowable = text !== '' && text.length <= most && text.isWellFormed();
  return isShowable && !text.includes('\0') ? text : null;
}

/** Returns the name as received, made storable and cut. */
function nameIn(item: unknown, member: string): string | null {
  const text = rawTextIn(item, member);
  if (text === '') return null;
  const cut = text.length > NAME_MAX_CHARACTERS ? `${text.slice(0, NAME_MAX_CHARACTERS)}…` : text;
  return cut.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Maximum codes, and characters of each, that are stored. These suffice to find any record. */
const CODES_KEPT = 20;
const CODE_CHARACTERS = 60;

function codesIn(item: unknown): readonly string[] {
  const listed = memberIn(item, 'codigosInterno');
  const codes: readonly unknown[] = Array.isArray(listed) ? listed : [memberIn(item, 'codigoInterno')];
  return codes.slice(0, CODES_KEPT).flatMap((code) => textIn({ code }, 'code', CODE_CHARACTERS) ?? []);
}

/** Returns the text, number or boolean of the member as text, else an empty text. */
function rawTextIn(item: unknown, member: string): string {
  if (typeof item !== 'object' || item === null || !Object.hasOwn(item, member)) return '';
  const value = (item as Readonly<Record<string, unknown>>)[member];
  const text = scalarText(value) ?? value;
  return typeof text === 'string' ? text : '';
}

function keptOf<T extends Notice>(all: readonly T[]): readonly T[] {
  let remaining = ERROR_CHARACTERS_KEPT;
  const end = all.findIndex(({ path, message }) => (remaining -= path.length + message.length) < 0);
  return all.slice(0, Math.min(ERRORS_KEPT, end === -1 ? all.length : end));
}

/** Returns the messages, and a line with the number of problems that are not stored. */
function messagesOf(problems: readonly ItemProblem[], omittedCount: number): readonly string[] {
  const messages = problems.map(messageAlone);
  return omittedCount === 0 ? messages : [...messages, `… e mais ${withCount(omittedCount, 'problema')}.`];
}
