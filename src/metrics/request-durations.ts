/**
 * Counts requests by operation and status, with their durations in buckets. prom-client checks and hashes the
 * labels of each observation, which would be a twentieth of a GET.
 */
const NAME = 'catp_http_request_duration_seconds';

/** The requests of one operation with one status. `buckets`: the requests up to each bound, but above the one before. */
interface Series {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export class RequestDurations {
  /** Upper bounds in seconds, ascending. */
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Map<number, Series>>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(operation: string, status: number, seconds: number): void {
    const series = this.#seriesOf(operation, status);
    const place = this.#bounds.findIndex((bound) => seconds <= bound);
    if (place !== -1) series.buckets[place] = (series.buckets[place] ?? 0) + 1;
    series.sum += seconds;
    series.count += 1;
  }

  /** Returns the counts in the Prometheus text form. */
  text(): string {
    const lines = [`# HELP ${NAME} Requests by operation and status.`, `# TYPE ${NAME} histogram`];
    for (const [operation, byStatus] of this.#series)
      for (const [status, { buckets, sum, count }] of byStatus) {
        const labels = `operation="${operation}",status="${status}"`;
        let total = 0;
        for (const [place, bound] of this.#bounds.entries()) {
          total += buckets[place] ?? 0;
          lines.push(`${NAME}_bucket{le="${bound}",${labels}} ${total}`);
        }
        lines.push(`${NAME}_bucket{le="+Inf",${labels}} ${count}`);
        lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`);
      }
    return `${lines.join('\n')}\n`;
  }

  #seriesOf(operation: string, status: number): Series {
    let byStatus = this.#series.get(operation);
    if (byStatus === undefined) this.#series.set(operation, (byStatus = new Map()));
    let series = byStatus.get(status);
    if (series === undefined)
      byStatus.set(status, (series = { buckets: this.#bounds.map(() => 0), sum: 0, count: 0 }));
    return series;
  }
}
