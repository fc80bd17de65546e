/** Replaces refused values (contract section 24), for an import of the failed rows with the new values. */
import { type Problem, malformed, unprocessable } from '../../errors.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { ExpectedMember } from '../brake.ts';
import { violated } from '../codes.ts';
import type { DoneRows } from '../import/service.ts';
import type { ItemResult } from '../import/model.ts';
import { strict, strictForm } from '../model.ts';
import { skipNotices } from './chosen-sheet.ts';
import { type JudgedRow, hasFailed } from './judged.ts';
import { isTarget, unknownTarget } from './mapping.ts';
import type { RememberedMeanings } from './model.ts';
import { type SheetInstructions, TARGET_MAX, VALUE_MAX } from './instructions.ts';
import { parseTarget } from './target.ts';
import { headingKey } from '../../sheet/read-heading.ts';
import { isAmbiguousNumber } from '../../sheet/values.ts';
import { choice } from '../../validation/forms.ts';
import { receivedText } from './received.ts';
import { receivedOf } from './row.ts';
import { type SheetItem, repeatMarker, displayMembers } from './rows.ts';
import { t } from '../../validation/type.ts';

const DECIMAL_SIGNS = ['.', ','] as const;

const SETS_MAX = 1000;
/** Maximum values and row numbers of all entries together. */
const VALUES_MAX = 200_000;

/** A text, `null` for an empty cell, or a request to leave the row out. */
export type Value = string | null | { readonly skip: true };

export const isSkip = (value: unknown): value is { readonly skip: true } =>
  typeof value === 'object' && value !== null && JSON.stringify(value) === '{"skip":true}';

const isValue = (value: unknown): value is Value =>
  value === null || isSkip(value) || (typeof value === 'string' && value.length <= VALUE_MAX);

const Correction = strictForm('Correction', 'Um valor, ou um para cada valor recebido.', {
  reason: t.Optional(
    t.String({
      maxLength: TARGET_MAX,
      description: 'Só nas linhas que este código recusou por este membro.',
    }),
  ),
  rows: t.Optional(
    t.Array(t.Integer({ minimum: 1 }), {
      maxItems: VALUES_MAX,
      description: 'Só nestas linhas da planilha.',
    }),
  ),
  member: t.String({ maxLength: TARGET_MAX, description: 'Em que membro ou atributo.', examples: ['ncm'] }),
  value: t.Optional(
    t.Unsafe<Value>({
      'x-keeps-empty': true,
      description:
        'O valor para todas elas; vazio ou null esvazia a célula, {"skip": true} deixa a linha de fora. Sem reason e rows preenche só células vazias ou recusadas.',
      examples: ['73181500'],
    }),
  ),
  map: t.Optional(
    t.Unsafe<Readonly<Record<string, Value>>>({
      type: 'object',
      additionalProperties: true,
      description: 'De cada valor recebido, o que fica em seu lugar: um texto, null ou {"skip": true}.',
    }),
  ),
  decimal: t.Optional(
    choice(
      DECIMAL_SIGNS,
      'Em vez de value e map: o que separa os decimais em toda a coluna, onde 12.500 tanto pode ser doze e meio como doze mil e quinhentos.',
    ),
  ),
  remember: t.Optional(
    t.Boolean({
      description:
        'true: map vale também para as próximas planilhas da empresa com esta coluna, quando a correção gravar. Não de rows; null, skip e o que fica no lugar de uma célula vazia não são lembrados.',
    }),
  ),
});
export type Correction = typeof Correction.static;

/** An entry prepared for look-ups. There may be as many entries as failed rows. */
interface Lookup extends Pick<Correction, 'reason' | 'member' | 'value' | 'decimal'> {
  readonly rows: ReadonlySet<number> | undefined;
  readonly map: ReadonlyMap<string, Value> | undefined;
}

const lookupOf = ({ rows, map, remember: _remember, ...entry }: Correction): Lookup => ({
  ...entry,
  rows: rows && new Set(rows),
  map: map && new Map(Object.entries(map)),
});

