/** Starts changes of many products (contract section 25): chooses them, writes them down, and queues the import. */
import type { Clock } from '../../clock.ts';
import { type Problem, malformed, notFound, unprocessable } from '../../errors.ts';
import { readItems } from '../../files/json-members.ts';
import { requireWrite } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import { violated } from '../codes.ts';
import type { Listings } from '../listing/service.ts';
import { toFilter } from '../product/filter.ts';
import type { ProductListing } from '../product/listing.ts';
import type { ProductStore } from '../product/store.ts';
import type { ChangeItem } from './change-applier.ts';
import { type ChangeOrder, type ChangeRequest, orderProblems } from './change-order.ts';
import { importLimits } from './feed.ts';
import type { ImportFolder } from './folder.ts';
import type { ImportJob } from './model.ts';
import type { ImportService } from './service.ts';

export interface ChangeServiceParts {
  readonly imports: ImportService;
  readonly folder: ImportFolder;
  readonly products: ProductStore;
  readonly listings: Listings<ProductListing>;
  readonly clock: Clock;
  readonly maxBytes: number;
}

/** Below that many nobody is asked whether so many are to be deactivated; above it 5 % of the active ones. */
const DEACTIVATIONS_FREE = 10;
const DEACTIVATIONS_SHARE = 0.05;

/** Codes that are looked up between two turns of others. */
const CODES_PER_TURN = 500;

export class ChangeService {
  readonly #parts: ChangeServiceParts;

  constructor(parts: ChangeServiceParts) {
    this.#parts = parts;
  }

  /** Queues the change; returns the id of the import. Throws 400, 403, 404, 422, 503. */
  async start(caller: Caller, request: ChangeRequest): Promise<number> {
    const { cpfCnpjRaiz, expected, from } = request;
    requireWrite(caller, cpfCnpjRaiz);
    refuse(orderProblems(request));
    const dryRun = from === undefined ? undefined : this.#dryRun(caller, from, cpfCnpjRaiz);
    const order = dryRun === undefined ? orderOf(request) : (JSON.parse(dryRun.pedido ?? '') as ChangeOrder);
    const simular = request.simular === true;
    const texts = dryRun === undefined ? this.#chosen(request) : this.#rowsOf(caller, dryRun.id);
    const stored = await this.#write(texts);
    try {
      if (order.deactivate === true && !simular)
        await this.#refuseTooMany(order, stored.storedFile, expected);
    } catch (refusal) {
      await this.#parts.folder.remove(stored.storedFile);
      throw refusal;
    }
    const asked = {
      tipo: 'produto',
      modo: 'lote',
      simular,
      fileName: 'alteração de vários produtos',
    } as const;
    return this.#parts.imports.start(caller, { ...asked, ...stored, pedido: JSON.stringify(order) });
  }

  /** A dry run that has ended. Throws 404, 422. */
  #dryRun(caller: Caller, id: number, cpfCnpjRaiz: string): ImportJob {
    const job = this.#parts.imports.find(caller, id);
    const order = job.pedido === null ? undefined : (JSON.parse(job.pedido) as ChangeOrder);
    if (order?.cpfCnpjRaiz !== cpfCnpjRaiz)
      throw notFound(`Não existe alteração de vários produtos ${id} do catálogo de ${cpfCnpjRaiz}.`);
    if (job.simular && job.state === 'done') return job;
    const message = `from: a alteração ${id} não é uma simulação que terminou; simule com simular=true, espere terminar e envie o id dela.`;
    throw unprocessable([violated('notADryRun', '/from', message)]);
  }

  async *#chosen({ cpfCnpjRaiz, codigos, filter }: ChangeRequest): AsyncGenerator<string | Uint8Array> {
    if (codigos === undefined) {
      const asked = toFilter({ ...filter, cpfCnpjRaiz }, this.#parts.clock.now());
      yield* this.#parts.listings.read({ kind: 'products', form: 'list', filter: asked });
      return;
    }
    const items = [...new Set(codigos)].map((codigo) => ({
      codigo,
      denominacao: this.#parts.products.find(cpfCnpjRaiz, codigo)?.denominacao ?? null,
    }));
    yield JSON.stringify(items);
  }

  /** What the dry run would have changed, as it showed it. */
  async *#rowsOf(caller: Caller, id: number): AsyncGenerator<string> {
    let frame = '[';
    for (const row of this.#parts.imports.results(caller, id)) {
      if (row.changes.length === 0) continue;
      const item: ChangeItem = { codigo: Number(row.codigo), denominacao: row.name, seen: row.changes };
      yield frame + JSON.stringify(item);
      frame = ',';
    }
    yield frame === '[' ? '[]' : ']';
  }

  /** The products as a file of the folder, on disk when it returns. */
  async #write(texts: AsyncGenerator<string | Uint8Array>) {
    const { folder } = this.#parts;
    const stored = await folder.create();
    const hash = new Bun.CryptoHasher('sha256');
    let isEmpty = true;
    try {
      for await (const text of texts) {
        isEmpty &&= text.length === 0;
        hash.update(text);
        await stored.handle.writeFile(text);
      }
      if (isEmpty) await stored.handle.writeFile('[]');
      await stored.handle.sync();
      await folder.sync();
      return { storedFile: stored.name, sha256: hash.digest('hex') };
    } catch (failure) {
      await folder.remove(stored.name);
      throw failure;
    } finally {
      await stored.handle.close();
    }
  }

  /** Throws 422 where more would be deactivated than are meant to be. */
  async #refuseTooMany({ cpfCnpjRaiz }: ChangeOrder, storedFile: string, expected = -1): Promise<void> {
    const { products, folder, maxBytes } = this.#parts;
    const free = Math.max(
      DEACTIVATIONS_FREE,
      Math.floor(products.countActive(cpfCnpjRaiz) * DEACTIVATIONS_SHARE),
    );
    let falling = 0;
    let seen = 0;
    for await (const { value } of readItems(folder.pathOf(storedFile), importLimits(maxBytes))) {
      const { codigo } = value as ChangeItem; // we wrote it
      const situacao = products.findHead(cpfCnpjRaiz, codigo)?.situacao ?? 'DESATIVADO';
      if (situacao !== 'DESATIVADO') falling += 1;
      seen += 1;
      if (seen % CODES_PER_TURN === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    if (falling <= free || falling === expected) return;
    const received = expected === -1 ? '' : ` recebido ${expected};`;
    const message = `expected:${received} ${falling} produtos seriam desativados, mais que ${free}; se são esses mesmos, envie expected: ${falling}.`;
    throw unprocessable([violated('tooManyDeactivations', '/expected', message)]);
  }
}

const orderOf = ({ cpfCnpjRaiz, set, links, deactivate, reactivate }: ChangeRequest): ChangeOrder => ({
  cpfCnpjRaiz,
  ...(set && { set }),
  ...(links && { links }),
  ...(deactivate === true && { deactivate }),
  ...(reactivate === true && { reactivate }),
});

function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw malformed(problems);
}
