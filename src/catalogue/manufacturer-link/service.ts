/** Offers links to the rest of the program: each method is one unit of work. */
import type { Writer } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { type BatchRunner, type ItemApplier, batchRunner } from '../batch.ts';
import { callerTransaction } from '../actor-transaction.ts';
import type { LinkChanges } from './changes.ts';
import { type LinkRequest, toLink } from './model.ts';
import { responseRecord } from './record.ts';

export class LinkService {
  readonly #changes: LinkChanges;
  readonly #writer: Writer;
  readonly runBatch: BatchRunner;

  constructor(changes: LinkChanges, items: ItemApplier, writer: Writer) {
    this.#changes = changes;
    this.#writer = writer;
    this.runBatch = batchRunner(writer, items);
  }

  /** Links a manufacturer or producer from today on; returns the response form. Throws 422. */
  async link(caller: Caller, cpfCnpjRaiz: string, request: LinkRequest): Promise<object> {
    const link = toLink(request);
    await this.#writer.write((tx) => this.#changes.link(callerTransaction(tx, caller), cpfCnpjRaiz, link));
    return responseRecord(cpfCnpjRaiz, link);
  }

  /** Removes a link; returns the response form of the removed link. Throws 422. */
  async unlink(caller: Caller, cpfCnpjRaiz: string, request: LinkRequest): Promise<object> {
    const link = toLink(request);
    await this.#writer.write((tx) => this.#changes.unlink(callerTransaction(tx, caller), cpfCnpjRaiz, link));
    return responseRecord(cpfCnpjRaiz, link);
  }
}
