/** Applies batches (contract section 4): one result per item; good items are stored even if others fail. */
import type { TSchema } from '@sinclair/typebox';
import type { Transaction, Writer } from '../db/writer.ts';
import { DomainError, type ItemProblem, malformed, messageAlone } from '../errors.ts';
import { STATUS_OF, codeOf } from '../http/answers.ts';
import { requireRepresentation } from '../session/guard.ts';
import type { Caller } from '../session/model.ts';
import { MALFORMED_CODE, type Note, type Notice } from '../validation/decoding.ts';
import { decode } from '../validation/decode.ts';
import { integerOf } from '../validation/json-number.ts';
import { memberIn, textMemberIn } from '../validation/json-value.ts';
import type { Schema } from '../validation/schema.ts';
import { CATALOGUE_CODES } from './codes.ts';
import type { MemberChange } from './record.ts';
import { nullable, text, integerForm } from '../validation/forms.ts';
import { withCount } from '../validation/text.ts';
import { t } from '../validation/type.ts';

const BATCH_MAX_ITEMS = 100;

/**
 * Maximum entries of all lists of all items of a batch: a batch is one unit of work, which holds the main thread
 * for some µs an entry.
 */
const BATCH_MAX_ENTRIES = 50_000;

/** Body of a batch: items are checked one by one, so its schema checks only the list. */
export const batchBody = (item: TSchema) =>
  t.Array(item, { maxItems: BATCH_MAX_ITEMS, 'x-items-apart': true });

const resultMembers = {
  seq: integerForm('Número do item enviado; onde faltou, sua posição, ou um que nenhum outro item tem.', 1),
  codigo: text('Código decimal sem zeros à esquerda, ou do operador; "0" em caso de erro.', '1'),
  erros: t.Array(t.String(), { description: 'Por que o item foi recusado; vazia em caso de sucesso.' }),
  sucesso: t.Boolean({ description: 'Se o item foi gravado.' }),
};

export const BatchResultWithoutVersion = t.Object(resultMembers, {
  'x-form': 'BatchResultWithoutVersion',
  description: 'O que foi feito de um item de um lote de vínculos ou de atos concessórios.',
  examples: [{ seq: 1, codigo: '1', erros: [], sucesso: true }],
});
export const BatchResult = t.Object(
  {
    ...resultMembers,
    versao: nullable(text('Versão gravada; null em caso de erro.', '1')),
  },
  {
    'x-form': 'BatchResult',
    description: 'O que foi feito de um item de um lote de produtos ou de operadores.',
    examples: [{ seq: 1, codigo: '1', erros: [], sucesso: true, versao: '1' }],
  },
);

export type ItemMode = 'lote' | 'espelho';

export type ItemOutcome = 'created' | 'newVersion' | 'deactivated' | 'unchanged';

/** Result of an applied item. */
export interface AppliedItem {
  readonly codigo: string;
  readonly versao: string | null;
  readonly outcome: ItemOutcome;
  /** Changes by member, if they are reported. */
  readonly changes?: readonly MemberChange[];
}

/**
 * Applies one item of a batch or file in a transaction, or throws a `DomainError` without writing anything.
 */
export interface ItemApplier {
  apply(tx: Transaction, caller: Caller, item: unknown, mode: ItemMode, reading: ItemReading): AppliedItem;
  /**
   * Returns false for an item that can only create a record, without the work of applying it. Absent: any
   * item may concern a record that exists.
   */
  mayMeetRecord?(item: unknown, member?: number): boolean;
  /**
   * Returns the rest of a refused item, to check it without writing it. Absent, or `undefined`: the item is
   * checked as a whole.
   */
  furtherProblems?(
    item: unknown,
    problems: readonly ItemProblem[],
    member?: number,
  ): FurtherProblems | undefined;
}

/** A refused item without the values that have problems. */
export interface FurtherProblems {
  readonly item: unknown;
  /** Returns false for a problem that may exist only because values were left out. */
  readonly keeps: (problem: ItemProblem) => boolean;
}

/** `seq` ends at 999 in a batch; a file may be longer. */
export type ItemOrigin = 'batch' | 'file';

export interface ItemReading {
  readonly origin: ItemOrigin;
  /** Receives unknown members; without it they are errors of the item. */
  readonly note?: Note | undefined;
  /** The number of its JSON text in the file, from 0. */
  readonly member?: number;
}

/** Decodes an item by its schema, for a company that the caller represents. Throws 400, 403. */
export function decodeItem<T extends { readonly cpfCnpjRaiz: string }>(
  schema: Schema,
  received: unknown,
  caller: Caller,
  { note }: ItemReading,
): T {
  const { value, problems } = decode(schema, received, { subject: 'O item', note });
  if (problems.length > 0) throw malformed(problems);
  const item = value as T; // its schema requires it
  requireRepresentation(caller, item.cpfCnpjRaiz);
  return item;
}

