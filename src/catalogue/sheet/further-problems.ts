/**
 * Checks the rest of a refused row: its cells with a problem are left out, so that the problems of the other
 * cells are reported with them (contract section 24).
 */
import type { ItemProblem } from '../../errors.ts';
import { columnLetters } from '../../sheet/cell.ts';
import { ATTRIBUTE_CODES } from '../attribute/words/codes.ts';
import { CATALOGUE_CODES } from '../codes.ts';
import type { FurtherProblems } from '../batch.ts';
import type { SheetInstructions } from './instructions.ts';
import type { SheetItem } from './rows.ts';
import { parseTarget } from './target.ts';

/** Members that decide which others the record needs. If one is wrong, missing members are not reported. */
const DECIDING_MEMBERS: ReadonlySet<string> = new Set(['situacao', 'conhecido', 'vincular']);

/** Members whose check depends on the country of the row. */
const COUNTRY_MEMBERS: ReadonlySet<string> = new Set(['codigoSubdivisaoPais', 'codigoOperadorEstrangeiro']);

/** Returns the row without the cells of its problems. `undefined`: no problem belongs to a cell. */
export function withoutProblemCells(
  instructions: SheetInstructions,
  received: unknown,
  problems: readonly ItemProblem[],
): FurtherProblems | undefined {
  const item = received as SheetItem; // written by this program
  // The key of another row is a right key: the row is checked as if it stood alone.
  const wrongMembers = new Set(
    problems.flatMap(({ member, code }) => (code === CATALOGUE_CODES.repeatedKey.code ? [] : (member ?? []))),
  );
  if (!problems.some(({ member }) => member !== undefined)) return undefined;
  // Both columns of a link name its product.
  if (
    instructions.tipo === 'fabricante' &&
    (wrongMembers.has('codigoInterno') || wrongMembers.has('codigoProduto'))
  )
    wrongMembers.add('codigoInterno').add('codigoProduto');
  const { seen: _seen, repeats: _repeats, repeatsAt: _at, zeroTwins: _twins, ...row } = item;
  return { item: { ...row, unread: [...wrongMembers] } satisfies SheetItem, keeps: reportsProblem };

  function reportsProblem({ member, cell, code }: ItemProblem): boolean {
    if (member === undefined || wrongMembers.has(member)) return false;
    const isCell = cell !== undefined && isFilled(cell);
    if (
      !isCell &&
      (isKeyWrong() || [...DECIDING_MEMBERS].some((decidingMember) => wrongMembers.has(decidingMember)))
    )
      return false;
    if (COUNTRY_MEMBERS.has(member) && wrongMembers.has('codigoPais')) return false;
    return parseTarget(member).kind === 'member' || reportsAttribute(member, code, isCell, cell);
  }

  function reportsAttribute(
    member: string,
    code: string,
    isCell: boolean,
    cell: string | undefined,
  ): boolean {
    const source = sourceAt(cell);
    if (source === 'error' || source === 'formula') return true;
    if (wrongMembers.has('ncm') || wrongMembers.has('modalidade')) return false;
    if (isKeyWrong() && !(hasCell('ncm') && hasCell('modalidade'))) return false;
    const attributes = [...wrongMembers].map(parseTarget).filter(({ kind }) => kind !== 'member');
    // The condition may depend on the attribute that was left out.
    if (attributes.length > 0 && code === ATTRIBUTE_CODES.conditionNotMet.code) return false;
    // If its compound was left out, a part is reported without it.
    const part = member.slice(member.indexOf(':') + 1);
    if (
      [...wrongMembers].some(
        (wrongMember) => wrongMember.startsWith(`${member}/`) || wrongMember.endsWith(`/${part}`),
      )
    )
      return false;
    // A column by name, or a pair without a code, may be the one of this attribute.
    return isCell || attributes.every(({ kind }) => kind === 'attribute');
  }

  function isKeyWrong(): boolean {
    if (instructions.tipo === 'fabricante') return wrongMembers.has('codigoProduto');
    const isInternal = instructions.key === 'codigoInterno';
    return wrongMembers.has(instructions.key) || (isInternal && wrongMembers.has('codigosInterno'));
  }

  function sourceAt(cell: string | undefined) {
    const column = instructions.columns.find(({ index }) => `${columnLetters(index)}${item.row}` === cell);
    return column === undefined ? undefined : item.cells[column.index]?.[0];
  }

  function isFilled(cell: string): boolean {
    return sourceAt(cell) !== undefined;
  }

  function hasCell(target: string): boolean {
    const column = instructions.columns.find((importedColumn) => importedColumn.target === target);
    return column?.constant !== undefined || (column !== undefined && item.cells[column.index] !== undefined);
  }
}
