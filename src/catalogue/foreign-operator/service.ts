/** Foreign operators for the rest of the product: each method is one unit of work, or one read. */
import type { Day } from '../../clock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Caller } from '../../session/model.ts';
import { type ItemApplier, runBatch } from '../batch.ts';
import { versionNumber } from '../version.ts';
import { type OperatorChanges, printed } from './changes.ts';
import { type OperatorKey, type OperatorRequest, toContent } from './model.ts';
import { type PrintedOperator, answerText } from './record.ts';

export interface OperatorServiceParts {
  readonly changes: OperatorChanges;
  readonly items: ItemApplier;
  readonly writer: Writer;
}

/** Every method that returns a record returns it as the JSON text of an answer. */
export class OperatorService {
  readonly #parts: OperatorServiceParts;

  constructor(parts: OperatorServiceParts) {
    this.#parts = parts;
  }

  /** Includes an operator, valid from now. Throws 422. */
  include(cpfCnpjRaiz: string, codigoPais: string, request: OperatorRequest): Promise<string> {
    return this.#change(cpfCnpjRaiz, (tx, changes) =>
      changes.include(tx, cpfCnpjRaiz, codigoPais, toContent(request)),
    );
  }

  /** Makes the next version, valid from `dataReferencia` or now. Throws 404, 422. */
  newVersion(key: OperatorKey, request: OperatorRequest, dataReferencia?: Day): Promise<string> {
    return this.#change(key.cpfCnpjRaiz, (tx, changes) =>
      changes.newVersion(tx, key, toContent(request), dataReferencia),
    );
  }

  /** Rectifies a version. Throws 404, 422. */
  rectify(key: OperatorKey, versao: string, request: OperatorRequest): Promise<string> {
    return this.#change(key.cpfCnpjRaiz, (tx, changes) =>
      changes.rectify(tx, key, versionNumber(versao), toContent(request)),
    );
  }

  /** Deactivates a version. Throws 404. */
  deactivate(key: OperatorKey, versao: string): Promise<string> {
    return this.#change(key.cpfCnpjRaiz, (tx, changes) => changes.deactivate(tx, key, versionNumber(versao)));
  }

  /** One version of an operator. Throws 404. */
  getVersion(key: OperatorKey, versao: string): string {
    const { changes } = this.#parts;
    const version = changes.getVersion(changes.get(key), versionNumber(versao));
    return answerText(key.cpfCnpjRaiz, printed(key, version));
  }

  /** Applies up to 100 items, each with its own result. */
  runBatch(caller: Caller, items: readonly unknown[]): Promise<object[]> {
    return runBatch(this.#parts.writer, caller, items, this.#parts.items, { versions: true });
  }

  async #change(
    cpfCnpjRaiz: string,
    work: (tx: Transaction, changes: OperatorChanges) => PrintedOperator,
  ): Promise<string> {
    const operator = await this.#parts.writer.write((tx) => work(tx, this.#parts.changes));
    return answerText(cpfCnpjRaiz, operator);
  }
}
