/** List of the server: query from the address, results and selection. */
import type { Query } from '../../api/client.ts';
import { everyRow } from '../../api/pages.ts';
import { type Result, resultOf } from '../../api/result.ts';
import { useFilters } from '../../api/use-filters.ts';
import { type Pages, usePages } from '../../api/use-pages.ts';
import { type Choice, useChoice } from './choice.ts';
import { apiQueryOf, type Filter, type FilterValues } from './filters.tsx';

export interface ListOptions<Row> {
  readonly path: string;
  /** Query in addition to the filters. */
  readonly baseQuery?: Query;
  /** Must be the same in every render, as must `keyOf`. */
  readonly filters: readonly Filter[];
  readonly keyOf: (row: Row) => string;
  /** Fetches the rows, if they are not requested by position. */
  readonly useRows?: (path: string, query: Query) => Pages<Row>;
}

export interface ListState<Row> extends Omit<ListOptions<Row>, 'useRows'> {
  /** Values in the address. */
  readonly values: FilterValues;
  readonly setValues: (values: FilterValues) => void;
  readonly order: string;
  readonly setOrder: (order: string) => void;
  /** Filters without the order: the query that finds the same rows. */
  readonly apiFilter: FilterValues;
  readonly query: Query;
  readonly pages: Pages<Row>;
  readonly choice: Choice<Row>;
  /** Number of marked rows. */
  readonly marked: number;
  /** Returns the rows from `from` to before `to`, fetched or not. */
  readonly rowsBetween: (from: number, to: number) => Promise<Result<readonly Row[]>>;
  /** Returns the marked rows, fetched or not. */
  readonly markedRows: () => Promise<Result<readonly Row[]>>;
}

const useRowsByPosition = <Row>(path: string, query: Query): Pages<Row> =>
  usePages<Row>(path, query, { hasPositions: true });

export function useList<Row>({ useRows = useRowsByPosition, ...options }: ListOptions<Row>): ListState<Row> {
  const { path, baseQuery, filters, keyOf } = options;
  const [values, setValues] = useFilters(filters.map(({ name }) => name));
  const [{ order }, setOrder] = useFilters(['order']);
  const filterQuery = apiQueryOf(filters, values);
  const query = { ...baseQuery, ...filterQuery, order };
  const pages = useRows(path, query);
  const choice = useChoice(JSON.stringify({ ...baseQuery, ...filterQuery }), keyOf);
  return {
    ...options,
    values,
    setValues,
    order,
    apiFilter: filterQuery,
    query,
    setOrder: (next) => setOrder({ order: next }),
    pages,
    choice,
    marked: choice.isAll ? (pages.total ?? 0) - choice.exceptions.size : choice.exceptions.size,
    rowsBetween: async (from, to) => {
      const loadedRows = pages.rows.slice(from, to).filter((row) => row !== undefined);
      return loadedRows.length === to - from
        ? resultOf(loadedRows)
        : everyRow<Row>(path, query, {}, { from, to });
    },
    markedRows: async () => {
      if (!choice.isAll) return resultOf([...choice.exceptions.values()]);
      const every = await everyRow<Row>(path, query);
      return every.ok ? resultOf(every.value.filter(choice.has)) : every;
    },
  };
}
