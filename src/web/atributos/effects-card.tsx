/**
 * Shows the products of the selected company that each table deactivated when it came into force, and how
 * many were reactivated.
 */
import type { JSX } from 'preact';
import type { CatalogueSummary } from '../api/answers.ts';
import { useCompany } from '../api/use-company.ts';
import { useResource } from '../api/use-resource.ts';
import { Chart } from '../ui/chart.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { EmptyList } from '../ui/table.tsx';
import { withCount, dayText } from '../words.ts';

const SERIES = [
  { name: 'Ativados de novo', tone: 'good' },
  { name: 'Ainda não ativados', tone: 'bad' },
] as const;
/** Number of the newest tables: public lists appear every three days. */
const ROWS_MAX = 30;

export function EffectsCard(): JSX.Element {
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