/** Returns the situation of an item, which selects its schema; any letter case, with blanks at its ends or not. */
export const situacaoIn = (received: unknown): string | undefined =>
  textMemberIn(received, 'situacao')?.trim().toUpperCase();

/** Returns the problems of an item's refusal. Rethrows any other error. */
export function problemsOf(error: unknown): ItemProblem[] {
  if (!(error instanceof DomainError)) throw error;
  if (error.problems.length > 0)
    return error.problems.map(({ path, message, label, code, about, at }) => ({
      path: path ?? '',
      message,
      ...(label !== undefined && { label }),
      code,
      ...(about !== undefined && { about }),
      ...at,
    }));
  const { message, kind, options } = error;
  const path = options.path ?? (options.member === undefined ? '' : `/${options.member}`);
  return [{ path, message, code: options.code ?? codeOf(STATUS_OF[kind], '/catp') }];
}

/** Maximum messages of a refused item. A batch repeats the work for each of its items. */
export const MESSAGES_MAX = 100;

/** Returns the messages of an item's refusal, each with its position. The last one counts those left out. */
export function messagesOf(error: unknown): string[] {
  const problems = problemsOf(error);
  const messages = problems.slice(0, MESSAGES_MAX).map(messageAlone);
  const more = problems.length - messages.length;
  if (more > 0) messages.push(`… e mais ${withCount(more, 'problema')}.`);
  return messages;
}

/** Returns the `seq` of an item, valid or not; `undefined` if it has none. */
export const seqIn = (item: unknown): number | undefined => integerOf(memberIn(item, 'seq'));

/**
 * Returns a number for each item of a batch: its own; without one, its position; if another item has that
 * number, the first unused number after the end of the list [ours].
 */
function numbersOf(items: readonly unknown[]): number[] {
  const usedNumbers = new Set(items.map(seqIn).filter((seq) => seq !== undefined));
  let next = items.length + 1;
  return items.map((item, index) => {
    const ownNumber = seqIn(item);
    if (ownNumber !== undefined) return ownNumber;
    if (!usedNumbers.has(index + 1)) return index + 1;
    while (usedNumbers.has(next)) next += 1;
    return next++;
  });
}

/** Applies up to 100 items in one unit of work, each with its own result. */
export type BatchRunner = (caller: Caller, items: readonly unknown[], note?: Note) => Promise<object[]>;

export const batchRunner =
  (
    writer: Writer,
    applier: ItemApplier,
    results: 'with versions' | 'without versions' = 'without versions',
  ): BatchRunner =>
  async (caller, items, note) => {
    const versionIn = (versao: string | null) => results === 'with versions' && { versao };
    const failed = (seq: number, erros: readonly string[]): object => ({
      seq,
      codigo: '0',
      erros,
      sucesso: false,
      ...versionIn(null),
    });
    refuseManyEntries(items);
    let notices: Notice[] = []; // of the last run of the unit
    const itemResults = await writer.write((tx) => {
      notices = [];
      const usedNumbers = new Set<number>();
      const numbers = numbersOf(items);
      return items.map((item, index) => {
        const seq = numbers[index] as number; // one for each item
        if (usedNumbers.has(seq)) return failed(seq, [repetition(seq)]);
        usedNumbers.add(seq);
        const noteOfItem: Note = ({ path, message }) => notices.push({ path: `/${index}${path}`, message });
        const reading: ItemReading = { origin: 'batch', note: note && noteOfItem };
        try {
          const { codigo, versao } = applier.apply(tx, caller, item, 'lote', reading);
          return { seq, codigo, erros: [], sucesso: true, ...versionIn(versao) };
        } catch (error) {
          return failed(seq, messagesOf(error));
        }
      });
    });
    for (const notice of notices) note?.(notice);
    return itemResults;
  };

function refuseManyEntries(items: readonly unknown[]): void {
  const count = items.reduce<number>((sum, item) => sum + entriesIn(item), 0);
  if (count <= BATCH_MAX_ENTRIES) return;
  const most = BATCH_MAX_ENTRIES.toLocaleString('pt-BR');
  const message = `O corpo: as listas de seus itens têm ${count.toLocaleString('pt-BR')} valores ao todo; aceita até ${most}. Envie o lote em partes.`;
  throw malformed([{ code: MALFORMED_CODE, message, field: null, path: '' }]);
}

/** Counts the entries of the lists that an item has, at any depth. */
function entriesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? value.length : 0;
  for (const part of Object.values(value)) count += entriesIn(part);
  return count;
}

const repetition = (seq: number): string =>
  `seq: recebido ${seq} pela segunda vez (${CATALOGUE_CODES.repeatedSequence.code}); numere cada item uma só vez.`;
