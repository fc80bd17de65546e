/** Paged list as a table with rows of any height and a button for more. */
import type { Pages } from '../../api/use-pages.ts';
import { ErrorAlert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/progress.tsx';
import { Table, type TableProps } from '../../ui/table.tsx';

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  readonly pages: Pages<Row>;
  /** Label of the button; '' if no rows are left. */
  readonly more?: string;
}

export function PagedTable<Row>({
  pages: { rows, total, isComplete, error, isBusy, need, reload },
  more = 'Mostrar mais',
  ...table
}: PagedTableProps<Row>) {
  if (total === undefined && error === undefined) return <Skeleton />;
  return (
    <>
      <ErrorAlert error={error} onRetry={reload} />
      {total !== undefined && <Table {...table} rows={rows} />}
      {total !== undefined && !isComplete && more !== '' && (
        <Button isBusy={isBusy} onPress={() => need(rows.length + 1)}>
          {more}
        </Button>
      )}
    </>
  );
}
