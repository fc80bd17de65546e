/** Products that wait to be mended: deactivated by the system, or about to be; filled in many at a time. */
import type { JSX } from 'preact';
import { useCompany } from '../../api/use-company.ts';
import { useFilters } from '../../api/use-filters.ts';
import { useResource } from '../../api/use-resource.ts';
import { rolesOf, useSession } from '../../api/session.ts';
import { Notice } from '../../ui/alert.tsx';
import { Card, Fetched } from '../../ui/page.tsx';
import { Select } from '../../ui/select.tsx';
import { Empty } from '../../ui/table.tsx';
import { counted, day as dayText } from '../../words.ts';
import { type ListedTable, TABLES } from '../model.ts';
import { FillCard } from './fill-card.tsx';
import { useWaiting } from './use-waiting.ts';
import { BY_SYSTEM } from './waiting.ts';
import { WaitingTable } from './waiting-table.tsx';

export function Mend(): JSX.Element {
  const company = useCompany();
  // An agent chooses whose catalogue to look into.
  if (company === '') return <Empty>Escolha uma empresa para ver os produtos dela.</Empty>;
  return <MendOf key={company} company={company} />;
}

function MendOf({ company }: { readonly company: string }): JSX.Element {
  const mayWrite = rolesOf(useSession()).includes('representative');
  const [{ fonte }, setFilters] = useFilters(['fonte']);
  const tables = useResource<readonly ListedTable[]>(TABLES);
  const today = useResource<{ readonly today: string }>('/appliance/api/product-form');
  const source = fonte === '' ? BY_SYSTEM : fonte;
  const next = tables.value?.find(({ id }) => String(id) === source);
  const found = useWaiting({
    ...{ source, cpfCnpjRaiz: company, day: today.value?.today ?? '' },
    on: next?.scheduledOn[0] ?? '',
  });
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
      <Fetched of={found} lines={8}>
        {({ waiting, rules }) =>
          waiting.length === 0 ? (
            <Notice tone="good">
              {source === BY_SYSTEM
                ? 'Nenhum produto desta empresa está desativado pelo sistema.'
                : 'Nenhum produto desta empresa deixaria de ser válido.'}
            </Notice>
          ) : (
            <>
              <Card title={counted(waiting.length, 'produto a corrigir', 'produtos a corrigir')}>
                <WaitingTable waiting={waiting} />
              </Card>
              {mayWrite && (
                <FillCard
                  key={`${company} ${source}`}
                  {...{ waiting, rules }}
                  day={today.value?.today ?? ''}
                  onSent={found.reload}
                />
              )}
            </>
          )
        }
      </Fetched>
    </div>
  );
}

const sourcesOf = (tables: readonly ListedTable[]) => [
  { value: BY_SYSTEM, label: 'Desativados pelo sistema' },
  ...tables
    .filter(({ inForce }) => !inForce)
    .map(({ id, versao, scheduledOn: [on] }) => ({
      value: String(id),
      label: `Inválidos na tabela ${versao}${on === undefined ? '' : `, a partir de ${dayText(on)}`}`,
    })),
];
