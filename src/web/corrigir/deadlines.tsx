/**
 * Lists what will be required of the products of the selected company by day and NCM, with the number of
 * products that lack it.
 */
import { Link, useLocation } from 'wouter-preact';
import { useState } from 'preact/hooks';
import type { Deadline, ListedAttributeTable, DeadlinePage } from '../api/answers.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useSession } from '../api/session.ts';
import { usePages } from '../api/use-pages.ts';
import { lackingAddress } from '../deadline/address.ts';
import { Downloads } from '../kit/list/downloads.tsx';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/progress.tsx';
import { type Column, EmptyList } from '../ui/table.tsx';
import { VirtualTable } from '../ui/virtual-table.tsx';
import { Ncm, NcmDescription } from '../ui/ncm.tsx';
import { MODALIDADES } from '../produtos/product.ts';
import { countText, withCount, dayText } from '../words.ts';
import { Select } from '../ui/select.tsx';
import { queryOf } from '../api/client.ts';
import { useResource } from '../api/use-resource.ts';
import { TABLES } from '../atributos/words.ts';
import { Card } from '../ui/page.tsx';
import { CompanyName } from '../ui/company-name.tsx';
import { DeadlineKind } from './deadline-kind.tsx';
import { type AttributeDeadline, DeadlineDialog } from './deadline-dialog.tsx';

const PATH = '/appliance/api/deadlines';

const ALL_COMPANIES = 'todas';

export function Deadlines() {
  const company = useCompany();
  const { companies } = useSession();
  const [{ de }, setFilters] = useFilters(['de']);
  const showsAllCompanies = de === ALL_COMPANIES && companies.length > 1;
  return (
    <div class="stack">
      {companies.length > 1 && (
        <div class="filters">
          <Select
            label="De quem"
            value={showsAllCompanies ? ALL_COMPANIES : ''}
            options={[
              { value: '', label: 'Esta empresa' },
              { value: ALL_COMPANIES, label: 'Todas as minhas empresas' },
            ]}
            onChange={(value) => setFilters({ de: value })}
          />
        </div>
      )}
      <ComingTables />
      {showsAllCompanies ? (
        <DeadlinesOfAll />
      ) : (
        <>
          <Unconfirmed company={company} />
          <CompanyDeadlines company={company} />
        </>
      )}
    </div>
  );
}

function CompanyDeadlines({ company }: { readonly company: string }) {
  const query = { cpfCnpjRaiz: company };
  const [, navigate] = useLocation();
  const { rows, total, need, error, isLoading, reload } = usePages<Deadline>(PATH, query);
  if (error !== undefined) return <ErrorAlert error={error} onRetry={reload} />;
  if (total === undefined || (isLoading && rows.length === 0)) return <Skeleton lines={8} />;
  if (total === 0) return <EmptyList>Nada novo vai ser exigido dos produtos ativos desta empresa.</EmptyList>;
  return (
    <div class="stack">
      <p class="muted" role="status">
        {withCount(total, 'prazo', 'prazos')}
      </p>
      <Actions>
        <Downloads path={PATH} query={query} name={`prazos-${company}`} hasXlsx />
      </Actions>
      <VirtualTable
        caption="Prazos"
        columns={columnsFor(company)}
        count={total}
        row={(index) => rows[index]}
        onOpen={(deadline) => navigate(lackingAddress(company, deadline))}
        onVisibleRange={(_, to) => need(to)}
      />
    </div>
  );
}

const columnsFor = (company: string): readonly Column<Deadline>[] => [
  { key: 'on', title: 'A partir de', width: 110, cell: ({ on }) => dayText(on) },
  { key: 'kind', title: 'Prazo', width: 230, cell: (deadline) => <DeadlineKind {...deadline} /> },
  { key: 'ncm', title: 'NCM', width: 110, code: true, cell: ({ ncm }) => <Ncm code={ncm} /> },
  { key: 'words', title: 'O que é', cell: ({ ncm }) => <NcmDescription code={ncm} /> },
  {
    key: 'modalidade',
    title: 'Modalidade',
    width: 110,
    cell: ({ modalidade }) => (modalidade === null ? 'Todas' : MODALIDADES[modalidade]),
  },
  {
    key: 'attribute',
    title: 'Atributo',
    cell: ({ codigo, nome }) => (codigo === null ? 'A própria NCM termina' : `${nome} (${codigo})`),
  },
  {
    key: 'products',
    title: 'Produtos',
    width: 90,
    align: 'right',
    cell: ({ products }) => countText(products),
  },
  {
    key: 'missing',
    title: 'Sem valor',
    width: 110,
    align: 'right',
    cell: (deadline) =>
      deadline.missing === 0 ? (
        '0'
      ) : (
        <Link href={lackingAddress(company, deadline)}>{countText(deadline.missing)}</Link>
      ),
  },
];

/**
 * Lists future tables, each with a link to its impact on products. The impact is no deadline (section 19).
 */
