/** Products that wait to be mended, NCM by NCM: deactivated by the system, or about to be. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Answer, AttributeTableImpact, ImportStarted, ListedAttributeTable } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Query } from '../api/client.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { CHANGES, ChangeMany } from '../produtos/change-many.tsx';
import { PRODUCT_PAGES } from '../produtos/product.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Card, Fetched } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { type Column, Empty, Table } from '../ui/table.tsx';
import { count, counted, day as dayText, ncmText } from '../words.ts';
import { TABLES, productAddress } from './words.ts';

/** Deactivated by the system; any other source is the number of a table that would make products invalid. */
const BY_SYSTEM = 'sistema';

export function Mend(): JSX.Element {
  const company = useCompany();
  const [{ fonte }, setFilters] = useFilters(['fonte']);
  const tables = useResource<readonly ListedAttributeTable[]>(TABLES);
  // An agent chooses whose catalogue to look into.
  if (company === '') return <Empty>Escolha uma empresa para ver os produtos dela.</Empty>;
  const source = fonte === '' ? BY_SYSTEM : fonte;
  const next = tables.value?.find(({ id }) => String(id) === source);
  return (
    <div class="stack">
      <div class="filters">
        <Select
          label="Quais"
          value={source}
          options={sourcesOf(tables.value ?? [])}
          onChange={(chosen) => setFilters({ fonte: chosen === BY_SYSTEM ? '' : chosen })}
        />
      </div>
      {source === BY_SYSTEM ? (
        <Deactivated key={company} company={company} />
      ) : (
        <Invalid
          key={`${company} ${source}`}
          {...{ company, table: source, on: next?.scheduledOn[0] ?? '' }}
        />
      )}
    </div>
  );
}

const sourcesOf = (tables: readonly ListedAttributeTable[]) => [
  { value: BY_SYSTEM, label: 'Desativados pelo sistema' },
  ...tables
    .filter(({ inForce }) => !inForce)
    .map(({ id, versao, scheduledOn: [on] }) => ({
      value: String(id),
      label: `Inválidos na tabela ${versao}${on === undefined ? '' : `, a partir de ${dayText(on)}`}`,
    })),
];

interface Waiting {
  readonly codigo: number;
  readonly ncm: string;
  /** Why it would be refused; empty where only a dry run tells. */
  readonly reasons: readonly string[];
}

function Deactivated({ company }: { readonly company: string }): JSX.Element {
  const filter = { deactivatedBySystem: true };
  const page = useResource<Answer<'listProductPage'>>(PRODUCT_PAGES, {
    query: { cpfCnpjRaiz: company, ...filter, order: 'ncm', limit: SHOWN },
  });
  return (
    <Fetched of={page} lines={8}>
      {({ items, total }) =>
        total === 0 ? (
          <Notice tone="good">Nenhum produto desta empresa está desativado pelo sistema.</Notice>
        ) : (
          <WaitingCard
            {...{ company, total }}
            waiting={items.map(({ codigo, ncm }) => ({ codigo, ncm: ncm ?? '', reasons: [] }))}
            filter={filter}
          />
        )
      }
    </Fetched>
  );
}

const SHOWN = 500;

function Invalid({
  company,
  table,
  on,
}: {
  readonly company: string;
  readonly table: string;
  readonly on: string;
}): JSX.Element {
  const impact = useResource<AttributeTableImpact>(`${TABLES}/${table}/impact`, {
    query: on === '' ? {} : { on },
  });
  return (
    <Fetched of={impact} lines={8}>
      {({ invalid }) => {
        const own = invalid.filter(({ cpfCnpjRaiz }) => cpfCnpjRaiz === company);
        return own.length === 0 ? (
          <Notice tone="good">Nenhum produto desta empresa deixaria de ser válido.</Notice>
        ) : (
          <WaitingCard
            {...{ company, total: own.length }}
            waiting={own.map(({ codigo, ncm, problems }) => ({
              ...{ codigo, ncm, reasons: problems.map(({ message }) => message) },
            }))}
          />
        );
      }}
    </Fetched>
  );
}

