/**
 * Writes products as a table to download (contract section 24): their members, and a column for each
 * attribute in use.
 */
import type { Day } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { unprocessable } from '../../errors.ts';
import { ncmWordsOn } from '../../nomenclature/column.ts';
import { NCM_WORDS } from '../members/ncm-words.ts';
import { type TableColumn, type TableRead, requestedColumns, tableTexts } from '../../sheet/table.ts';
import { withCount } from '../../validation/text.ts';
import { violated } from '../codes.ts';
import type { Order } from '../paging/model.ts';
import { memberColumns } from '../member-table.ts';
import { PRODUCT, PRODUCT_READING, attributeMember } from '../members/product.ts';
import type { ProductFilter } from './filter.ts';
import { type ListedProduct, iterateProducts } from './list-query.ts';
import type { ProductOrder } from './model.ts';
import { productsInOrder } from './page-list-query.ts';
import { attributesOf } from './record.ts';
import { type ValueText, attributeTexts } from './values.ts';

export interface ProductTableRead extends TableRead<'productTable', ProductFilter> {
  readonly order: Order<ProductOrder>;
  /** Version of the attribute table that provides the words. */
  readonly table: string | undefined;
  /** Day whose NCM descriptions are used. */
  readonly day: Day;
}

/** Names of an NCM's attributes, and of their values, in the attribute table in force. */
export interface AttributeWords {
  headingOf(ncm: string | null, codigo: string, part?: string): string;
  textOf(ncm: string | null, ...value: Parameters<ValueText>): string;
}

/** Product as a row: its attributes are already texts, by target. */
interface Row {
  readonly product: ListedProduct;
  readonly ncmDescricao: string | null;
  readonly attributes: ReadonlyMap<string, string | null>;
}

const MEMBERS: readonly TableColumn<Row>[] = memberColumns<ListedProduct>(PRODUCT, PRODUCT_READING).flatMap(
  ({ cell, ...column }) => {
    const member: TableColumn<Row> = { ...column, cell: ({ product }) => cell(product) };
    const words: TableColumn<Row> = { ...NCM_WORDS, cell: ({ ncmDescricao }) => ncmDescricao };
    return column.target === 'ncm' ? [member, words] : [member];
  },
);

export const PRODUCT_TARGETS = MEMBERS.map(({ target }) => target);
export const ATTRIBUTE_TARGET = /^atributo:[^/]+(?:\/[^/]+)?$/;

/** Maximum number of columns in a spreadsheet. */
export const COLUMNS_MAX = 16_384;

const NO_FILLS: ReadonlyMap<string, string> = new Map();

/**
 * Yields the text of the table in chunks; an empty one lets other reads run. Throws 422 for too many
 * columns. `headingsToFill`: headings by target of columns that users fill in. A table without a choice of
 * columns has them even when they are empty.
 */
export async function* productTableTexts(
  db: Db,
  { filter, order, columns, format, day }: ProductTableRead,
  words: AttributeWords,
  headingsToFill: ReadonlyMap<string, string> = NO_FILLS,
): AsyncGenerator<string> {
  const ncmWords = ncmWordsOn(db, day);
  // Without a nomenclature, this column is present only when it is requested.
  const members =
    ncmWords === undefined && columns === undefined
      ? MEMBERS.filter(({ target }) => target !== NCM_WORDS.target)
      : MEMBERS;
  const requestedTargets = columns?.filter((column) => ATTRIBUTE_TARGET.test(column));
  // A column that no product and none of their NCMs has keeps its code as heading.
  const headings = new Map(requestedTargets?.map((target) => [target, codeIn(target)]) ?? headingsToFill);
  const ncms = new Set<string | null>();
  if (requestedTargets === undefined || requestedTargets.length > 0)
    for (const product of iterateProducts(db, filter)) {
      if (product === undefined) yield '';
      else {
        addHeadings(headings, product, words, requestedTargets === undefined);
        if (!ncms.has(product.ncm)) nameRequested(headings, product.ncm, words);
        ncms.add(product.ncm);
      }
      if (headings.size + members.length > COLUMNS_MAX) throw tooManyColumns();
    }
  const attributes = [...headings].map(([target, heading]): TableColumn<Row> => ({
    target,
    heading,
    cell: ({ attributes: texts }) => texts.get(target) ?? null,
  }));
  yield* tableTexts(
    format,
    requestedColumns([...members, ...attributes], columns),
    rowsOf(productsInOrder(db, filter, order), headings.size === 0 ? undefined : words, ncmWords),
  );
}

/** `addsOthers`: also adds attributes that are not in the headings yet. */
function addHeadings(
  headings: Map<string, string>,
  product: ListedProduct,
  words: AttributeWords,
  addsOthers: boolean,
): void {
  for (const { codigo, part } of attributeTexts(attributesOf(product))) {
    const target = attributeMember(codigo, part);
    const heading = headings.get(target);
    if (heading === undefined ? addsOthers : heading === codeIn(target))
      headings.set(target, words.headingOf(product.ncm, codigo, part));
  }
}

/** Gives requested columns the name that an NCM has for them: a column to fill in may have no value yet. */
function nameRequested(headings: Map<string, string>, ncm: string | null, words: AttributeWords): void {
  for (const [target, heading] of headings) {
    const [codigo = '', part] = codeIn(target).split('/');
    if (heading === codeIn(target)) headings.set(target, words.headingOf(ncm, codigo, part));
  }
}

/** Returns the code in a target: `ATT_1` or `ATT_1/ATT_2`. */
const codeIn = (target: string): string => target.slice('atributo:'.length);

function* rowsOf(
  products: Iterable<ListedProduct | undefined>,
  words: AttributeWords | undefined,
  ncmWords: ReturnType<typeof ncmWordsOn>,
): Generator<Row | undefined> {
  for (const product of products)
    yield (
      product && {
        product,
        ncmDescricao: (product.ncm !== null && ncmWords?.(product.ncm)) || null,
        attributes: words === undefined ? NO_ATTRIBUTES : textsOf(product, words),
      }
    );
}

const NO_ATTRIBUTES: Row['attributes'] = new Map();

const textsOf = (product: ListedProduct, words: AttributeWords): Row['attributes'] =>
  new Map(
    [...attributeTexts(attributesOf(product), (...value) => words.textOf(product.ncm, ...value))].map(
      ({ codigo, part, text }) => [attributeMember(codigo, part), text],
    ),
  );

const tooManyColumns = () =>
  unprocessable([
    violated(
      'tooManyColumns',
      'columns',
      `a tabela teria mais de ${withCount(COLUMNS_MAX, 'coluna')}, uma para cada atributo em uso, e planilhas não têm mais; filtre os produtos, por exemplo por ncm, ou diga em columns as que quer.`,
    ),
  ]);