function ComingTables() {
  const { value: tables = [] } = useResource<readonly ListedAttributeTable[]>(TABLES);
  const coming = tables.flatMap(({ id, versao, scheduledOn }) =>
    scheduledOn.map((on) => ({ id, versao, on })),
  );
  return (
    <>
      {coming
        .toSorted((a, b) => (a.on < b.on ? -1 : 1))
        .map(({ id, versao, on }) => (
          <p key={`${id} ${on}`}>
            A tabela {versao} entra em vigor em {dayText(on)}:{' '}
            <Link href={`/atributos${queryOf({ aba: 'tabelas', tabela: String(id), em: on })}`}>
              ver o que ela deixaria inválido
            </Link>
          </p>
        ))}
    </>
  );
}

/** Maximum number of listed changes. Further ones are only counted. */
const ROWS_MAX = 5;

/** Lists announced changes that the table in force did not confirm, as long as it is in force. */
function Unconfirmed({ company }: { readonly company: string }) {
  const { value } = useResource<DeadlinePage>('/appliance/api/deadlines', {
    query: { cpfCnpjRaiz: company, unconfirmed: true, limit: ROWS_MAX },
  });
  if (value === undefined || value.total === 0) return null;
  const { items, total } = value;
  return (
    <Notice tone="calm">
      <p>
        A tabela em vigor não confirmou{' '}
        {withCount(total, 'prazo anunciado, que deixou', 'prazos anunciados, que deixaram')} de valer:
      </p>
      <ul>
        {items.map(({ on, ncm, modalidade, codigo, nome }) => (
          <li key={[on, ncm, modalidade, codigo].join(' ')}>
            {dayText(on)}, <Ncm code={ncm} /> <NcmDescription code={ncm} />: <bdi>{nome}</bdi> ({codigo})
          </li>
        ))}
        {total > items.length && <li>e mais {countText(total - items.length)}</li>}
      </ul>
    </Notice>
  );
}

const MORE = 50;

/** Lists the deadlines of all companies of the user, each with the companies that lack a value. */
function DeadlinesOfAll() {
  const { rows, total, need, error, isLoading, isBusy, isComplete, reload } = usePages<Deadline>(PATH, {});
  const [opened, setOpened] = useState<AttributeDeadline>();
  if (error !== undefined) return <ErrorAlert error={error} onRetry={reload} />;
  if (total === undefined || (isLoading && rows.length === 0)) return <Skeleton lines={8} />;
  if (total === 0)
    return <EmptyList>Nada novo vai ser exigido dos produtos ativos das suas empresas.</EmptyList>;
  return (
    <div class="stack">
      <p class="muted" role="status">
        {withCount(total, 'prazo', 'prazos')}
      </p>
      <Actions>
        <Downloads path={PATH} query={{}} name="prazos" hasXlsx />
      </Actions>
      {rows.map((deadline) => (
        <DeadlineCard key={keyOf(deadline)} deadline={deadline} onFill={setOpened} />
      ))}
      {!isComplete && (
        <Actions>
          <Button isBusy={isBusy} onPress={() => need(rows.length + MORE)}>
            Mostrar mais ({countText(total - rows.length)})
          </Button>
        </Actions>
      )}
      {opened !== undefined && (
        <DeadlineDialog deadline={opened} onDone={reload} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

const keyOf = ({ on, kind, ncm, codigo, modalidade }: Deadline): string =>
  [on, kind, ncm, codigo, modalidade].join(' ');

function DeadlineCard(props: {
  readonly deadline: Deadline;
  readonly onFill: (deadline: AttributeDeadline) => void;
}) {
  const { deadline, onFill } = props;
  const { on, ncm, codigo, nome, companies = [] } = deadline;
  const lacking = companies.filter(({ missing }) => missing > 0);
  const name = codigo === null ? 'A própria NCM termina' : `${nome} (${codigo})`;
  return (
    <Card
      title={`${dayText(on)}: ${name}`}
      actions={
        codigo !== null &&
        lacking.length > 0 && (
          <Button
            kind="primary"
            small
            label={`Preencher ${name}, de ${dayText(on)}`}
            onPress={() => onFill({ ...deadline, codigo })}
          >
            Preencher
          </Button>
        )
      }
    >
      <p>
        <Ncm code={ncm} /> <NcmDescription code={ncm} /> · <DeadlineKind {...deadline} />
      </p>
      {lacking.length === 0 ? (
        <p class="muted">A nenhum produto das suas empresas falta o valor.</p>
      ) : (
        <ul class="panel-rows">
          {lacking.map((company) => (
            <li key={company.cpfCnpjRaiz}>
              <CompanyName {...company} />{' '}
              <Link
                href={lackingAddress(company.cpfCnpjRaiz, deadline)}
                aria-label={`${withCount(company.missing, 'produto', 'produtos')} de ${company.nome}`}
              >
                {withCount(company.missing, 'produto', 'produtos')}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
