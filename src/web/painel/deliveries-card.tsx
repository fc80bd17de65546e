import type { DeliverySummary } from '../api/answers.ts';
import type { Resource } from '../api/use-resource.ts';
import { AttemptsByDay, AttemptsByHour } from '../ui/attempts.tsx';
import { LinkButton } from '../ui/button.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { countText, withCount } from '../words.ts';

/** Summarises the notifications of the last days. */
export const DeliveriesCard = ({ summary }: { readonly summary: Resource<DeliverySummary> }) => (
  <Card title="Notificações" actions={<LinkButton href="/notificacoes?aba=resumo">Ver resumo</LinkButton>}>
    <ResourceView resource={summary}>
      {({ days, hours, pending }) => {
        const [delivered, failed] = [sum(days, 'delivered'), sum(days, 'failed')];
        if (delivered + failed === 0)
          return (
            <p class="muted">
              Nenhuma tentativa de entrega nos últimos {days.length} dias
              {pending > 0 && `; ${withCount(pending, 'pendente', 'pendentes')}`}.
            </p>
          );
        return (
          <>
            <p>
              <strong>{countText(delivered)}</strong> de{' '}
              {withCount(delivered + failed, 'tentativa deu certo', 'tentativas deram certo')} nos últimos{' '}
              {days.length} dias{pending > 0 && `; ${withCount(pending, 'pendente', 'pendentes')}`}.
            </p>
            {hours.some((deliveryHour) => deliveryHour.delivered + deliveryHour.failed > 0) ? (
              <AttemptsByHour hours={hours} />
            ) : (
              <AttemptsByDay days={days} />
            )}
          </>
        );
      }}
    </ResourceView>
  </Card>
);

const sum = (days: DeliverySummary['days'], name: 'delivered' | 'failed'): number =>
  days.reduce((total, deliveryDay) => total + deliveryDay[name], 0);
