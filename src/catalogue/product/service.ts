/** Offers products to the rest of the program (contract section 5). */
import type { Writer } from '../../db/writer.ts';
import type { Day } from '../../clock.ts';
import { isUnavailable } from '../../errors.ts';
import { type HistoryWords, type ListedVersion, historyOf } from '../versioned/history.ts';
import type { Key } from '../versioned/kind.ts';
import { situacaoOf } from '../versioned/model.ts';
import {
  type PrintedChange,
  VersionedService,
  type VersionedServiceDependencies,
} from '../versioned/service.ts';
import type { Caller } from '../../session/model.ts';
import type { ProductRequest, ProductTypes, toContent } from './model.ts';
import type { ProductPatches } from './patch.ts';
import { printResponse } from './record.ts';
import type { ProductStore } from './store.ts';

type ProductKey = Key<ProductTypes>;
type DraftRequest = Parameters<typeof toContent>[0];
type Parts = VersionedServiceDependencies<ProductTypes, ProductRequest>;

export interface ProductServiceDependencies extends Pick<Parts, 'changes' | 'lookUp' | 'items'> {
  readonly toContent: typeof toContent;
  readonly store: ProductStore;
  readonly writer: Writer;
  readonly findsIdentical: boolean;
  readonly patches: Pick<ProductPatches, 'membersOf'>;
  readonly nameOf: HistoryWords['nameOf'];
  readonly tableAt: HistoryWords['tableAt'];
}

export class ProductService extends VersionedService<ProductTypes, ProductRequest> {
  readonly #toContent: typeof toContent;
  readonly #store: ProductStore;
  readonly #writer: Writer;
  readonly #findsIdentical: boolean;
  readonly #patches: Pick<ProductPatches, 'membersOf'>;
  readonly #nameOf: HistoryWords['nameOf'];
  readonly #tableAt: HistoryWords['tableAt'];
  readonly #lookUp: Parts['lookUp'];

  constructor({
    toContent,
    store,
    writer,
    findsIdentical,
    patches,
    nameOf,
    tableAt,
    changes,
    lookUp,
    items,
  }: ProductServiceDependencies) {
    super({
      changes,
      lookUp,
      items,
      writer,
      toContent,
      print: ({ cpfCnpjRaiz, codigo }, version) =>
        printResponse.text({ ...version, codigo, situacao: situacaoOf(version) }, { cpfCnpjRaiz, seq: 1 }),
    });
    this.#toContent = toContent;
    this.#store = store;
    this.#writer = writer;
    this.#findsIdentical = findsIdentical;
    this.#patches = patches;
    this.#nameOf = nameOf;
    this.#tableAt = tableAt;
    this.#lookUp = lookUp;
  }

  /** Includes a draft; checks little more than its form. Throws 422. */
  includeDraft(
    caller: Caller,
    place: ProductTypes['place'],
    draft: DraftRequest,
  ): Promise<PrintedChange<ProductTypes>> {
    return this.change(caller, (actorTx, changes) =>
      changes.includeDraft(actorTx, place, this.#toContent(draft)),
    );
  }

  /** Replaces the content of a draft. Throws 404, 422. */
  editDraft(caller: Caller, key: ProductKey, draft: DraftRequest): Promise<PrintedChange<ProductTypes>> {
    return this.change(caller, (actorTx, changes) => changes.editDraft(actorTx, key, this.#toContent(draft)));
  }

  /** Returns false for a product that does not exist, too. */
  isActive({ cpfCnpjRaiz, codigo }: ProductKey): boolean {
    return this.#store.findHead(cpfCnpjRaiz, codigo)?.situacao === 'ATIVADO';
  }

  /** Returns every version of a product, oldest first. Throws 404. */
  history(key: ProductKey, today: Day): ListedVersion[] {
    const product = this.#lookUp.get(key);
    return historyOf(product, this.#store.versions.listPast(product.id), {
      nameOf: this.#nameOf,
      tableAt: this.#tableAt,
      membersOf: (number) => this.#patches.membersOf(this.#lookUp.getVersion(key, product, number), today),
    });
  }

  /**
   * Adds missing fingerprints, or removes all if identical products are allowed, and adds missing signatures.
   * Writes nothing if nothing is missing. Only the server does this: a command may have read other settings.
   */
  async start(): Promise<void> {
    const { signatures } = this.#store;
    try {
      if (this.#findsIdentical) {
        if (!this.#store.hasAllHashes) await this.#fill((after) => this.#store.fillHashes(after));
      } else if (this.#store.keepsHashes) await this.#writer.write(() => this.#store.stopHashes());
      if (!signatures.hasAll) await this.#fill((after) => signatures.fill(after));
    } catch (error) {
      // The writer has reported that the disk refuses writes. Without fingerprints and signatures everything
      // is still correct, but slower.
      if (!isUnavailable(error)) throw error;
    }
  }

  /** Processes some products at a time, until none is left after the last one. */
  async #fill(fillAfter: (after: number) => number | undefined): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      after = await this.#writer.write(() => fillAfter(from));
    }
  }
}
