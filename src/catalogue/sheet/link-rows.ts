/**
 * Reads a row of a sheet as links: one product, and one, several, all or no manufacturers (contract section
 * 24).
 */
import { DomainError, type Problem, malformed, unprocessable } from '../../errors.ts';
import { type ReadCell, asCode } from '../../sheet/values.ts';
import { formatValue } from '../../validation/format-value.ts';
import { withCount } from '../../validation/text.ts';
import type { AppliedItem, ItemApplier } from '../batch.ts';
import { cellOf } from '../members/cell-text.ts';
import type { MemberChange } from '../record.ts';
import { withCatalogueCodes } from './known-codes.ts';
import { COLUMNS } from './kinds.ts';
import type { SheetInstructions } from './instructions.ts';
import type { ProductFinder } from './product-rows.ts';
import type { SheetReading } from './row.ts';
import { rowApplier } from './row-applier.ts';
import { identifiedRecord, refuseRow } from './row-checks.ts';

export type LinkRow = Readonly<Record<string, unknown>>;

export interface LinkRowsParts {
  readonly items: ItemApplier;
  readonly products: Pick<ProductFinder, 'knownCodes' | 'hasCodesWithZeros' | 'withInternalCodes'>;
  readonly isLinked: (cpfCnpjRaiz: string, link: LinkRow) => boolean;
  /** Returns the operators that a cell names by code or name, in the country of the link if it has one. */
  readonly findOperators: (cpfCnpjRaiz: string, text: string, codigoPais: string) => readonly NamedOperator[];
}

interface NamedOperator {
  readonly codigo: string;
  readonly codigoPais: string;
}

const PRODUCT = 'codigoProduto';
const CODE = 'codigoInterno';
const COUNTRY = 'codigoPais';
const OPERATOR = 'codigoOperadorEstrangeiro';
const MAKER = 'cpfCnpjFabricante';

/** Members whose cell may have several values. The n-th value of each belongs to the n-th link. */
const MULTIPLE: ReadonlySet<string> = new Set([COUNTRY, OPERATOR, MAKER]);

/** Members of a link, as changes name them. */
const CHANGE_MEMBERS = [PRODUCT, 'conhecido', COUNTRY, OPERATOR, MAKER] as const;

const columns = COLUMNS.fabricante;
const singleColumns = columns.filter(({ target }) => !MULTIPLE.has(target) && target !== CODE);

