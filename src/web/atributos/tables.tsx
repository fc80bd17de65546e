/** Lists the loaded tables: the one in force, scheduled ones, and the changes of each. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { PUBLISHED_TABLE } from '../../catalogue/attribute/words/published.ts';
import type {
  ListedAttributeTable,
  LoadedAttributeTable,
  AttributeTableOrigin,
  CatalogueSummary,
} from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { LoadCard } from '../ui/load-card.tsx';
import { Card, ResourceTable, ResourceView } from '../ui/page.tsx';
import { type Column, EmptyList } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { countText, withCount, dayText, momentText } from '../words.ts';
import { LastFetch } from '../ui/last-fetch.tsx';
import { api } from '../api/api.ts';
import { ConfirmSending } from '../ui/dialog.tsx';
import { Chart } from '../ui/chart.tsx';
import { useForm } from '../api/use-form.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Snippet } from '../ui/copy-button.tsx';
import { Input } from '../ui/field.tsx';
import { instead } from '../ui/form.tsx';
import { useAction } from '../api/use-action.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { ImpactCard } from './impact-card.tsx';
import { TABLES } from './words.ts';

export function Tables() {
  const tables = useResource<readonly ListedAttributeTable[]>(TABLES);
  const roles = rolesOf(useSession());
  const isAdministrator = roles.includes('administrator');
  const company = useCompany();
  const [{ tabela, em }, setFilters] = useFilters(['tabela', 'em']);
  const [activated, setActivated] = useState<ListedAttributeTable>();
  const [cancelled, setCancelled] = useState<Scheduled>();
  const selectedTable = tables.value?.find(({ id }) => String(id) === tabela);
  const onLoaded = ({ id, versao, ncms }: LoadedAttributeTable): void => {
    toast(`Tabela ${versao} carregada: ${withCount(ncms, 'NCM', 'NCMs')}. Ela ainda não está em vigor.`);
    tables.reload();
    setFilters({ tabela: String(id), em: '' });
  };
  const columns: readonly Column<ListedAttributeTable>[] = [
    { key: 'versao', title: 'Versão', cell: ({ versao }) => <bdi>{versao}</bdi> },
    { key: 'state', title: 'Situação', cell: (table) => <State {...table} /> },
    { key: 'ncms', title: 'NCMs', align: 'right', cell: ({ ncms }) => countText(ncms) },
    {
      key: 'attributes',
      title: 'Atributos',
      align: 'right',
      cell: ({ attributes }) => countText(attributes),
    },
    { key: 'loadedAt', title: 'Carregada em', cell: ({ loadedAt }) => momentText(loadedAt) },
    {
      key: 'do',
      title: 'Ações',
      align: 'right',
      cell: (table) => (
        <div class="attributes-row">
          <Actions>
            <Button
              small
              label={`Ver o que muda com a tabela ${table.versao}`}
              pressed={String(table.id) === tabela}
              onPress={() => setFilters({ tabela: String(table.id), em: '' })}
            >
              Ver o que muda
            </Button>
            {isAdministrator && !table.inForce && (
              <Button small label={`Ativar a tabela ${table.versao}`} onPress={() => setActivated(table)}>
                Ativar
              </Button>
            )}
            {isAdministrator &&
              table.scheduledOn.map((on) => (
                <Button
                  key={on}
                  small
                  kind="danger"
                  label={`Cancelar ${dayText(on)}: a entrada em vigor da tabela ${table.versao}`}
                  onPress={() => setCancelled({ table, on })}
                >
                  Cancelar {dayText(on)}
                </Button>
              ))}
          </Actions>
        </div>
      ),
    },
  ];
  return (
    <div class="stack">
      {isAdministrator && tables.value?.length === 0 && <FirstTable onLoaded={onLoaded} />}
      {isAdministrator && (
        <LoadCard<LoadedAttributeTable>
          title="Carregar uma tabela"
          drop="Solte aqui o arquivo público de atributos por NCM (JSON ou ZIP)"
          about="O arquivo é conferido por inteiro antes de ser guardado. Carregar não muda nada: depois se vê o que mudaria, e então se põe a tabela em vigor."
          path={TABLES}
          onLoaded={onLoaded}
        />
      )}
      <Card title="Tabelas carregadas">
        {/* The key resets the card: an activation decides on the fetched table. */}
        <Origin key={tables.value?.find(({ inForce }) => inForce)?.id} />
        <ResourceTable
          resource={tables}
          caption="Tabelas carregadas"
          columns={columns}
          rowKey={({ id }) => id}
          empty="Nenhuma tabela carregada: os atributos dos produtos não são conferidos."
        />
      </Card>
      {selectedTable !== undefined && (
        <ImpactCard
          key={selectedTable.id}
          table={selectedTable}
          on={em}
          onDay={(on) => setFilters({ em: on })}
          {...(isAdministrator &&
            !selectedTable.inForce && { onActivate: () => setActivated(selectedTable) })}
        />
      )}
      {company !== '' && roles.some((role) => role !== 'administrator') && tables.value !== undefined && (
        // A table that has just come into force adds deactivations.
        <EffectsCard key={`${company} ${tables.value.find(({ inForce }) => inForce)?.id}`} />
      )}
      {activated !== undefined && (
        <ActivateDialog
          table={activated}
          onClose={() => setActivated(undefined)}
          onDone={() => {
            setActivated(undefined);
            tables.reload();
          }}
        />
      )}
      {cancelled !== undefined && (
        <CancelDialog {...cancelled} onClose={() => setCancelled(undefined)} onDone={tables.reload} />
      )}
    </div>
  );
}

