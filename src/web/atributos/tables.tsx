/** Lists the loaded tables: the one in force, scheduled ones, and the changes of each. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ListedAttributeTable, LoadedAttributeTable } from '../api/answers.ts';
import { rolesOf, useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';
import { useFilters } from '../api/use-filters.ts';
import { useResource } from '../api/use-resource.ts';
import { Badge } from '../ui/badge.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { LoadCard } from '../ui/load-card.tsx';
import { Card, ResourceTable } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { toast } from '../ui/toast.tsx';
import { countText, withCount, dayText, momentText } from '../words.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { CancelDialog, type Scheduled } from './cancel-dialog.tsx';
import { EffectsCard } from './effects-card.tsx';
import { ImpactCard } from './impact-card.tsx';
import { FirstTable } from './first-table.tsx';
import { Origin } from './origin.tsx';
import { TABLES } from './words.ts';

export function Tables(): JSX.Element {
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
        <CancelDialog
          {...cancelled}
          onClose={() => setCancelled(undefined)}
          onDone={() => {
            setCancelled(undefined);
            tables.reload();
          }}
        />
      )}
    </div>
  );
}

const State = ({ inForce, scheduledOn, keptBack }: ListedAttributeTable): JSX.Element => (
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
