/** Counts the company's products that lack attributes which become required within thirty days. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { DeadlineDays } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { Chart } from '../ui/chart.tsx';
import { Card } from '../ui/page.tsx';
import { withCount, dayText } from '../words.ts';

const SERIES = [{ name: 'Produtos a que falta algo', tone: 'warn' }] as const;

/** Renders nothing when no product lacks anything. `deadlines`: those within thirty days. */
export function DeadlinesCard({
  company,
  deadlines: { days, overdue },
}: {
  readonly company: string;
  readonly deadlines: DeadlineDays;
}): JSX.Element | null {
  if (days.length === 0 && overdue === 0) return null;
  return (
    <Card title="Próximos 30 dias">
      {days.length > 0 && (
        <Chart
          title="O que vai ser exigido e ainda falta"
          unit="produtos"
          barHeading="Dia"
          series={SERIES}
          bars={days.map(({ on, products }) => ({
            label: dayText(on).slice(0, 5),
            name: `A partir de ${dayText(on)}`,
            values: [products],
            href: `/produtos${queryOf({ cpfCnpjRaiz: company, deadline: on })}`,
          }))}
        />
      )}
      {overdue > 0 && (
        <p>
          {withCount(overdue, 'produto não tem', 'produtos não têm')} o que foi anunciado para um dia que já
          chegou; a tabela que o confirme ainda não entrou em vigor.
        </p>
      )}
      <p>
        <Link href={`/corrigir${queryOf({ aba: 'prazos', cpfCnpjRaiz: company })}`}>Ver os prazos</Link>
      </p>
    </Card>
  );
}
