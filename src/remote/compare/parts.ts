/** Collects results into parts small enough for one transaction. */
import type { ComparedPart, Counts, Found, Pair, RemoteState } from './model.ts';

const PART_ROWS = 400;

export class Parts {
  #found: Found[] = [];
  #pairs: Pair[] = [];
  #gone: Pick<Pair, 'kind' | 'here'>[] = [];
  readonly #judged: (record: Found) => Found;
  readonly #counts = { operador: {}, produto: {}, vinculo: {} } as Record<
    Found['kind'],
    Partial<Record<RemoteState, number>>
  >;

  /** `judged`: adds what else is known of a record. */
  constructor(judged: (record: Found) => Found) {
    this.#judged = judged;
  }

  get counts(): Counts {
    return this.#counts;
  }

  find(record: Found): void {
    const fullRecord = this.#judged(record);
    this.#found.push(fullRecord);
    const ofKind = this.#counts[fullRecord.kind];
    ofKind[fullRecord.state] = (ofKind[fullRecord.state] ?? 0) + 1;
  }

  pair(pair: Pair): void {
    this.#pairs.push(pair);
  }

  forget(pair: Pick<Pair, 'kind' | 'here'>): void {
    this.#gone.push(pair);
  }

  /** Yields the part when it is full, else an empty text. */
  *full(): Generator<string> {
    if (this.#found.length + this.#pairs.length + this.#gone.length < PART_ROWS) yield '';
    else yield this.#take();
  }

  *rest(): Generator<string> {
    if (this.#found.length + this.#pairs.length + this.#gone.length > 0) yield this.#take();
  }

  #take(): string {
    const text = JSON.stringify({
      found: this.#found,
      pairs: this.#pairs,
      gone: this.#gone,
    } satisfies ComparedPart);
    [this.#found, this.#pairs, this.#gone] = [[], [], []];
    return text;
  }
}