export function linkRows(parts: LinkRowsParts, instructions: SheetInstructions): ItemApplier {
  const { items, products, isLinked, findOperators } = parts;
  const { cpfCnpjRaiz } = instructions;

  return rowApplier(instructions, {
    columns: singleColumns,
    isStored,
    apply({ reading, members, applyItem }) {
      const makers = makersIn(reading, members.get(PRODUCT) ?? undefined);
      if (reading.problems.length > 0) throw malformed(reading.problems);
      const links = makers.map((maker) => linkOf(reading, members, maker));
      if (reading.problems.length > 0) throw unprocessable(reading.problems);
      return applyAll(links, (link) => applyItem(items, link));
    },
  });

  function applyAll(links: readonly LinkRow[], apply: (link: LinkRow) => AppliedItem): AppliedItem {
    const changed = links.filter((link) => link['vincular'] === false || !isLinked(cpfCnpjRaiz, link));
    const problems: Problem[] = [];
    let last: AppliedItem | undefined;
    for (const link of changed) {
      // A link that a cell repeats exists already after the first.
      if (last !== undefined && link['vincular'] !== false && isLinked(cpfCnpjRaiz, link)) continue;
      try {
        last = apply(link);
      } catch (error) {
        if (!(error instanceof DomainError) || error.problems.length === 0) throw error;
        problems.push(...error.problems);
      }
    }
    if (problems.length > 0) throw unprocessable(distinct(problems));
    if (last === undefined)
      return { codigo: String(links[0]?.[PRODUCT]), versao: null, outcome: 'unchanged', changes: [] };
    return { ...last, changes: changesOf(changed) };
  }

  function linkOf(
    reading: SheetReading,
    members: ReadonlyMap<string, string | null>,
    maker: Readonly<Record<string, string>>,
  ): LinkRow {
    const { versao: _versao, ...rowMembers } = Object.fromEntries(members);
    const operator = maker[OPERATOR];
    return {
      seq: reading.row,
      ...Object.fromEntries(
        Object.entries(rowMembers).map(([member, text]) => [
          member,
          text !== null && BOOLEANS.has(member) ? text === 'true' : text,
        ]),
      ),
      ...maker,
      ...(operator !== undefined && {
        [OPERATOR]: operatorIn(operator, maker[COUNTRY] ?? '', reading),
      }),
      cpfCnpjRaiz,
    };
  }

  /** Returns the members that distinguish the links of one product. */
  function makersIn(
    reading: SheetReading,
    codigoProduto: string | undefined,
  ): readonly Readonly<Record<string, string>>[] {
    const product = productIn(reading, codigoProduto);
    const lists = columns
      .filter(({ target }) => MULTIPLE.has(target))
      .map(({ target, heading, read }) => ({ target, heading, texts: textsIn(reading, target, read) }));
    const count = lists.find(({ target }) => target === COUNTRY)?.texts.length ?? 0;
    const makers = lists.filter(({ texts }) => texts.length > 0);
    for (const { target, heading, texts } of makers)
      if (count > 0 && texts.length !== count)
        reading.refuse(
          `País tem ${withCount(count, 'valor', 'valores')} e ${heading} tem ${texts.length}; escreva na mesma ordem um para cada país, separados por | ou ;.`,
          reading.cells.find((targetCell) => targetCell.target === target),
        );
    return Array.from({ length: Math.max(1, count) }, (_, index) => ({
      ...(product !== undefined && { [PRODUCT]: product }),
      ...Object.fromEntries(
        makers.flatMap(({ target, texts }) => {
          const text = texts[index] ?? '';
          return text === '' ? [] : [[target, text] as const];
        }),
      ),
    }));
  }

  /**
   * Returns the values of a cell in order, with blank ones except at the end. Returns none for an empty cell.
   */
  function textsIn(reading: SheetReading, target: string, read: ReadCell): readonly string[] {
    const cell = reading.cells.find((targetCell) => targetCell.target === target);
    if (cell === undefined) return [];
    const texts = reading.codes(cell, read, true);
    const count = texts.findLastIndex((text) => text !== '') + 1;
    if (target === COUNTRY) return texts.filter((text) => text !== '');
    const countries = reading.cells.find((targetCell) => targetCell.target === COUNTRY);
    const countryCount = countries === undefined ? 0 : reading.countCodes(countries);
    return count === 0 ? [] : texts.slice(0, Math.max(count, Math.min(texts.length, countryCount)));
  }

  /** Returns the number of the product: from the cell, or of the only product with the internal code. */
  function productIn(reading: SheetReading, codigoProduto: string | undefined): string | undefined {
    const codes = reading.memberCodes(CODE, asCode);
    if (codes === undefined || codes.length === 0 || reading.problems.length > 0) return codigoProduto;
    const catalogueCodes = withCatalogueCodes({ reading, target: CODE }, codes, {
      listUsed: (texts) => products.knownCodes(cpfCnpjRaiz, texts),
      mayHaveZeros: () => products.hasCodesWithZeros(cpfCnpjRaiz),
    });
    const matches = products.withInternalCodes(cpfCnpjRaiz, catalogueCodes ?? []);
    if (codigoProduto !== undefined) {
      const isSame = matches.some(({ codigo }) => codigo === Number(codigoProduto));
      if (!isSame)
        reading.notice(
          CODE,
          `recebido ${formatValue(codes.join(' | '))}, que não é código interno do produto ${codigoProduto}; vale o código do produto.`,
        );
      return codigoProduto;
    }
    if (reading.problems.length > 0) return undefined;
    const product = identifiedRecord(matches, 'produtos', reading, CODE);
    if (product === undefined)
      refuseRow(
        reading,
        'unknownKey',
        `recebido ${formatValue(codes.join(' | '))}; não há produto com este código interno no catálogo. Inclua o produto, ou corrija o código.`,
        CODE,
      );
    return product && String(product.codigo);
  }

  function operatorIn(text: string, codigoPais: string, reading: SheetReading): string {
    const operators = findOperators(cpfCnpjRaiz, text, codigoPais);
    if (operators.length > 1)
      refuseRow(
        reading,
        'severalRecords',
        `recebido ${formatValue(text)}, que é o nome dos operadores ${operators.map((problem) => `${problem.codigo} (${problem.codigoPais})`).join(', ')}; escreva o código.`,
        OPERATOR,
      );
    return operators[0]?.codigo ?? text;
  }

  function isStored(_reading: SheetReading, target: string, text: string): boolean {
    if (target === CODE) return products.withInternalCodes(cpfCnpjRaiz, [text]).length > 0;
    return target === OPERATOR && findOperators(cpfCnpjRaiz, text, '').length > 0;
  }
}

const BOOLEANS: ReadonlySet<string> = new Set(['conhecido', 'vincular']);

/** Returns the members of the links of a row, each member once. */
const changesOf = (links: readonly LinkRow[]): readonly MemberChange[] =>
  CHANGE_MEMBERS.flatMap((member) => {
    const texts = links.map((link) => textOf(link[member]));
    if (texts.every((text) => text === '')) return [];
    const isShared = texts.every((text) => text === texts[0]);
    const heading = columns.find(({ target }) => target === member)?.heading ?? member;
    return [{ member, heading, before: null, after: isShared ? (texts[0] ?? '') : cellOf(texts) }];
  });

const textOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  return typeof value === 'string' ? value : '';
};

const distinct = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(
    (problem, index) => problems.findIndex(({ message }) => message === problem.message) === index,
  );
