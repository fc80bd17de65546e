/**
 * List component of all pages: filters, count, column chooser, selection, download, and a message for an
 * empty list.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useAction } from '../../api/use-action.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Actions, Button } from '../../ui/button.tsx';
import { focusTable } from '../../ui/focus-table.ts';
import { Skeleton } from '../../ui/progress.tsx';
import { type Column, EmptyList, Table } from '../../ui/table.tsx';
import { useCopyOf } from '../../ui/use-copy-of.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { countText, withCount } from '../../words.ts';
import { type ListColumn, useColumns } from './column-chooser.tsx';
import type { Choice } from './choice.ts';
import { type DownloadedColumns, Downloads } from './downloads.tsx';
import { isFiltered, ListFilters, normalized } from './filters.tsx';
import { SavedFilters } from './saved-filters.tsx';
import type { ListState } from './use-list.ts';

export interface ListProps<Row> {
  readonly list: ListState<Row>;
  /** Name of the downloaded file and key of the stored columns. */
  readonly name: string;
  /** `produto`, `produtos`, `Nenhum produto` */
  readonly words: readonly [singular: string, plural: string, none: string];
  readonly caption: string;
  /** Must be the same in every render while the columns do not change. */
  readonly columns: readonly ListColumn<Row>[];
  /** Called when the user opens the choice of columns. */
  readonly onColumns?: () => void;
  /** Default order. */
  readonly defaultOrder?: string;
  readonly openAt?: (row: Row) => string;
  /** Opens a row next to the list, if it has no address. */
  readonly onOpen?: (row: Row) => void;
  /** Enables selection. Returns the label of the checkbox of a row. Must be the same in every render. */
  readonly choose?: ((row: Row) => string) | undefined;
  /** Actions for the list or for the marked rows. */
  readonly actions?: ComponentChildren;
  /** Content above the rows. */
  readonly note?: ComponentChildren;
  /** Content for an empty list without filters. */
  readonly nothing: ComponentChildren;
  /** Default: all columns, visible or not. */
  readonly downloads?: DownloadedColumns;
  /** Rows of any height, newest first: `step` rows initially, at most `max` in total. */
  readonly newest?: { readonly step: number; readonly max?: number };
}

export function List<Row>(props: ListProps<Row>) {
  const { list, words, note, nothing } = props;
  const { filters, values, setValues, pages } = list;
  const { total, error, reload } = pages;
  const { visibleColumns, chooser } = useColumns(props.name, props.columns, props.onColumns);
  return (
    <div class="stack">
      {total !== undefined && total > 0 && (
        <button type="button" class="skip" onClick={focusTable}>
          Ir para a lista
        </button>
      )}
      <ListFilters filters={filters} values={values} error={error} onFilter={setValues} />
      <SavedFilters
        list={props.name}
        values={normalized(filters, values)}
        onFilter={(saved) => setValues(normalized(filters, saved))}
      />
      <ErrorAlert error={error} onRetry={reload} />
      {error === undefined && note}
      {total === undefined && error === undefined && <Skeleton lines={8} />}
      {total === 0 && (
        <EmptyList>{isFiltered(values) ? `${words[2]} com esses filtros.` : nothing}</EmptyList>
      )}
      {total !== undefined && total > 0 && (
        <>
          <ListBar {...props} total={total} visibleColumns={visibleColumns} chooser={chooser} />
          {props.newest === undefined ? (
            <RowGrid {...props} total={total} visibleColumns={visibleColumns} />
          ) : (
            <Newest {...props} visibleColumns={visibleColumns} newest={props.newest} />
          )}
        </>
      )}
    </div>
  );
}

type PartProps<Row> = ListProps<Row> & { readonly visibleColumns: readonly ListColumn<Row>[] };

