/** Collects results into parts small enough for one transaction. */
import type { ComparisonPart, Counts, RecordComparison, Pair, RemoteState } from './model.ts';

const PART_ROWS = 400;

export class ResultParts {
  #records: RecordComparison[] = [];
  #pairs: Pair[] = [];
  #gone: Pick<Pair, 'kind' | 'localKey'>[] = [];
  readonly #complete: (record: RecordComparison) => RecordComparison;
  readonly #counts = { operador: {}, produto: {}, vinculo: {} } as Record<
    RecordComparison['kind'],
    Partial<Record<RemoteState, number>>
  >;

  /** `complete`: adds the steps that runs left open to a record. */
  constructor(complete: (record: RecordComparison) => RecordComparison) {
    this.#complete = complete;
  }

  get counts(): Counts {
    return this.#counts;
  }

  addRecord(record: RecordComparison): void {
    const fullRecord = this.#complete(record);
    this.#records.push(fullRecord);
    const ofKind = this.#counts[fullRecord.kind];
    ofKind[fullRecord.state] = (ofKind[fullRecord.state] ?? 0) + 1;
  }

  addPair(pair: Pair): void {
    this.#pairs.push(pair);
  }

  addGonePair(pair: Pick<Pair, 'kind' | 'localKey'>): void {
    this.#gone.push(pair);
  }

  /** Yields the part when it is full, else an empty text. */
  *full(): Generator<string> {
    if (this.#records.length + this.#pairs.length + this.#gone.length < PART_ROWS) yield '';
    else yield this.#take();
  }

  *rest(): Generator<string> {
    if (this.#records.length + this.#pairs.length + this.#gone.length > 0) yield this.#take();
  }

  #take(): string {
    const text = JSON.stringify({
      records: this.#records,
      pairs: this.#pairs,
      gone: this.#gone,
    } satisfies ComparisonPart);
    [this.#records, this.#pairs, this.#gone] = [[], [], []];
    return text;
  }
}
