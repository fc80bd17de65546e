/** The links in force, of the company, of a product, of an operator; some, or all, are taken away. */
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { PagedLink } from '../api/answers.ts';
import { everyRow } from '../api/pages.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { useAction } from '../api/use-action.ts';
import { type Filters, useFilters } from '../api/use-filters.ts';
import { usePages } from '../api/use-pages.ts';
import { sheetOfList } from '../importar/sheet/listed.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { DownloadButton } from '../ui/download-button.tsx';
import { FilterBar } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Empty } from '../ui/table.tsx';
import { useFollowing } from '../ui/use-following.ts';
import { VirtualTable } from '../ui/virtual-table.tsx';
import { counted } from '../words.ts';
import { columnsFor, SHEET } from './columns.tsx';
import { OperatorField, ProductField } from './fields.tsx';
import { keyOf, LINK_PAGES } from './maker.ts';
import { Unlinking } from './unlinking.tsx';
import { useWaits } from './waits.ts';

const FILTERS = ['codigoProduto', 'codigoOperadorEstrangeiro'] as const;

export function LinkList({ canWrite }: { readonly canWrite: boolean }): JSX.Element {
  const company = useCompany();
  const [filters, setFilters] = useFilters(FILTERS);
  const query = { cpfCnpjRaiz: company, ...filters };
  const links = usePages<PagedLink>(LINK_PAGES, query);
  const { total, rows, error, reload } = links;
  const [chosen, setChosen] = useState<ReadonlyMap<string, PagedLink>>(new Map());
  const [leaving, setLeaving] = useState<readonly PagedLink[]>();
  const toggle = (link: PagedLink): void =>
    setChosen((before) => {
      const after = new Map(before);
      if (!after.delete(keyOf(link))) after.set(keyOf(link), link);
      return after;
    });
  const columns = useMemo(
    () =>
      columnsFor({
        ...{ cpfCnpjRaiz: company, chosen: canWrite ? new Set(chosen.keys()) : undefined },
        ...{ onToggle: toggle, onUnlink: (link) => setLeaving([link]) },
      }),
    [company, canWrite, chosen],
  );
  const choosing = useAction(() => everyRow<PagedLink>(LINK_PAGES, query));
  const chooseAll = async (): Promise<void> => {
    const all = await choosing.run();
    if (all !== undefined) setChosen(new Map(all.map((link) => [keyOf(link), link])));
  };
  const sheet = {
    ...{ path: LINK_PAGES, query, columns: SHEET },
    ...{ name: `vinculos-${company}`, title: 'Vínculos' },
  };
  return (
    <div class="stack">
      <LinkFilterBar
        {...{ cpfCnpjRaiz: company, filters }}
        onFilter={(next) => {
          setChosen(new Map());
          setFilters(next);
        }}
      />
      <ErrorAlert error={error ?? choosing.error} onRetry={reload} />
      {total === undefined && error === undefined && <Skeleton lines={8} />}
      {total === 0 && <NoLinks {...{ filters, canWrite, company }} />}
      {total !== undefined && total > 0 && (
        <>
          <div class="list-bar">
            <p role="status" aria-busy={links.loading ? 'true' : undefined}>
              {links.totalIsExact ? '' : 'cerca de '}
              {counted(total, 'vínculo', 'vínculos')}
            </p>
            <div class="actions">
              {canWrite && chosen.size > 0 && (
                <>
                  <Button small kind="danger" onPress={() => setLeaving([...chosen.values()])}>
                    Desvincular {counted(chosen.size, 'escolhido', 'escolhidos')}
                  </Button>
                  <Button small kind="bare" onPress={() => setChosen(new Map())}>
                    Nenhum
                  </Button>
                </>
              )}
              {canWrite && chosen.size < total && (
                <Button small kind="bare" busy={choosing.busy} onPress={() => void chooseAll()}>
                  Escolher todos
                </Button>
              )}
              <DownloadButton small make={() => sheetOfList('csv', sheet)} fallbackName="vinculos.csv">
                Baixar CSV
              </DownloadButton>
              <DownloadButton small make={() => sheetOfList('xlsx', sheet)} fallbackName="vinculos.xlsx">
                Baixar XLSX
              </DownloadButton>
            </div>
          </div>
          <VirtualTable
            caption="Vínculos em vigor"
            columns={columns}
            count={total}
            row={(index) => rows[index]}
            {...(canWrite && { onToggle: toggle })}
            onShown={(_, to) => links.need(to)}
            of={JSON.stringify(filters)}
          />
        </>
      )}
      {leaving !== undefined && (
        <Unlinking
          cpfCnpjRaiz={company}
          links={leaving}
          onDone={() => {
            setLeaving(undefined);
            setChosen(new Map());
            reload();
          }}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </div>
  );
}

type LinkFilters = Filters<(typeof FILTERS)[number]>;

function LinkFilterBar({
  cpfCnpjRaiz,
  filters,
  onFilter,
}: {
  readonly cpfCnpjRaiz: string;
  readonly filters: LinkFilters;
  readonly onFilter: (filters: LinkFilters) => void;
}): JSX.Element {
  // The address may change by itself: a link, the way back.
  const [typed, setTyped] = useFollowing(filters);
  const typedRef = useRef(typed);
  useLayoutEffect(() => {
    typedRef.current = typed;
  });
  const waits = useWaits();
  const filter = async (): Promise<void> => {
    await waits.over();
    onFilter(typedRef.current);
  };
  return (
    <FilterBar onFilter={() => void filter()}>
      <ProductField
        label="Produto"
        withDeactivated
        {...{ cpfCnpjRaiz, waits, value: typed.codigoProduto }}
        onChange={(codigoProduto) => setTyped((before) => ({ ...before, codigoProduto }))}
      />
      <OperatorField
        label="Operador estrangeiro"
        withDeactivated
        {...{ cpfCnpjRaiz, waits, value: typed.codigoOperadorEstrangeiro }}
        onChange={(codigoOperadorEstrangeiro) =>
          setTyped((before) => ({ ...before, codigoOperadorEstrangeiro }))
        }
      />
    </FilterBar>
  );
}

function NoLinks({
  filters,
  canWrite,
  company,
}: {
  readonly filters: LinkFilters;
  readonly canWrite: boolean;
  readonly company: string;
}): JSX.Element {
  if (Object.values(filters).some((value) => value !== ''))
    return <Empty>Nenhum vínculo com esses filtros.</Empty>;
  return (
    <Empty>
      <p>Ainda não há vínculos entre produtos e fabricantes neste catálogo.</p>
      {canWrite && (
        <p>
          Comece por <Link href={`${addressFor('/vinculos', company)}&novo=1`}>um vínculo novo</Link>, ou{' '}
          <Link href={addressFor('/importar', company)}>importe um arquivo</Link>.
        </p>
      )}
    </Empty>
  );
}
