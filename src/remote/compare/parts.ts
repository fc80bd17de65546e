/** Collects results into parts small enough for one transaction. */
import type { ComparisonPart, Counts, RecordComparison, Pair, RemoteState } from './model.ts';

const PART_ROWS = 400;

export class ResultParts {
  #records: RecordComparison[] = [];
  #pairs: Pair[] = [];
  #obsoletePairs: Pick<Pair, 'kind' | 'localKey'>[] = [];
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

  addObsoletePair(pair: Pick<Pair, 'kind' | 'localKey'>): void {
    this.#obsoletePairs.push(pair);
  }

  /** Yields the part when it is full, else an empty text. */
  *full(): Generator<string> {
    if (this.#records.length + this.#pairs.length + this.#obsoletePairs.length < PART_ROWS) yield '';
    else yield this.#take();
  }

  *rest(): Generator<string> {
    if (this.#records.length + this.#pairs.length + this.#obsoletePairs.length > 0) yield this.#take();
  }

  #take(): string {
    const text = JSON.stringify({
      records: this.#records,
      pairs: this.#pairs,
      obsoletePairs: this.#obsoletePairs,
    } satisfies ComparisonPart);
    [this.#records, this.#pairs, this.#obsoletePairs] = [[], [], []];
    return text;
  }
}
