/** Counts the products by NCM chapter and situation. Each number links to its products. */
import type { JSX } from 'preact';
import type { CatalogueSummary } from '../api/answers.ts';
import { queryOf } from '../api/client.ts';
import { Chart } from '../ui/chart.tsx';
import { Card } from '../ui/page.tsx';

const SITUATIONS = [
  { name: 'Ativados', tone: 'good' },
  { name: 'Rascunhos', tone: 'calm' },
  { name: 'Desativados por alguém', tone: 'warn' },
  { name: 'Desativados pelo sistema', tone: 'bad' },
] as const;

export const ChaptersCard = ({
  summary: { cpfCnpjRaiz, chapters },
}: {
  readonly summary: CatalogueSummary;
}): JSX.Element => (
  <Card title="Produtos por capítulo da NCM">
    <Chart
      title="Produtos de cada capítulo, por situação"
      unit="produtos"
      barHeading="Capítulo"
      series={SITUATIONS}
      bars={chapters.map(({ chapter, ATIVADO, RASCUNHO, DESATIVADO, deactivatedBySystem }) => ({
        label: chapter ?? 'sem',
        name: chapter === null ? 'Sem NCM' : `Capítulo ${chapter}`,
        values: [ATIVADO, RASCUNHO, DESATIVADO - deactivatedBySystem, deactivatedBySystem],
        ...(chapter !== null && { href: `/produtos${queryOf({ cpfCnpjRaiz, ncm: chapter })}` }),
      }))}
    />
  </Card>
);
