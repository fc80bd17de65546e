/** The products that the filters of the address find, however many: only those that are seen are fetched and drawn. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { PagedProduct } from '../api/answers.ts';
import type { Query } from '../api/client.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { usePages } from '../api/use-pages.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { useColumns } from '../ui/column-chooser.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Empty } from '../ui/table.tsx';
import { VirtualTable } from '../ui/virtual-table.tsx';
import { counted, day } from '../words.ts';
import { chooseColumn, useChosen } from './chosen.tsx';
import { columnsFor } from './columns.tsx';
import { askedOf, FILTERS, isFiltered, type ProductFilters } from './filter.ts';
import { ProductFilterBar } from './filters.tsx';
import { addressOf, PRODUCT_PAGES } from './product.ts';
import { sheetOf } from './sheet.ts';
import { ChangeMany } from './change-many.tsx';

export function ProductList({ canWrite }: { readonly canWrite: boolean }): JSX.Element {
  const company = useCompany();
  const [, navigate] = useLocation();
  const [filters, setFilters] = useFilters(FILTERS);
  const [{ order }, setOrder] = useFilters(['order']);
  const query = askedOf(company, filters, order);
  const products = usePages<PagedProduct>(PRODUCT_PAGES, query);
  const all = useMemo(() => columnsFor(filters.dataReferencia), [filters.dataReferencia]);
  const { shown: columns, chooser } = useColumns('produtos', all);
  // Of a day of the past nothing can be changed.
  const canChange = canWrite && filters.dataReferencia === '';
  const { chosen, toggle, clear } = useChosen(JSON.stringify([company, filters]));
  const [isChanging, setChanging] = useState(false);
  const drawn = useMemo(
    () => (canChange ? [chooseColumn(chosen, toggle), ...columns] : columns),
    [canChange, chosen, toggle, columns],
  );
  const { total, rows, error } = products;
  return (
    <div class="stack">
      <ProductFilterBar filters={filters} onFilter={setFilters} error={error} />
      <ErrorAlert error={error} onRetry={products.reload} />
      {filters.dataReferencia !== '' && error === undefined && (
        <Notice tone="calm">Os produtos como estavam no fim de {day(filters.dataReferencia)}.</Notice>
      )}
      {total === undefined && error === undefined && <Skeleton lines={8} />}
      {total === 0 && <NoProducts filters={filters} canWrite={canWrite} company={company} />}
      {total !== undefined && total > 0 && (
        <>
          <div class="products-bar">
            <p role="status" aria-busy={products.loading ? 'true' : undefined}>
              {products.totalIsExact ? '' : 'cerca de '}
              {counted(total, 'produto', 'produtos')}
              {chosen.size > 0 && ` · ${counted(chosen.size, 'escolhido', 'escolhidos')}`}
            </p>
            <div class="actions">
              {chosen.size > 0 && (
                <Button small kind="bare" onPress={clear}>
                  Desmarcar
                </Button>
              )}
              {canChange && (
                <Button small icon="pencil" onPress={() => setChanging(true)}>
                  Alterar vários
                </Button>
              )}
              {chooser}
              <DownloadButton
                small
                make={() => sheetOf('csv', columns, query, total)}
                fallbackName="produtos.csv"
              >
                Baixar CSV
              </DownloadButton>
              <DownloadButton
                small
                make={() => sheetOf('xlsx', columns, query, total)}
                fallbackName="produtos.xlsx"
              >
                Baixar XLSX
              </DownloadButton>
            </div>
          </div>
          <VirtualTable
            caption="Produtos"
            columns={drawn}
            count={total}
            row={(index) => rows[index]}
            order={order === '' ? 'codigo' : order}
            onOrder={(next) => setOrder({ order: next })}
            onOpen={(product) => navigate(addressOf(product, { dataReferencia: filters.dataReferencia }))}
            {...(canChange && { onToggle: toggle })}
            onShown={(_, to) => products.need(to)}
            of={JSON.stringify(query)}
          />
        </>
      )}
      {isChanging && (
        <ChangeMany
          company={company}
          chosen={[...chosen]}
          found={{ filter: filterOf(query), total: total ?? 0, isFiltered: isFiltered(filters) }}
          ncm={filters.ncm}
          onClose={() => setChanging(false)}
        />
      )}
    </div>
  );
}

/** What finds the same products: the question without its company and order, and without what is not asked. */
const filterOf = ({ cpfCnpjRaiz: _, order: __, ...asked }: Query): Query =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));

function NoProducts({
  filters,
  canWrite,
  company,
}: {
  readonly filters: ProductFilters;
  readonly canWrite: boolean;
  readonly company: string;
}): JSX.Element {
  if (isFiltered(filters)) return <Empty>Nenhum produto com esses filtros.</Empty>;
  return (
    <Empty>
      <p>Ainda não há produtos neste catálogo.</p>
      {canWrite && (
        <p>
          Comece por <Link href={addressFor('/produtos/novo', company)}>um produto novo</Link>, ou{' '}
          <Link href={addressFor('/importar', company)}>importe um arquivo</Link>.
        </p>
      )}
    </Empty>
  );
}
