/** The operators that the filters of the address find, however many. */
import type { JSX } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import type { PagedForeignOperator } from '../api/answers.ts';
import type { ApiError } from '../api/result.ts';
import { addressFor, useCompany } from '../api/use-company.ts';
import { type Filters, useFilters } from '../api/use-filters.ts';
import { usePages } from '../api/use-pages.ts';
import { sheetOfList } from '../importar/sheet/listed.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { useColumns } from '../ui/column-chooser.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { COUNTRIES } from '../ui/countries.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { Checkbox, Input } from '../ui/field.tsx';
import { FilterBar } from '../ui/page.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { Empty } from '../ui/table.tsx';
import { useFollowing } from '../ui/use-following.ts';
import { VirtualTable } from '../ui/virtual-table.tsx';
import { counted } from '../words.ts';
import { COLUMNS, SHEET } from './columns.tsx';
import { addressOf, OPERATOR_PAGES } from './operator.ts';

const FILTERS = ['nome', 'paisOrigem', 'tin', 'codigo', 'codigoInterno', 'exibirDesativados'] as const;
type OperatorFilters = Filters<(typeof FILTERS)[number]>;

export function OperatorList({ canWrite }: { readonly canWrite: boolean }): JSX.Element {
  const company = useCompany();
  const [, navigate] = useLocation();
  const [filters, setFilters] = useFilters(FILTERS);
  const [{ order }, setOrder] = useFilters(['order']);
  const { shown, chooser } = useColumns('operadores', COLUMNS);
  const query = { cpfCnpjRaiz: company, ...filters, order };
  const operators = usePages<PagedForeignOperator>(OPERATOR_PAGES, query);
  const { total, rows, error } = operators;
  const sheet = {
    ...{ path: OPERATOR_PAGES, query, columns: SHEET },
    ...{ name: `operadores-${company}`, title: 'Operadores' },
  };
  return (
    <div class="stack">
      <OperatorFilterBar {...{ filters, error }} onFilter={setFilters} />
      <ErrorAlert error={error} onRetry={operators.reload} />
      {total === undefined && error === undefined && <Skeleton lines={8} />}
      {total === 0 && <NoOperators {...{ filters, canWrite, company }} />}
      {total !== undefined && total > 0 && (
        <>
          <div class="list-bar">
            <p role="status" aria-busy={operators.loading ? 'true' : undefined}>
              {counted(total, 'operador', 'operadores')}
            </p>
            <div class="actions">
              {chooser}
              <DownloadButton small make={() => sheetOfList('csv', sheet)} fallbackName="operadores.csv">
                Baixar CSV
              </DownloadButton>
              <DownloadButton small make={() => sheetOfList('xlsx', sheet)} fallbackName="operadores.xlsx">
                Baixar XLSX
              </DownloadButton>
            </div>
          </div>
          <VirtualTable
            caption="Operadores estrangeiros"
            columns={shown}
            order={order === '' ? 'codigo' : order}
            onOrder={(next) => setOrder({ order: next })}
            count={total}
            row={(index) => rows[index]}
            onOpen={(operator) => navigate(addressOf(operator))}
            onShown={(_, to) => operators.need(to)}
            of={JSON.stringify(query)}
          />
        </>
      )}
    </div>
  );
}

function OperatorFilterBar({
  filters,
  error,
  onFilter,
}: {
  readonly filters: OperatorFilters;
  readonly error: ApiError | undefined;
  readonly onFilter: (filters: OperatorFilters) => void;
}): JSX.Element {
  // The address may change by itself: a link, the way back.
  const [typed, setTyped] = useFollowing(filters);
  const bound = (name: keyof OperatorFilters) => ({
    name,
    value: typed[name],
    onChange: (value: string) => setTyped((before) => ({ ...before, [name]: value })),
    error: error?.problems.find(({ place }) => place === name)?.message,
  });
  const tidied = (): OperatorFilters => ({
    ...typed,
    ...{ nome: typed.nome.trim(), tin: typed.tin.trim() },
    ...{ codigo: typed.codigo.trim(), codigoInterno: typed.codigoInterno.trim() },
  });
  return (
    <FilterBar onFilter={() => onFilter(tidied())}>
      <Input label="Nome" {...bound('nome')} />
      <Combobox label="País" placeholder="Sigla ou nome" options={COUNTRIES} {...bound('paisOrigem')} />
      <Input label="TIN" code {...bound('tin')} />
      <Input label="Código" code placeholder="OPE_1" {...bound('codigo')} />
      <Input label="Código interno" code {...bound('codigoInterno')} />
      <div class="operators-filter-rest">
        <Checkbox
          label="Mostrar também os desativados"
          value={typed.exibirDesativados === 'true'}
          onChange={(on) => setTyped((before) => ({ ...before, exibirDesativados: on ? 'true' : '' }))}
        />
      </div>
    </FilterBar>
  );
}

function NoOperators({
  filters,
  canWrite,
  company,
}: {
  readonly filters: OperatorFilters;
  readonly canWrite: boolean;
  readonly company: string;
}): JSX.Element {
  if (Object.values(filters).some((value) => value !== ''))
    return <Empty>Nenhum operador com esses filtros.</Empty>;
  return (
    <Empty>
      <p>Ainda não há operadores estrangeiros neste catálogo.</p>
      {canWrite && (
        <p>
          Comece por <Link href={`${addressFor('/operadores', company)}&novo=1`}>um operador novo</Link>, ou{' '}
          <Link href={addressFor('/importar', company)}>importe um arquivo</Link>.
        </p>
      )}
    </Empty>
  );
}