const State = ({ inForce, scheduledOn, keptBack }: ListedAttributeTable) => (
  <div class="attributes-states">
    {keptBack !== null && (
      <>
        <Badge tone="warn" icon="alert">
          Retida
        </Badge>
        <span class="muted">{keptBack}</span>
      </>
    )}
    {inForce && (
      <Badge tone="good" icon="check">
        Em vigor
      </Badge>
    )}
    {scheduledOn.map((on) => (
      <Badge key={on} icon="clock">
        A partir de {dayText(on)}
      </Badge>
    ))}
    {!inForce && scheduledOn.length === 0 && keptBack === null && <Badge tone="muted">Carregada</Badge>}
  </div>
);

/** Renders nothing when no source is configured. */
function Origin() {
  const { value } = useResource<AttributeTableOrigin>(`${TABLES}/origin`);
  if (value === undefined) return null;
  return (
    <LastFetch origin={value} subject="A tabela">
      {value.activates === 'sozinha'
        ? 'Uma tabela nova entra em vigor automaticamente, a não ser que lhe falte muito do que a atual tem.'
        : 'Uma tabela nova espera que alguém a ponha em vigor.'}
    </LastFetch>
  );
}

interface Scheduled {
  readonly table: ListedAttributeTable;
  /** A day of `scheduledOn`. */
  readonly on: string;
}

/** Cancels the scheduled activation of a table. */
const CancelDialog = ({
  table,
  on,
  onDone,
  onClose,
}: Scheduled & { readonly onDone: () => void; readonly onClose: () => void }) => (
  <ConfirmSending
    title={`A tabela ${table.versao} não entra mais em vigor em ${dayText(on)}?`}
    action="Cancelar a entrada em vigor"
    cancelLabel="Voltar"
    danger
    send={() => api.delete(`${TABLES}/${table.id}/activate`, undefined, { query: { on } })}
    doneText={`A tabela ${table.versao} não entra mais em vigor em ${dayText(on)}.`}
    onDone={onDone}
    onClose={onClose}
  >
    <p>A tabela continua carregada, e pode ser ativada depois. A que está em vigor hoje não muda.</p>
  </ConfirmSending>
);

const SERIES = [
  { name: 'Ativados de novo', tone: 'good' },
  { name: 'Ainda não ativados', tone: 'bad' },
] as const;
/** Number of the newest tables: public lists appear every three days. */
const ROWS_MAX = 30;

/**
 * Shows the products of the selected company that each table deactivated when it came into force, and how
 * many were reactivated.
 */
function EffectsCard() {
  const summary = useResource<CatalogueSummary>('/appliance/api/summary', {
    query: { cpfCnpjRaiz: useCompany() },
  });
  return (
    <Card title="Desativados por cada tabela, e reativados">
      <ResourceView resource={summary}>
        {({ tables }) =>
          tables.length === 0 ? (
            <EmptyList>Nenhuma tabela desativou produtos desta empresa.</EmptyList>
          ) : (
            <Chart
              title="Produtos que o sistema desativou"
              unit="produtos"
              barHeading="Tabela"
              series={SERIES}
              bars={tables
                .slice(0, ROWS_MAX)
                .toReversed()
                .map(({ versao, inForceOn, deactivated, active }) => ({
                  label: dayText(inForceOn).slice(0, 5),
                  name: `Versão ${versao}, desde ${dayText(inForceOn)}: ${withCount(deactivated, 'desativado', 'desativados')}`,
                  values: [active, deactivated - active],
                }))}
            />
          )
        }
      </ResourceView>
    </Card>
  );
}

/**
 * The first table of an instance: where the public service publishes it, a fetch on request, and what comes
 * next.
 */
function FirstTable({ onLoaded }: { readonly onLoaded: (table: LoadedAttributeTable) => void }) {
  const form = useForm({ address: PUBLISHED_TABLE });
  const fetching = useAction(
    () => api.post<LoadedAttributeTable>(`${TABLES}/fetch`, { address: form.latest().address.trim() }),
    onLoaded,
  );
  return (
    <Card title="A primeira tabela">
      <form class="stack" onSubmit={instead(() => void fetching.run())}>
        <p>
          O serviço público publica a tabela de atributos por NCM no endereço abaixo, sem senha. Buscar agora
          só a carrega: depois se vê o que mudaria, e então se põe a tabela em vigor.
        </p>
        <Input {...form.field('address')} label="Endereço" code required />
        <ErrorAlert error={fetching.error} />
        <div>
          <Button type="submit" kind="primary" isBusy={fetching.isBusy}>
            Buscar agora
          </Button>
        </div>
        <p>Para que venha sozinha toda noite, grave no catp.toml e reinicie o serviço:</p>
        <Snippet
          label="catp.toml"
          text={`atributos.origem = ${JSON.stringify(form.values.address.trim())}`}
        />
        <p>
          Sem acesso à internet nesta máquina, <a href={PUBLISHED_TABLE}>baixe o arquivo</a> em outra e
          carregue-o abaixo. Depois: <Link href="/administracao?aba=contas">empresas e pessoas</Link>.
        </p>
      </form>
    </Card>
  );
}
