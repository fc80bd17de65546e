/** What will be asked of a company's products within thirty days, and how many lack it. */
import type { JSX } from 'preact';
import { Link } from 'wouter-preact';
import type { DeadlinePage } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { Chart } from '../ui/chart.tsx';
import { Card } from '../ui/page.tsx';
import { day } from '../words.ts';

const SERIES = [{ name: 'Valores que faltam', tone: 'warn' }] as const;

/** Nothing where nothing lacks: `of` is what has a day within those thirty. */
export function DeadlinesCard({
  company,
  of: { items },
}: {
  readonly company: string;
  readonly of: DeadlinePage;
}): JSX.Element | null {
  const days = new Map<string, number>();
  for (const { on, missing } of items) days.set(on, (days.get(on) ?? 0) + missing);
  const bars = [...days].filter(([, missing]) => missing > 0);
  if (bars.length === 0) return null;
  const address = `/atributos${queryOf({ aba: 'prazos', cpfCnpjRaiz: company })}`;
  return (
    <Card title="Próximos 30 dias">
      <Chart
        title="O que vai ser exigido e ainda falta"
        unit="valores"
        of="Dia"
        series={SERIES}
        bars={bars.map(([on, missing]) => ({
          ...{ label: day(on).slice(0, 5), name: `A partir de ${day(on)}`, values: [missing] },
          href: `/produtos${queryOf({ cpfCnpjRaiz: company, deadline: on })}`,
        }))}
      />
      <p>
        <Link href={address}>Ver os prazos</Link>
      </p>
    </Card>
  );
}
