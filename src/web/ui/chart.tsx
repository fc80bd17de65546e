/**
 * Bar chart over time or by category, with the same data as a table for screen readers, keyboard and print.
 */
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { countText } from '../words.ts';
import type { Tone } from './alert.tsx';
import { type Column, Table } from './table.tsx';

export interface Bar {
  /** Short text below the bar: `73`, `15/01`. */
  readonly label: string;
  /** Complete name in the table and the tooltip; defaults to the label. */
  readonly name?: string;
  /** Values from bottom to top, in the order of `series`. */
  readonly values: readonly number[];
  /** Address of the list of counted items. */
  readonly href?: string | undefined;
}

export interface ChartProps {
  readonly title: string;
  /** Unit of the numbers: `produtos`, `tentativas`; `% dos itens` for shares. */
  readonly unit: string;
  readonly series: readonly { readonly name: string; readonly tone: Tone }[];
  readonly bars: readonly Bar[];
  /** Table heading of the bars: `Dia`, `Capítulo`. */
  readonly barHeading: string;
}

/** Characters that fit below the bars on a phone, including one between two labels. */
const LABEL_CHARACTERS = 48;
/** Minimum height of a non-zero value, as a share of the full height. */
const MIN_HEIGHT = 0.01;

export function Chart({ title, unit, series, bars, barHeading }: ChartProps) {
  const isShare = unit.startsWith('%');
  const text = (value: number): string =>
    isShare ? `${value.toLocaleString('pt-BR', { maximumFractionDigits: 2 })}%` : countText(value);
  const top = roundAbove(Math.max(...bars.map(({ values }) => sumOf(values))), isShare ? 0 : 1);
  const longest = Math.max(...bars.map(({ label }) => label.length)) + 1;
  const labelInterval = Math.ceil((bars.length * longest) / LABEL_CHARACTERS);
  const tooltipOf = ({ name, label, values }: Bar): string =>
    `${name ?? label}: ${series.map((seriesItem, index) => `${seriesItem.name} ${text(values[index] ?? 0)}`).join(', ')}`;
  return (
    <figure class="chart">
      <figcaption>
        <span>
          {title} <span class="muted">({unit})</span>
        </span>
        <span class="chart-series">
          {series.map(({ name, tone }) => (
            <span key={name} class={`chart-key ${tone}`}>
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <div class="chart-plot" aria-hidden="true">
        <div class="chart-scale">
          <span>{text(top)}</span>
          <span>{text(0)}</span>
        </div>
        <div class="chart-bars">
          {bars.map((bar, index) => (
            <ChartLink key={index} title={tooltipOf(bar)} href={bar.href}>
              <Stack bar={bar} series={series} top={top} />
              <span class="chart-label">{index % labelInterval === 0 ? bar.label : ''}</span>
            </ChartLink>
          ))}
        </div>
      </div>
      <details>
        <summary>
          Ver em tabela<span class="hidden">: {title}</span>
        </summary>
        <Table
          caption={`${title} (${unit})`}
          columns={[
            {
              key: 'bar',
              title: barHeading,
              cell: ({ label, name = label, href }) =>
                href === undefined ? name : <Link href={href}>{name}</Link>,
            },
            ...series.map(({ name }, index): Column<Bar> => {
              return {
                key: name,
                title: name,
                align: 'right',
                cell: ({ values }) => text(values[index] ?? 0),
              };
            }),
          ]}
          rows={bars}
          rowKey={(bar) => bars.indexOf(bar)}
        />
      </details>
    </figure>
  );
}

/** A bar links to its counted items by mouse only. The table has the same links for everybody. */
const ChartLink = ({
  title,
  href,
  children,
}: {
  readonly title: string;
  readonly href: string | undefined;
  readonly children: ComponentChildren;
}) =>
  href === undefined ? (
    <div title={title}>{children}</div>
  ) : (
    <Link href={href} title={title} tabIndex={-1}>
      {children}
    </Link>
  );

function Stack(props: Pick<ChartProps, 'series'> & { readonly bar: Bar; readonly top: number }) {
  const { values } = props.bar;
  const { series, top } = props;
  const heights = values.map((value) => (value === 0 ? 0 : Math.max(MIN_HEIGHT, value / top)));
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none">
      {heights.map((height, index) => {
        const { name, tone } = series[index] ?? {};
        const y = 1 - sumOf(heights.slice(0, index + 1));
        return <rect key={name} class={tone} x={0.06} width={0.88} y={y} height={height} />;
      })}
    </svg>
  );
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Returns the next 1, 2 or 5 times a power of ten, so that the scale ends at a round number. */
function roundAbove(max: number, least: number): number {
  if (max <= least) return Math.max(least, 1);
  const step = 10 ** Math.floor(Math.log10(max));
  return ([1, 2, 5].find((times) => times * step >= max) ?? 10) * step;
}
