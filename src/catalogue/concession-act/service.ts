/** Concession acts for the rest of the product. */
import type { Writer } from '../../db/writer.ts';
import type { Note } from '../../validation/decoding.ts';
import type { Caller } from '../../session/model.ts';
import { type ItemApplier, runBatch } from '../batch.ts';

export interface ConcessionActServiceParts {
  readonly items: ItemApplier;
  readonly writer: Writer;
}

export class ConcessionActService {
  readonly #parts: ConcessionActServiceParts;

  constructor(parts: ConcessionActServiceParts) {
    this.#parts = parts;
  }

  /** Includes up to 100 acts, each with its own result. */
  runBatch(caller: Caller, items: readonly unknown[], note?: Note): Promise<object[]> {
    return runBatch(this.#parts.writer, caller, items, this.#parts.items, { versions: false, note });
  }
}
