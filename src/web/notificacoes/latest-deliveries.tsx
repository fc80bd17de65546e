/** Lists the latest deliveries below their cause. A delivery opens in a dialog with its own address. */
import type { Delivery } from '../api/answers.ts';
import { useFilters } from '../api/use-filters.ts';
import { type Resource, useResource } from '../api/use-resource.ts';
import { LinkButton } from '../ui/button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { DELIVERIES, pollIntervalOf, useOwnCompany } from './addresses.ts';

const LATEST = 8;

type Deliveries = Resource<readonly Delivery[]>;

export const useLatestDeliveries = (): Deliveries =>
  useResource<readonly Delivery[]>(DELIVERIES, {
    query: { ...useOwnCompany(), limit: LATEST },
    pollAfter: pollIntervalOf,
  });

export function LatestDeliveries(props: {
  readonly deliveries: Deliveries;
  /** Shown when there is no delivery. */
  readonly empty: string;
}) {
  const { deliveries, empty } = props;
  const [{ entrega }, setFilters] = useFilters(['entrega']);
  return (
    <>
      <Card
        title="Últimas entregas"
        actions={<LinkButton href="/notificacoes?aba=entregas">Todas as entregas</LinkButton>}
      >
        <ResourceView resource={deliveries}>
          {(rows) => (
            <DeliveryTable
              rows={rows}
              onShow={(id) => setFilters({ entrega: String(id) })}
              onReplayed={deliveries.reload}
              empty={empty}
            />
          )}
        </ResourceView>
      </Card>
      {entrega !== '' && (
        <DeliveryDialog
          id={entrega}
          onClose={() => setFilters({ entrega: '' })}
          onReplayed={deliveries.reload}
        />
      )}
    </>
  );
}
