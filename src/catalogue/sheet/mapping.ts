/** Merges the columns of a sheet with the request. The result contains no guesses. */
import { type Problem, malformed } from '../../errors.ts';
import { headingKey } from '../../sheet/read-heading.ts';
import { fieldProblem } from '../../validation/decoding.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { ImportKind } from '../import/model.ts';
import { COLUMNS } from './kinds.ts';
import type { FileSheet } from './inspection.ts';
import type { ImportedColumn, SheetOptions, SheetKey, SheetInstructions } from './instructions.ts';
import type { Choice } from './store.ts';
import { parseTarget } from './target.ts';

/**
 * Returns the instructions.
 * Throws 400 for targets that the kind does not have.
 * `choices`: those of people, for earlier sheets.
 */
export function instructionsOf(
  tipo: ImportKind,
  cpfCnpjRaiz: string,
  sheet: FileSheet,
  options: SheetOptions,
  choices: readonly Choice[],
): SheetInstructions {
  const {
    mapping = [],
    constants = {},
    values = {},
    empty = 'manter',
    conflict = 'recusar',
    reactivate = false,
  } = options;
  const requestedColumns = new Map(mapping.map((columnMapping) => [columnMapping.index, columnMapping]));
  const requestedTargets = new Set<string | null | undefined>([
    ...mapping.map(({ target }) => target),
    ...Object.keys(constants),
  ]);
  const manyTargets = new Set(
    COLUMNS[tipo].filter((memberColumn) => memberColumn.isMany === true).map(({ target }) => target),
  );
  const isMany = (target: string): boolean => manyTargets.has(target);
  // Returns the guess for a column, unless a person gave its target to another column.
  const guessOf = (target: string | null): string | null =>
    target !== null && requestedTargets.has(target) && !isMany(target) ? null : target;
  const columns = sheet.columns.flatMap(({ index, heading, target: guessed }): ImportedColumn[] => {
    const { target, constant } = requestedColumns.get(index) ?? {
      target: guessOf(guessed),
      constant: undefined,
    };
    return target === undefined || target === null
      ? []
      : [
          {
            index,
            heading: heading || `Coluna ${index + 1}`,
            target,
            ...(constant !== undefined && { constant }),
          },
        ];
  });
  const mappedIndexes = new Set(columns.map(({ index }) => index));
  const others = sheet.columns
    .filter(({ index }) => !mappedIndexes.has(index))
    .map(({ index, heading }) => ({ index, heading }));
  const indexes = new Set(sheet.columns.map(({ index }) => index));
  const problems: Problem[] = [];
  const refuse = (field: string, path: string, message: string): void =>
    void problems.push(fieldProblem(field, message, path));
  for (const [position, { index, target }] of mapping.entries()) {
    if (target !== undefined && !isTarget(target, tipo))
      refuse('target', `/mapping/${position}/target`, unknownTarget(target, tipo));
    if (!indexes.has(index))
      refuse('index', `/mapping/${position}/index`, `recebido ${index}; a planilha não tem essa coluna.`);
  }
  for (const [name, entries] of Object.entries({ constants, values }))
    for (const [target, value] of Object.entries(entries)) {
      if (!isTarget(target, tipo)) refuse(name, `/${name}/${target}`, unknownTarget(target, tipo));
      const texts: readonly unknown[] = name === 'constants' ? [value] : Object.values(value ?? {});
      if (texts.some((text) => typeof text !== 'string'))
        refuse(name, `/${name}/${target}`, 'aceita só textos.');
    }
  const columnCounts = new Map<string, number>();
  for (const target of [...columns.map((importedColumn) => importedColumn.target), ...Object.keys(constants)])
    columnCounts.set(target, (columnCounts.get(target) ?? 0) + 1);
  for (const [target, count] of columnCounts)
    if (count > 1 && !isMany(target))
      refuse(
        'mapping',
        '/mapping',
        `${count} colunas vão para ${target}; deixe uma só, e dê target: null às outras.`,
      );
  const key = keyOf(tipo, columns, options.key);
  if (key === undefined)
    refuse('key', '/key', `recebido ${formatValue(options.key)}; a planilha não tem essa coluna.`);
  if (columns.length === 0)
    refuse('mapping', '/mapping', 'nenhuma coluna vai para um membro; diga ao menos uma.');
  if (problems.length > 0 || key === undefined) throw malformed(problems);
  const { table, headerRow } = sheet;
  const skip = [...new Set([...(options.skip ?? []), ...sumRowOf(tipo, sheet, columns)])];
  return {
    tipo,
    cpfCnpjRaiz,
    table,
    headerRow,
    columns,
    others,
    constants,
    values: withMeanings(values, columns, choices),
    key,
    empty,
    conflict,
    reactivate,
    ...(skip.length > 0 && { skip }),
  };
}

