/** Timeline of all versions of the product, with a comparison of any two. */
import type { JSX } from 'preact';
import type { ListedVersion } from '../../api/answers.ts';
import { useFilters } from '../../api/use-filters.ts';
import { Card } from '../../ui/page.tsx';
import { Compare } from '../../versions/compare.tsx';
import { Timeline } from '../../versions/timeline.tsx';
import { type ProductContent, PRODUCTS } from '../product.ts';
import { type AttributeNames, changedText, flatOf, labelOf } from './reading.ts';

export interface HistoryProps {
  readonly versions: readonly ListedVersion[];
  readonly currentVersion: string;
  readonly onShow: (versao: string) => void;
  readonly names: AttributeNames;
}

export const History = ({ names, ...history }: HistoryProps): JSX.Element => (
  <Card title="Versões">
    <Timeline {...history} textOf={(member, value) => changedText(member, value, names)} />
  </Card>
);

export interface ComparisonProps {
  readonly path: string;
  readonly versions: readonly ListedVersion[];
  readonly names: AttributeNames;
}

export function Comparison({ path, versions, names }: ComparisonProps): JSX.Element {
  const [{ de, para }, setCompared] = useFilters(['de', 'para']);
  return (
    <Card title="Comparar versões">
      <Compare
        versions={versions}
        from={de}
        to={para}
        onCompare={(from, to) => setCompared({ de: from, para: to })}
        pathOf={(versao) => `${PRODUCTS}/${path}/${versao}`}
        reading={(content) => flatOf(content as ProductContent, names)} // the response of `pathOf`
        nameOf={(place) => labelOf(place, names)}
      />
    </Card>
  );
}
