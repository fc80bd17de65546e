/** Lists in pages (contract section 14): the page request and its schemas. */
import type { TProperties, TSchema } from '@sinclair/typebox';
import { momentOf } from '../../validation/moment.ts';
import { form, limitOf, nullable, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const PAGE_LIMIT_MAX = 500;
/** Highest start position of a page. */
const PAGE_FROM_MAX = 100_000;
export const PAGE_LIMIT_DEFAULT = 50;

/** Longer than the cursor after the longest denominacao. */
const CURSOR_MAX = 40_000;

/** Order of a page, and its direction; ties are in the order of the code, in the same direction. */
export interface Order<By extends string = string> {
  readonly by: By;
  readonly isDescending: boolean;
}

/** End of the previous page: the sort values, tie-breakers last. */
export type PageEnd = readonly (string | number)[];

/** Page request without the filter; plain values, since they are sent to the reading Worker. */
export interface PageRequest<By extends string = string> {
  readonly order: Order<By>;
  readonly after: PageEnd | undefined;
  /** Number of rows to skip before the page. */
  readonly from?: number | undefined;
  readonly limit: number;
  /** Identifies the filters: it detects a cursor of other filters. */
  readonly filterMark: string;
}

/** Request for the whole list as one page. */
export const EVERY_ROW = { after: undefined, limit: Number.MAX_SAFE_INTEGER - 1, filterMark: '' } as const;

/** Page as read; `next` is its end, if more rows follow. */
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

/** Query members for a page without a choice of order. */
export const pageMembers = { limit: LIMIT, after: AFTER } as const;

/** Query members for lists whose pages may also start at a position. */
export const placedMembers = {
  ...pageMembers,
  from: t.Optional(
    integerForm(
      'Quantos registros ficam antes da página, em vez de after: assim se chega ao fim de uma vez.',
      0,
      {
        minimum: 0,
        maximum: PAGE_FROM_MAX,
      },
    ),
  ),
} as const;

/** Returns the query members for the filters of a list, and its order. */
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

/** Returns the query schema of a page: filters, order and limits. */
export const pageQuery = <F extends TProperties, By extends string>(filters: F, orders: readonly By[]) =>
  t.Object({ ...orderedMembers(filters, orders), ...placedMembers });

export const ChangedAt = momentOf('A última alteração do registro.');

/** Cursor of the next page. */
export const NextPage = nullable(text('Envie-o em after para a próxima página; null na última.', 'WyJj'));

/** Returns the schema of a page of records. */
export const pageForm = <Item extends TSchema>(item: Item, name: string, description: string) =>
  form(name, description, {
    items: t.Array(item, { description: 'Os registros desta página, em ordem.' }),
    next: NextPage,
    total: integerForm('Quantos registros há em todas as páginas.', 1),
    totalIsExact: t.Boolean({ description: 'false: total é uma estimativa.', examples: [true] }),
  });

/** Returns the order of a decoded query. */
export function orderOf<By extends string>(text: By | `-${By}`): Order<By> {
  const isDescending = text.startsWith('-');
  return { by: (isDescending ? text.slice(1) : text) as By, isDescending };
}
