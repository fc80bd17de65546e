/** Share of refused items in each of the last imports: shows how the quality of the input develops. */
import type { JSX } from 'preact';
import type { ImportProgress } from '../api/answers.ts';
import { Chart } from '../ui/chart.tsx';
import { Card } from '../ui/page.tsx';
import { countText, withCount, dayText, momentText } from '../words.ts';
import { isOver } from './kinds.ts';

const SERIES = [{ name: 'Recusados', tone: 'bad' }] as const;
const PERCENT = 100;

/** Returns true for file imports that write. A dry run only looks for mistakes, and an undo adds no input. */
const countsForQuality = (job: ImportProgress): boolean =>
  isOver(job) && job.processed > 0 && !job.simular && !job.changesMany && job.undoes === null;

export function QualityCard({
  imports,
}: {
  readonly imports: readonly ImportProgress[];
}): JSX.Element | null {
  const fileImports = imports.filter(countsForQuality).toReversed();
  if (fileImports.length === 0) return null;
  return (
    <Card title="Qualidade do que chega">
      <Chart
        title="Itens recusados em cada importação, das últimas"
        unit="% dos itens"
        barHeading="Importação"
        series={SERIES}
        bars={fileImports.map(({ id, fileName, createdAt, processed, failed }) => ({
          label: dayText(createdAt).slice(0, 5),
          name: `${fileName}, ${momentText(createdAt)}: ${countText(failed)} de ${withCount(processed, 'item', 'itens')}`,
          values: [(failed / processed) * PERCENT],
          href: `/importar/${id}`,
        }))}
      />
    </Card>
  );
}
