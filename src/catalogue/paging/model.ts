/** Lists in pages (contract section 14): what is asked of one, and its form. */
import { type TProperties, type TSchema, Type as t } from '@sinclair/typebox';
import { momentOf } from '../../validation/moment.ts';
import { form, limitOf, nullable, text, whole } from '../../validation/forms.ts';

const PAGE_LIMIT_MAX = 500;
/** Of the places by which a page may be asked for, the last. */
const PAGE_FROM_MAX = 100_000;
export const PAGE_LIMIT_DEFAULT = 50;

/** Longer than the cursor behind the longest denominacao. */
const CURSOR_MAX = 40_000;

/** By what a page is ordered, and which way round; ties are in the order of the code, turned round with the rest. */
export interface Order<By extends string = string> {
  readonly by: By;
  readonly isDescending: boolean;
}

/** Where the page before ended: the values by which the list is ordered, those that tell ties apart last. */
export type PageEnd = readonly (string | number)[];

/** What is asked of a page, beside the filter; plain values, since they cross to the reading Worker. */
export interface PageRequest<By extends string = string> {
  readonly order: Order<By>;
  readonly after: PageEnd | undefined;
  /** So many are left out before the page. */
  readonly from?: number | undefined;
  readonly limit: number;
  /** Names the filters: a cursor of others is told from ours by it. */
  readonly asked: string;
}

/** What is asked of a page that is the whole list. */
export const EVERY_ROW = { after: undefined, limit: Number.MAX_SAFE_INTEGER - 1, asked: '' } as const;

/** A page as it was read; `next` is where it ends, where more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: PageEnd | undefined;
  readonly total: number;
  readonly totalIsExact: boolean;
}

const LIMIT = t.Optional(limitOf('Quantos registros, no máximo.', PAGE_LIMIT_MAX, PAGE_LIMIT_DEFAULT));
const AFTER = t.Optional(
  t.String({
    maxLength: CURSOR_MAX,
    description: 'O next da página anterior, com os mesmos filtros e a mesma ordem.',
  }),
);

/** The members of a query that ask for a page without a choice of order. */
export const pageMembers = { limit: LIMIT, after: AFTER } as const;

/** The same, of lists of which a page may be asked for by its place too. */
export const placedMembers = {
  ...pageMembers,
  from: t.Optional(
    whole('Quantos registros ficam antes da página, em vez de after: assim se chega ao fim de uma vez.', 0, {
      minimum: 0,
      maximum: PAGE_FROM_MAX,
    }),
  ),
} as const;

/** The filters of a list, and how it is ordered. */
export const orderedMembers = <F extends TProperties, By extends string>(
  filters: F,
  orders: readonly By[],
) => ({
  ...filters,
  order: t.Optional(
    t.Unsafe<By | `-${By}`>({
      type: 'string',
      enum: orders.flatMap((by) => [by, `-${by}`]),
      default: orders[0],
      description: 'Em que ordem; com - antes, ao contrário. Empates ficam na ordem do código.',
    }),
  ),
});

/** The query of a page: the filters, and how it is ordered and cut. */
export const pageQuery = <F extends TProperties, By extends string>(filters: F, orders: readonly By[]) =>
  t.Object({ ...orderedMembers(filters, orders), ...placedMembers });

export const ChangedAt = momentOf('A última alteração do registro.');

/** The cursor of the next page. */
export const NextPage = nullable(text('Envie-o em after para a próxima página; null na última.', 'WyJj'));

/** The form of a page of records. */
export const pageForm = <Item extends TSchema>(item: Item, name: string, description: string) =>
  form(name, description, {
    items: t.Array(item, { description: 'Os registros desta página, em ordem.' }),
    next: NextPage,
    total: whole('Quantos registros há em todas as páginas.', 1),
    totalIsExact: t.Boolean({ description: 'false: total é uma estimativa.', examples: [true] }),
  });

/** The order of a decoded query. */
export function orderOf<By extends string>(text: By | `-${By}`): Order<By> {
  const isDescending = text.startsWith('-');
  return { by: (isDescending ? text.slice(1) : text) as By, isDescending };
}
