/** Products for the rest of the product: each method is one unit of work, or one read. */
import type { Day } from '../../clock.ts';
import type { Remembered } from '../../db/remembered.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { DomainError } from '../../errors.ts';
import type { Caller } from '../../session/model.ts';
import { type ItemApplier, runBatch } from '../batch.ts';
import { versionNumber } from '../version.ts';
import { type ChangedProduct, type ProductChanges, unknownVersion } from './changes.ts';
import { type ProductRequest, situacaoOf, toContent } from './model.ts';
import { responseText } from './record.ts';
import type { ProductStore } from './store.ts';

export interface ProductServiceParts {
  readonly store: ProductStore;
  readonly changes: ProductChanges;
  readonly items: ItemApplier;
  readonly writer: Writer;
  /** Of versions that were looked up. */
  readonly remembered: Remembered;
  readonly refuseIdentical: boolean;
}

/** Every method that returns a record returns it as the JSON text of the response form. */
export class ProductService {
  readonly #parts: ProductServiceParts;

  constructor(parts: ProductServiceParts) {
    this.#parts = parts;
  }

  /** Fits the index of fingerprints to the rule. Only the server does: a command may have read other settings. */
  async start(): Promise<void> {
    const { writer, store, refuseIdentical } = this.#parts;
    await writer
      .write(() => store.indexContent(refuseIdentical))
      .catch((error: unknown) => {
        // The writer has told that the disk takes nothing. Without it all is as right, only slower.
        if (!(error instanceof DomainError && error.kind === 'unavailable')) throw error;
      });
  }

  /** Includes a product, valid from `dataReferencia` or now. Throws 422. */
  include(cpfCnpjRaiz: string, request: ProductRequest, dataReferencia?: Day): Promise<string> {
    return this.#change(cpfCnpjRaiz, (tx, changes) =>
      changes.include(tx, cpfCnpjRaiz, toContent(request), dataReferencia),
    );
  }

  /** Makes the next version; activates a draft. Throws 404, 422. */
  newVersion(cpfCnpjRaiz: string, codigo: number, request: ProductRequest): Promise<string> {
    return this.#change(cpfCnpjRaiz, (tx, changes) =>
      changes.newVersion(tx, cpfCnpjRaiz, codigo, toContent(request)),
    );
  }

  /** Rectifies a version. Throws 404, 422. */
  rectify(cpfCnpjRaiz: string, codigo: number, versao: string, request: ProductRequest): Promise<string> {
    return this.#change(cpfCnpjRaiz, (tx, changes) =>
      changes.rectify(tx, cpfCnpjRaiz, codigo, versionNumber(versao), toContent(request)),
    );
  }

  /** Deactivates the current version. Throws 404. */
  deactivate(cpfCnpjRaiz: string, codigo: number): Promise<string> {
    return this.#change(cpfCnpjRaiz, (tx, changes) => changes.deactivate(tx, cpfCnpjRaiz, codigo));
  }

  /** One version of a product. Throws 404. */
  getVersion(cpfCnpjRaiz: string, codigo: number, versao: string): string {
    return this.#parts.remembered.get(`${cpfCnpjRaiz}/${codigo}/${versao}`, () =>
      this.#readVersion(cpfCnpjRaiz, codigo, versao),
    );
  }

  #readVersion(cpfCnpjRaiz: string, codigo: number, versao: string): string {
    const number = versionNumber(versao);
    const version = this.#parts.store.findPrinted(cpfCnpjRaiz, codigo, number);
    if (version === undefined) {
      const product = this.#parts.changes.get(cpfCnpjRaiz, codigo);
      throw unknownVersion(product.codigo, number);
    }
    return responseText(cpfCnpjRaiz, { ...version, ...number, codigo, situacao: situacaoOf(version) });
  }

  /** Applies up to 100 items, each with its own result. */
  runBatch(caller: Caller, items: readonly unknown[]): Promise<object[]> {
    return runBatch(this.#parts.writer, caller, items, this.#parts.items, { versions: true });
  }

  async #change(
    cpfCnpjRaiz: string,
    work: (tx: Transaction, changes: ProductChanges) => ChangedProduct,
  ): Promise<string> {
    const product = await this.#parts.writer.write((tx) => work(tx, this.#parts.changes));
    return responseText(cpfCnpjRaiz, product);
  }
}