interface WaitingCardProps {
  readonly company: string;
  readonly waiting: readonly Waiting[];
  readonly total: number;
  /** Of deactivated products, which are to be activated: what finds them. */
  readonly filter?: Query;
}

interface OfNcm {
  readonly ncm: string;
  readonly codigos: readonly number[];
  readonly reasons: readonly string[];
}

function WaitingCard({ company, waiting, total, filter }: WaitingCardProps): JSX.Element {
  const [, navigate] = useLocation();
  const [mended, setMended] = useState<OfNcm>();
  const mayWrite = rolesOf(useSession()).includes('representative');
  const trying = useAction(
    () => api.post<ImportStarted>(CHANGES, { cpfCnpjRaiz: company, filter, reactivate: true, simular: true }),
    ({ id }) => navigate(`/importar/${id}?cpfCnpjRaiz=${company}`),
  );
  const columns: readonly Column<OfNcm>[] = [
    {
      ...{ key: 'ncm', title: 'NCM', code: true },
      cell: ({ ncm }) => <span class="attributes-ncm">{ncmText(ncm)}</span>,
    },
    { key: 'products', title: 'Produtos', cell: (one) => <Products company={company} of={one} /> },
    ...(filter === undefined
      ? [{ key: 'reasons', title: 'O que falta', cell: ({ reasons }: OfNcm) => <Reasons of={reasons} /> }]
      : []),
    ...(mayWrite
      ? [
          {
            ...{ key: 'mend', title: 'Ação' },
            cell: (one: OfNcm) => (
              <Button small label={`Corrigir os da NCM ${ncmText(one.ncm)}`} onPress={() => setMended(one)}>
                Corrigir
              </Button>
            ),
          },
        ]
      : []),
  ];
  return (
    <Card title={counted(total, 'produto a corrigir', 'produtos a corrigir')}>
      <div class="stack">
        {total > waiting.length && <p class="muted">Por NCM, os primeiros {count(waiting.length)}.</p>}
        <Table
          caption="Produtos a corrigir"
          columns={columns}
          rows={byNcm(waiting)}
          rowKey={({ ncm }) => ncm}
        />
        {filter !== undefined && mayWrite && (
          <Actions>
            <Button busy={trying.busy} onPress={() => void trying.run()}>
              Conferir o que falta em cada um
            </Button>
          </Actions>
        )}
        <ErrorAlert error={trying.error} />
      </div>
      {mended !== undefined && (
        <ChangeMany
          {...{ company, ncm: mended.ncm, reactivates: filter !== undefined }}
          chosen={mended.codigos}
          onClose={() => setMended(undefined)}
        />
      )}
    </Card>
  );
}

function byNcm(waiting: readonly Waiting[]): readonly OfNcm[] {
  const groups = Map.groupBy(waiting, ({ ncm }) => ncm);
  return [...groups].map(([ncm, products]) => ({
    ncm,
    codigos: products.map(({ codigo }) => codigo),
    reasons: [...new Set(products.flatMap(({ reasons }) => reasons))],
  }));
}

const NAMED = 5;

const Products = ({ company, of }: { readonly company: string; readonly of: OfNcm }): JSX.Element => (
  <>
    {of.codigos.slice(0, NAMED).map((codigo, at) => (
      <span key={codigo}>
        {at > 0 && ', '}
        <Link href={productAddress({ cpfCnpjRaiz: company, codigo })}>{codigo}</Link>
      </span>
    ))}
    {of.codigos.length > NAMED && ` e mais ${count(of.codigos.length - NAMED)}`}
  </>
);

const Reasons = ({ of }: { readonly of: readonly string[] }): JSX.Element => (
  <ul class="plain">
    {of.map((reason) => (
      <li key={reason}>{reason}</li>
    ))}
  </ul>
);