/**
 * Returns a last row that sums the others: the cells next to its first one have nothing that a new record
 * needs.
 */
function sumRowOf(
  tipo: ImportKind,
  { sum }: FileSheet,
  columns: readonly ImportedColumn[],
): readonly number[] {
  if (sum === undefined) return [];
  const required = new Set(COLUMNS[tipo].filter(({ isRequired }) => isRequired).map(({ target }) => target));
  const isRecord = columns.some(({ index, target }) => required.has(target) && sum.filled.includes(index));
  return isRecord ? [] : [sum.row];
}

const MEANINGS_IN_NOTICE = 5;

/** Returns notices about meanings of values that earlier instructions or a correction defined. */
export const meaningNotices = (
  { values, columns }: SheetInstructions,
  options: SheetOptions,
): readonly string[] =>
  columns.flatMap(({ heading, target }) => {
    const remembered = Object.entries(values[target] ?? {}).filter(
      ([received]) => options.values?.[target]?.[received] === undefined,
    );
    if (remembered.length === 0) return [];
    const listedMeanings = remembered
      .slice(0, MEANINGS_IN_NOTICE)
      .map(([from, to]) => `${formatValue(from)} como ${formatValue(to)}`);
    const more = remembered.length - listedMeanings.length;
    return [
      `${heading}: lido como lembrado de planilhas anteriores: ${listedMeanings.join(', ')}${more > 0 ? ` e mais ${more}` : ''}.`,
    ];
  });

/** Adds the earlier meanings of values of a heading, for values that these instructions do not mention. */
function withMeanings(
  values: SheetInstructions['values'],
  columns: readonly ImportedColumn[],
  choices: readonly Choice[],
): SheetInstructions['values'] {
  const meanings = new Map(choices.map((choice) => [choice.heading, choice.meanings]));
  const remembered = columns.flatMap(({ heading, target }) => {
    const meaning = meanings.get(headingKey(heading));
    return meaning?.target === target ? [[target, { ...meaning.values, ...values[target] }] as const] : [];
  });
  return { ...values, ...Object.fromEntries(remembered) };
}

export const unknownTarget = (target: string, tipo: ImportKind): string =>
  `recebido ${formatValue(target)}; aceita ${COLUMNS[tipo].map((memberColumn) => memberColumn.target).join(', ')}${tipo === 'produto' ? ', atributo:CÓDIGO, atributo:CÓDIGO/SUBCÓDIGO, atributo-nome:NOME, par:N:codigo e par:N:valor' : ''}.`;

export const isTarget = (target: string, tipo: ImportKind): boolean =>
  COLUMNS[tipo].some((memberColumn) => memberColumn.target === target) ||
  (tipo === 'produto' && parseTarget(target).kind !== 'member');

/** The columns that each key needs. */
const KEY_TARGETS: Readonly<Record<Exclude<SheetKey, 'nenhuma'>, readonly string[]>> = {
  codigo: ['codigo'],
  codigoInterno: ['codigosInterno', 'codigoInterno'],
};

/** Returns the key. `undefined`: the requested key has no column. */
function keyOf(
  tipo: ImportKind,
  columns: readonly ImportedColumn[],
  requestedKey: SheetKey | undefined,
): SheetKey | undefined {
  const has = (key: keyof typeof KEY_TARGETS): boolean =>
    COLUMNS[tipo].some(({ target }) => target === 'codigo') &&
    columns.some(({ target }) => KEY_TARGETS[key].includes(target));
  if (requestedKey === 'nenhuma') return requestedKey;
  if (requestedKey !== undefined) return has(requestedKey) ? requestedKey : undefined;
  return (['codigo', 'codigoInterno'] as const).find(has) ?? 'nenhuma';
}

/** Describes the target of each column, so that a person can check the guesses. */
export function columnsInWords({ columns, others, key }: SheetInstructions): string {
  const assignments = columns.map(({ heading, target }) => `${heading} → ${target}`);
  const rest =
    others.length === 0 ? '' : ` Deixadas de lado: ${others.map(({ heading }) => heading).join(', ')}.`;
  return `Colunas: ${assignments.join('; ')}.${rest} Chave: ${key}.`;
}
