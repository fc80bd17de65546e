/** List of the server: query from the address, results and selection. */
import type { Query } from '../../api/client.ts';
import { everyRow } from '../../api/pages.ts';
import { type Result, resultOf } from '../../api/result.ts';
import { useFilters } from '../../api/use-filters.ts';
import type { Pages } from '../../api/use-pages.ts';
import { usePlaces } from '../../api/use-places.ts';
import { type Choice, useChoice } from './choice.ts';
import { askedOf, type Filter, type FilterValues } from './filters.tsx';

export interface ListOptions<Row> {
  readonly path: string;
  /** Query in addition to the filters. */
  readonly of?: Query;
  /** Must be the same in every render, as must `keyOf`. */
  readonly filters: readonly Filter[];
  readonly keyOf: (row: Row) => string;
  /** Fetches the rows, if they are not requested by position. */
  readonly useRows?: (path: string, query: Query) => Pages<Row>;
}

export interface Listed<Row> extends Omit<ListOptions<Row>, 'useRows'> {
  /** Values in the address. */
  readonly values: FilterValues;
  readonly setValues: (values: FilterValues) => void;
  readonly order: string;
  readonly setOrder: (order: string) => void;
  /** Filters without the order: the query that finds the same rows. */
  readonly asked: FilterValues;
  readonly query: Query;
  readonly pages: Pages<Row>;
  readonly choice: Choice<Row>;
  /** Number of marked rows. */
  readonly marked: number;
  /** Returns the marked rows, fetched or not. */
  readonly markedRows: () => Promise<Result<readonly Row[]>>;
}

export function useList<Row>({ useRows = usePlaces, ...options }: ListOptions<Row>): Listed<Row> {
  const { path, of, filters, keyOf } = options;
  const [values, setValues] = useFilters(filters.map(({ name }) => name));
  const [{ order }, setOrder] = useFilters(['order']);
  const filterQuery = askedOf(filters, values);
  const query = { ...of, ...filterQuery, order };
  const pages = useRows(path, query);
  const choice = useChoice(JSON.stringify({ ...of, ...filterQuery }), keyOf);
  return {
    ...options,
    values,
    setValues,
    order,
    asked: filterQuery,
    query,
    setOrder: (next) => setOrder({ order: next }),
    pages,
    choice,
    marked: choice.isAll ? (pages.total ?? 0) - choice.told.size : choice.told.size,
    markedRows: async () => {
      if (!choice.isAll) return resultOf([...choice.told.values()]);
      const every = await everyRow<Row>(path, query);
      return every.ok ? resultOf(every.value.filter(choice.has)) : every;
    },
  };
}
