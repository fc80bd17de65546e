/** The table for people, and the last line for programs. */
import type { Figure, Measurement, Row, Verdict } from './figure.ts';
import type { DiskSync, Load } from './machine.ts';
import { median } from './statistics.ts';

export interface Measured {
  readonly figure: Figure;
  readonly measurement: Measurement;
}

export function introduction(load: Load, disk: DiskSync, version: string): string {
  const busy = load.isBusy
    ? '  ATENÇÃO: a máquina está ocupada; as razões são mais confiáveis que os valores absolutos.'
    : '';
  return [
    `catp ${version}, ${load.cores} núcleos, carga ${load.oneMinute.toFixed(2)} no início.${busy}`,
    `fdatasync de uma página: p50 ${disk.p50Ms.toFixed(2)} ms, p99 ${disk.p99Ms.toFixed(2)} ms`,
  ].join('\n');
}

const HEAD = [
  'medida',
  'lado',
  'mediana',
  'mín–máx',
  'p50 ms',
  'p99 ms',
  'pico MiB',
  'CPU µs',
  'razão',
  'meta',
  '',
] as const;

export function table(results: readonly Measured[]): string {
  const lines = [[...HEAD], ...results.flatMap(linesOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = results.flatMap(({ figure, measurement }) =>
    (measurement.notes ?? []).map((note) => `${figure.name}: ${note}`),
  );
  return [...text, ...notes].join('\n');
}

function linesOf({ figure, measurement }: Measured): string[][] {
  const { rows, further = {} } = measurement;
  const first = rows.map((row, index) => [
    index === 0 ? figure.name : '',
    ...cellsOf(row),
    ...(index === 0 ? verdictCells(measurement, measurement) : ['', '', '']),
  ]);
  const rest = Object.entries(further).map(([name, verdict]) => [
    '',
    name,
    ...['', '', '', '', '', ''],
    ...verdictCells(verdict, verdict),
  ]);
  return [...first, ...rest];
}

function cellsOf({ side, unit, samples, p50Ms, p99Ms, peakMib, cpuUs }: Row): string[] {
  return [
    side,
    `${figureOf(median(samples))} ${unit}`,
    `${figureOf(Math.min(...samples))}–${figureOf(Math.max(...samples))}`,
    p50Ms === undefined ? '' : figureOf(p50Ms),
    p99Ms === undefined ? '' : figureOf(p99Ms),
    peakMib === undefined ? '' : figureOf(peakMib),
    cpuUs === undefined ? '' : figureOf(cpuUs),
  ];
}

const verdictCells = ({ value, limit }: Verdict, { ok }: Verdict): string[] => [
  value.toFixed(2),
  String(limit),
  ok ? 'ok' : 'FORA',
];

function figureOf(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** `{"postProduct":{"value":…,"limit":…,"ok":…},…}` in one line. */
export function summary(results: readonly Measured[]): string {
  return JSON.stringify(
    Object.fromEntries(
      results.map(({ figure, measurement: { value, limit, ok, further } }) => [
        figure.name,
        { ...rounded({ value, limit, ok }), ...(further && { further: mapped(further) }) },
      ]),
    ),
  );
}

const DECIMALS = 1000;

const rounded = (verdict: Verdict): Verdict => ({
  ...verdict,
  value: Math.round(verdict.value * DECIMALS) / DECIMALS,
});

const mapped = (further: Readonly<Record<string, Verdict>>) =>
  Object.fromEntries(Object.entries(further).map(([name, verdict]) => [name, rounded(verdict)]));
