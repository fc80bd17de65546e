/** Bars, and the same as a table for those who do not see them. */
import type { JSX } from 'preact';
import { count } from '../words.ts';
import type { Tone } from './alert.tsx';

export interface Bar {
  readonly label: string;
  /** From the bottom up, in the order of `series`. */
  readonly values: readonly number[];
}

export interface BarChartProps {
  readonly title: string;
  readonly series: readonly { readonly name: string; readonly tone: Tone }[];
  readonly bars: readonly Bar[];
  /** What a bar stands for, as the table heads it. */
  readonly unit: 'Dia' | 'Hora';
}

const WIDTH = 640;
const HEIGHT = 140;
const GAP = 0.25;

export function BarChart({ title, series, bars, unit }: BarChartProps): JSX.Element {
  const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const step = WIDTH / Math.max(1, bars.length);
  return (
    <figure class="chart">
      <figcaption>
        {title}
        <span class="chart-series">
          {series.map(({ name, tone }) => (
            <span key={name} class={`chart-key ${tone}`}>
              {name}
            </span>
          ))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ label, values }, at) => {
          let below = 0;
          return (
            <g key={label}>
              {values.map((value, index) => {
                const height = (value / most) * HEIGHT;
                below += height;
                return (
                  <rect
                    key={series[index]?.name}
                    class={series[index]?.tone}
                    x={at * step + (step * GAP) / 2}
                    y={HEIGHT - below}
                    width={step * (1 - GAP)}
                    height={height}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <details>
        <summary>Ver em tabela</summary>
        <table class="table">
          <caption class="hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" class="right">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {values.map((value, index) => (
                  <td key={series[index]?.name} class="right">
                    {count(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
