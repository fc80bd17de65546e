/** Delivery attempts per hour and per day: successful and failed ones. */
import type { DeliverySummary } from '../api/answers.ts';
import { dayText } from '../words.ts';
import { Chart } from './chart.tsx';

const SERIES = [
  { name: 'Entregues', tone: 'good' },
  { name: 'Falharam', tone: 'bad' },
] as const;

export const AttemptsByHour = ({ hours }: { readonly hours: DeliverySummary['hours'] }) => (
  <Chart
    title="Em cada hora, nas últimas 24"
    unit="tentativas"
    barHeading="Hora"
    series={SERIES}
    bars={hours.map(({ at, delivered, failed }) => {
      const hour = `${Number(at.slice(11, 13))} h`;
      return { label: hour, name: `${dayText(at).slice(0, 5)}, ${hour}`, values: [delivered, failed] };
    })}
  />
);

export const AttemptsByDay = ({ days }: { readonly days: DeliverySummary['days'] }) => (
  <Chart
    title="Em cada dia"
    unit="tentativas"
    barHeading="Dia"
    series={SERIES}
    bars={days.map((deliveryDay) => ({
      label: dayText(deliveryDay.day).slice(0, 5),
      name: dayText(deliveryDay.day),
      values: [deliveryDay.delivered, deliveryDay.failed],
    }))}
  />
);