/** Number of rows and possible actions. */
function ListBar<Row>(
  props: PartProps<Row> & { readonly total: number; readonly chooser: JSX.Element | undefined },
) {
  const { list, words, total, visibleColumns, chooser, actions, newest, choose } = props;
  const { path, query, pages, choice } = list;
  const marked = choose === undefined ? 0 : list.marked;
  const [singular, plural] = words;
  return (
    <>
      <div class="list-bar">
        <p role="status" aria-busy={pages.isLoading ? 'true' : undefined}>
          {newest === undefined || pages.isComplete
            ? `${pages.totalIsExact ? '' : 'cerca de '}${withCount(total, singular, plural)}`
            : `As ${countText(pages.rows.length)} mais novas`}
          {marked > 0 && ` · ${withCount(marked, 'escolhido', 'escolhidos')}`}
        </p>
        <div class="actions">
          {actions}
          {marked > 0 && (
            <Button small kind="bare" onPress={choice.clear}>
              Desmarcar
            </Button>
          )}
          {choose !== undefined && marked < total && (
            <Button small kind="bare" onPress={choice.markAll}>
              Marcar todos ({countText(total)})
            </Button>
          )}
          {chooser}
          <Downloads
            path={path}
            name={props.name}
            query={query}
            columns={props.downloads}
            visibleTargets={visibleColumns.flatMap(({ key, targets = [key] }) => targets)}
            hasXlsx={newest === undefined}
          />
        </div>
      </div>
    </>
  );
}

/** Rows of equal height in any number: only visible ones are fetched and rendered. */
function RowGrid<Row>(props: PartProps<Row> & { readonly total: number }) {
  const { list, caption, visibleColumns, total, choose, openAt, onOpen, defaultOrder = '' } = props;
  const { pages, query, order, choice } = list;
  const [, navigate] = useLocation();
  const columns = useMemo(
    () => (choose === undefined ? visibleColumns : [chooseColumn(choice, choose), ...visibleColumns]),
    [choose, choice, visibleColumns],
  );
  const marking = useAction(async (from: number, to: number, isMarked: boolean) => {
    const rows = await list.rowsBetween(from, to);
    if (rows.ok) choice.mark(rows.value, isMarked);
    return rows;
  });
  return (
    <>
      <ErrorAlert error={marking.error} />
      <VirtualTable
        caption={caption}
        columns={columns}
        count={total}
        row={(index) => pages.rows[index]}
        order={order === '' ? defaultOrder : order}
        onOrder={list.setOrder}
        {...(onOpen && { onOpen })}
        {...(openAt && { onOpen: (row: Row) => navigate(openAt(row)) })}
        {...(choose && {
          onMarkAll: choice.markAll,
          onMark: (row: Row) => choice.mark([row]),
          onMarkRange: (from: number, to: number, isMarked: boolean) => void marking.run(from, to, isMarked),
        })}
        onVisibleRange={(from, to) => pages.need(to, from)}
        queryKey={JSON.stringify(query)}
      />
    </>
  );
}

const chooseColumn = <Row,>({ has, mark }: Choice<Row>, nameOf: (row: Row) => string): Column<Row> => ({
  key: 'choose',
  title: 'Marcar',
  isTitleHidden: true,
  width: 42,
  cell: (row) => (
    <input
      type="checkbox"
      class="list-choose"
      aria-label={`Escolher ${nameOf(row)}`}
      checked={has(row)}
      // With Shift it ends a range, which the table marks.
      onClick={({ shiftKey }) => shiftKey || mark([row])}
    />
  ),
});

/** Rows of any height, with a button for more. */
function Newest<Row>(props: PartProps<Row> & { readonly newest: NonNullable<ListProps<Row>['newest']> }) {
  const { list, caption, visibleColumns, newest } = props;
  const { step, max = Infinity } = newest;
  const { rows, isComplete, isBusy, need } = list.pages;
  // A new query starts at its newest row.
  const [{ visibleCount }, setVisible] = useCopyOf({ query: list.query, visibleCount: step });
  const more = (): void => {
    setVisible((before) => ({ ...before, visibleCount: before.visibleCount + step }));
    need(visibleCount + step);
  };
  return (
    <>
      <Table
        caption={caption}
        columns={visibleColumns}
        rows={rows.slice(0, visibleCount)}
        rowKey={list.keyOf}
      />
      {(isComplete ? rows.length > visibleCount : visibleCount < max) && (
        <Actions>
          <Button isBusy={isBusy} onPress={more}>
            Mostrar mais
          </Button>
        </Actions>
      )}
    </>
  );
}
