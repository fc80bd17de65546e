/** Links for the rest of the product: each method is one unit of work. */
import type { Writer } from '../../db/writer.ts';
import type { Note } from '../../validation/decoding.ts';
import type { Caller } from '../../session/model.ts';
import { type ItemApplier, runBatch } from '../batch.ts';
import { deedOfCaller } from '../deed.ts';
import type { LinkChanges } from './changes.ts';
import { type LinkRequest, toLink } from './model.ts';
import { responseRecord } from './record.ts';

export interface LinkServiceParts {
  readonly changes: LinkChanges;
  readonly items: ItemApplier;
  readonly writer: Writer;
}

export class LinkService {
  readonly #parts: LinkServiceParts;

  constructor(parts: LinkServiceParts) {
    this.#parts = parts;
  }

  /** Links a manufacturer or producer from today on; answers the response form. Throws 422. */
  async link(caller: Caller, cpfCnpjRaiz: string, request: LinkRequest): Promise<object> {
    const link = toLink(request);
    await this.#parts.writer.write((tx) =>
      this.#parts.changes.link(deedOfCaller(tx, caller), cpfCnpjRaiz, link),
    );
    return responseRecord(cpfCnpjRaiz, link);
  }

  /** Removes a link; answers the response form of what it was. Throws 422. */
  async unlink(caller: Caller, cpfCnpjRaiz: string, request: LinkRequest): Promise<object> {
    const link = toLink(request);
    await this.#parts.writer.write((tx) =>
      this.#parts.changes.unlink(deedOfCaller(tx, caller), cpfCnpjRaiz, link),
    );
    return responseRecord(cpfCnpjRaiz, link);
  }

  /** Applies up to 100 items, each with its own result. */
  runBatch(caller: Caller, items: readonly unknown[], note?: Note): Promise<object[]> {
    return runBatch(this.#parts.writer, caller, items, this.#parts.items, { versions: false, note });
  }
}
