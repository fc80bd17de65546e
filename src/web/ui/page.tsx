/** Layout of every page: title, main action, description; then filters and content. */
import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/use-resource.ts';
import { ErrorAlert } from './alert.tsx';
import { instead } from './form.tsx';
import { Skeleton } from './progress.tsx';
import { Table, type TableProps } from './table.tsx';
import { useTitle } from './company-name.tsx';

export interface PageLayoutProps {
  /** Text of the `h1`. It becomes the document title if it differs from the one in the table of pages. */
  readonly title: string;
  /** Buttons next to the title, the main one first. */
  readonly actions?: ComponentChildren;
  /** One sentence below the title. */
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ title, actions, about, children }: PageLayoutProps) {
  useTitle(title);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{title}</h1>
          {about !== undefined && <p class="muted">{about}</p>}
        </div>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

/** Section of a page with its own title. */
export const Card = ({
  title,
  actions,
  children,
}: {
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) => (
  <section class="card">
    <div class="card-head">
      <h2>{title}</h2>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
);

/** Fetched content: first a skeleton, then the value, or the refusal with a retry button. */
export const ResourceView = <T,>({
  resource: { value, isReady, error, reload },
  children,
  lines,
}: {
  readonly resource: Resource<T>;
  readonly children: (value: T) => ComponentChildren;
  readonly lines?: number;
}) => (
  <>
    <ErrorAlert error={error} onRetry={reload} />
    {isReady && children(value as T)}
    {!isReady && error === undefined && <Skeleton {...(lines !== undefined && { lines })} />}
  </>
);

/** Fetched rows as a table. */
export const ResourceTable = <Row,>({
  resource,
  ...table
}: Omit<TableProps<Row>, 'rows'> & { readonly resource: Resource<readonly Row[]> }) => (
  <ResourceView resource={resource}>{(rows) => <Table {...table} rows={rows} />}</ResourceView>
);

/** Filters in one line. Enter or the button applies them. */
export const FilterBar = ({
  onFilter,
  children,
  after,
}: {
  readonly onFilter: () => void;
  readonly children: ComponentChildren;
  /** Content after the button. */
  readonly after?: ComponentChildren;
}) => (
  <form class="filters" role="search" onSubmit={instead(onFilter)}>
    {children}
    <button type="submit" class="button quiet">
      Filtrar
    </button>
    {after}
  </form>
);
