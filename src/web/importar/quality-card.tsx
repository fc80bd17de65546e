/** How much of each of the last imports was refused: whether what comes in gets better. */
import type { JSX } from 'preact';
import type { ImportProgress } from '../api/answers.ts';
import { Chart } from '../ui/chart.tsx';
import { Card } from '../ui/page.tsx';
import { count, counted, day, moment } from '../words.ts';
import { isOver } from './kinds.ts';

const SERIES = [{ name: 'Recusados', tone: 'bad' }] as const;
const PERCENT = 100;

/** Files that were to be recorded: a dry run is there to find mistakes, and an undoing brings nothing in. */
const tellsQuality = (job: ImportProgress): boolean =>
  isOver(job) && job.processed > 0 && !job.simular && !job.changesMany && job.undoes === null;

export function QualityCard({
  imports,
}: {
  readonly imports: readonly ImportProgress[];
}): JSX.Element | null {
  const told = imports.filter(tellsQuality).toReversed();
  if (told.length === 0) return null;
  return (
    <Card title="Qualidade do que chega">
      <Chart
        title="Itens recusados em cada importação, das últimas"
        unit="% dos itens"
        of="Importação"
        series={SERIES}
        bars={told.map(({ id, fileName, createdAt, processed, failed }) => ({
          label: day(createdAt).slice(0, 5),
          name: `${fileName}, ${moment(createdAt)}: ${count(failed)} de ${counted(processed, 'item', 'itens')}`,
          values: [(failed / processed) * PERCENT],
          href: `/importar/${id}`,
        }))}
      />
    </Card>
  );
}