export const Corrections = t.Object(
  {
    set: t.Array(Correction, {
      maxItems: SETS_MAX,
      description: 'Os valores corrigidos; nenhum: as linhas como estavam.',
    }),
    simular: t.Optional(t.Boolean({ description: 'true: mostra o que mudaria e não grava nada.' })),
    expected: ExpectedMember,
  },
  {
    ...strict,
    'x-form': 'Corrections',
    description: 'Valores corrigidos para as linhas que falharam.',
    examples: [{ set: [{ member: 'ncm', map: { '7318': '73181500' } }] }],
  },
);
export type Corrections = typeof Corrections.static;

export class CorrectedRows {
  readonly #instructions: SheetInstructions;
  readonly #corrections: readonly Correction[];
  readonly #lookups: readonly Lookup[];
  /** Indexes of the entries by row and by reason, so that a row is not compared with every entry. */
  readonly #indexesByRow = new Map<number, number[]>();
  readonly #indexesByReason = new Map<string, number[]>();
  readonly #indexesForAllRows: number[] = [];
  readonly #usedLookups = new Set<Lookup>();
  readonly #skippedRows: number[] = [];
  #failedCount = 0;

  /** Throws 400. */
  constructor(instructions: SheetInstructions, { set }: Corrections) {
    refuseTooMany(set);
    const problems = set.flatMap((correction, index) =>
      problemsOf(correction, `/set/${index}`, instructions),
    );
    if (problems.length > 0) throw malformed(problems);
    this.#instructions = instructions;
    this.#corrections = set;
    this.#lookups = set.map(lookupOf);
    for (const [index, { rows, reason }] of this.#lookups.entries())
      if (rows !== undefined) for (const row of rows) addTo(this.#indexesByRow, row, index);
      else if (reason !== undefined) addTo(this.#indexesByReason, reason, index);
      else this.#indexesForAllRows.push(index);
  }

  /**
   * Yields the failed rows with their corrections. With `withOtherRows`, also yields the other rows unchanged. Leaves
   * out rows that another import has applied. Keys are compared among all rows.
   */
  async *correctedItems(
    rows: AsyncIterable<JudgedRow>,
    withOtherRows: boolean,
    done: Pick<DoneRows, 'isOpen'>,
  ): AsyncGenerator<SheetItem> {
    const withRepeats = repeatMarker(this.#instructions);
    for await (const row of rows) {
      const failed = hasFailed(row);
      if (failed) this.#failedCount += 1;
      const corrected = failed || withOtherRows ? this.#correctedItem(row, failed) : row.item;
      if (corrected === undefined) {
        this.#skippedRows.push(row.item.row);
        continue;
      }
      const item = withRepeats(corrected, row.item);
      if ((failed || withOtherRows) && done.isOpen(item.row)) yield item;
    }
  }

  /** Returns the instructions of the next import: with decimal signs, and with maps to remember. */
  instructions(): SheetInstructions {
    const decimals = { ...this.#instructions.decimals };
    for (const { member, decimal } of this.#corrections)
      if (decimal !== undefined) decimals[member] = decimal;
    const remembered = [
      ...(this.#instructions.remembered ?? []),
      ...this.#corrections.flatMap((correction) => meaningsToRemember(correction, this.#instructions)),
    ];
    return {
      ...this.#instructions,
      ...(Object.keys(decimals).length > 0 && { decimals }),
      ...(remembered.length > 0 && { remembered }),
    };
  }

  /** Throws 422 if nothing failed, or if a correction matches no row. */
  check(): void {
    if (this.#failedCount === 0)
      throw unprocessable([violated('nothingToCorrect', null, 'Nenhuma linha desta importação falhou.')]);
    const unusedIndexes = this.#lookups.flatMap((correction, index) =>
      this.#usedLookups.has(correction) ? [] : [index],
    );
    if (unusedIndexes.length > 0)
      throw unprocessable(
        unusedIndexes.map((index) =>
          violated(
            'nothingToCorrect',
            `/set/${index}`,
            `nenhuma linha que falhou tem esse erro, esse número ou esse valor.`,
          ),
        ),
      );
  }

  /** Returns notices about rows that an entry leaves out. */
  notices(): readonly string[] {
    return skipNotices(this.#skippedRows);
  }

  /**
   * Returns the indexes of the entries that may match a row, in the order of the request. A later one wins.
   */
  #indexesFor(row: number, result: ItemResult | undefined): readonly number[] {
    const reasons = new Set(result?.problems.map(({ code }) => code));
    const indexes = [...this.#indexesForAllRows, ...(this.#indexesByRow.get(row) ?? [])];
    for (const reason of reasons) indexes.push(...(this.#indexesByReason.get(reason) ?? []));
    return indexes.sort((a, b) => a - b);
  }

  #indexesForGood(row: number): readonly number[] {
    const skips = (this.#indexesByRow.get(row) ?? []).filter((index) => isSkip(this.#lookups[index]?.value));
    return [...this.#indexesForAllRows, ...skips].sort((a, b) => a - b);
  }

  /**
   * Returns the corrected row.
   * `undefined`: the row is left out. For a good row of a dry run, only entries for the whole sheet count, and those
   * that leave the row out.
   */
  #correctedItem({ item, result }: JudgedRow, failed: boolean): SheetItem | undefined {
    const set: Record<string, string> = { ...item.set };
    for (const index of failed ? this.#indexesFor(item.row, result) : this.#indexesForGood(item.row)) {
      const correction = this.#lookups[index] as Lookup; // the index exists
      if (correction.reason !== undefined && !isRefusedFor(result, correction)) continue;
      if (correction.decimal !== undefined) {
        if (isAmbiguousNumber(receivedText(this.#instructions, item, correction.member)))
          this.#usedLookups.add(correction);
        continue;
      }
      const value =
        correction.map === undefined
          ? (correction.value ?? '')
          : correction.map.get(receivedText(this.#instructions, item, correction.member));
      const isForAllRows = correction.reason === undefined && correction.rows === undefined;
      if (value === undefined) continue;
      if (isForAllRows && correction.map === undefined && !this.#isFillable(item, result, correction.member))
        continue;
      this.#usedLookups.add(correction);
      if (isSkip(value)) return undefined;
      set[correction.member] = value ?? '';
    }
    if (
      Object.keys(set).length === Object.keys(item.set ?? {}).length &&
      Object.entries(set).every(([member, text]) => item.set?.[member] === text)
    )
      return item;
    const { columns } = this.#instructions;
    const cells = Object.fromEntries(
      columns.flatMap(({ index, target }) => {
        const cell = receivedOf({ ...item, set }, index, target);
        return cell === undefined ? [] : [[index, [cell.from, cell.text] as const]];
      }),
    );
    return { ...item, set, ...displayMembers(columns, cells) };
  }

  /** Returns true if the correction applies to the cell. A cell that reads well keeps its value. */
  #isFillable(item: SheetItem, result: ItemResult | undefined, member: string): boolean {
    const { columns, constants } = this.#instructions;
    const isConstant =
      Object.hasOwn(constants, member) ||
      columns.some(({ target, constant }) => target === member && constant !== undefined);
    if (!isConstant && receivedText(this.#instructions, item, member).trim() === '') return true;
    return result?.problems.some((problem) => isAbout(problem, member)) === true;
  }
}

/** Throws 400 for too many values. */
export function refuseTooMany(set: readonly Correction[]): void {
  const values = set.reduce((sum, correction) => sum + valuesIn(correction), 0);
  if (values > VALUES_MAX) throw malformed([tooManyValues(values)]);
}

/** Returns true if the problem is about the member, or about the compound of that part. */
const isAbout = (problem: ItemResult['problems'][number], member: string): boolean =>
  problem.member === member || member.startsWith(`${problem.member}/`);

function addTo<Key>(indexesByKey: Map<Key, number[]>, key: Key, index: number): void {
  const indexes = indexesByKey.get(key);
  if (indexes === undefined) indexesByKey.set(key, [index]);
  else indexes.push(index);
}

const valuesIn = ({ rows, map }: Correction): number =>
  (rows?.length ?? 0) + (map === undefined ? 1 : Object.keys(map).length);

const tooManyValues = (values: number): Problem =>
  fieldProblem(
    'set',
    `recebidos ${values} valores e números de linha; aceita até ${VALUES_MAX} ao todo. Envie-os em várias correções.`,
  );

/**
 * Returns true if the row was refused by that rule, in that member or the compound of that part, if the
 * problem names one.
 */
const isRefusedFor = (
  result: ItemResult | undefined,
  { reason, member }: Pick<Correction, 'reason' | 'member'>,
): boolean =>
  result?.problems.some(
    (problem) =>
      problem.code === reason &&
      ((problem.member ?? member) === member || member.startsWith(`${problem.member}/`)),
  ) === true;

const ACCEPTED_VALUES = `aceita um texto de até ${VALUE_MAX} caracteres, null ou {"skip": true}.`;

function problemsOf(correction: Correction, path: string, { tipo }: SheetInstructions): Problem[] {
  const { member } = correction;
  const unknown = isTarget(member, tipo)
    ? []
    : [fieldProblem('member', unknownTarget(member, tipo), `${path}/member`)];
  const values =
    correction.decimal === undefined ? valueProblems(correction, path) : decimalProblems(correction, path);
  return [...unknown, ...values, ...rememberProblems(correction, path)];
}

/** Returns the problems of an entry that answers for a whole column. */
function decimalProblems({ value, map, rows, reason, member }: Correction, path: string): Problem[] {
  const members = Object.entries({ value, map, rows, reason }).filter(
    ([, correction]) => correction !== undefined,
  );
  const problems = members.map(([name]) =>
    fieldProblem(name, 'decimal vale para a coluna inteira; retire este membro.', `${path}/${name}`),
  );
  return parseTarget(member).kind === 'member'
    ? [...problems, fieldProblem('decimal', 'só vale para a coluna de um atributo.', `${path}/decimal`)]
    : problems;
}

function rememberProblems({ remember, map, rows }: Correction, path: string): Problem[] {
  return remember === true && (map === undefined || rows !== undefined)
    ? [fieldProblem('remember', 'só se lembra um map sem rows.', `${path}/remember`)]
    : [];
}

/** Returns the meanings of an entry to remember. A column without a heading has none. */
function meaningsToRemember(
  { remember, member, map = {} }: Correction,
  { columns }: SheetInstructions,
): RememberedMeanings[] {
  const column = columns.find(({ target }) => target === member);
  const values = Object.fromEntries(
    Object.entries(map).flatMap(([received, value]) =>
      typeof value === 'string' && value !== '' && received.trim() !== '' ? [[received, value] as const] : [],
    ),
  );
  return remember === true && column !== undefined && Object.keys(values).length > 0
    ? [{ heading: headingKey(column.heading), target: member, values }]
    : [];
}

/** Returns the problems of the values of an entry, for any member. */
export function valueProblems({ value, map }: Pick<Correction, 'value' | 'map'>, path: string): Problem[] {
  const refuse = (field: string, message: string): Problem =>
    fieldProblem(field, message, `${path}/${field}`);
  return [
    ...((value === undefined) === (map === undefined)
      ? [refuse('value', 'informe value, um valor para todas, ou map, um para cada valor recebido.')]
      : []),
    ...(value === undefined || isValue(value) ? [] : [refuse('value', ACCEPTED_VALUES)]),
    ...(Object.values(map ?? {}).every(isValue) ? [] : [refuse('map', ACCEPTED_VALUES)]),
  ];
}
