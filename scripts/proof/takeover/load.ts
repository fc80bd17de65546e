/** Products written as fast as one machine takes them, each with a name of its own for ever; what was acknowledged is kept. */
import { openForReading } from '../../../src/db/open.ts';
import type { Client } from '../client.ts';

const COMPANY = '12345678';
export const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
export const PRODUCT_LIST = `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`;
const WRITERS = 16;
/** Whoever is refused asks again so much later. */
const AGAIN_MS = 20;
const OK = 200;

export const productOf = (denominacao: string): object => ({
  denominacao,
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
});

export interface Acknowledged {
  readonly name: string;
  /** Which machine said so. */
  readonly by: string;
  readonly at: number;
}

/** All of a life; the names go on from machine to machine. */
export class Ledger {
  acknowledged: Acknowledged[] = [];
  #names = 0;

  /** The status; `undefined`: no answer came. */
  async include(client: Client, by: string): Promise<number | undefined> {
    const name = `Peça ${(this.#names += 1)}`;
    const answer = await client.call('POST', PRODUCTS, productOf(name));
    if (answer?.status === OK) this.acknowledged.push({ name, by, at: performance.now() });
    return answer?.status;
  }

  /** What of it a database does not have; read beside whoever serves it. */
  missingIn(database: string): readonly Acknowledged[] {
    const db = openForReading(database);
    const names = new Set(db.prepare<[], string>('SELECT denominacao FROM product').pluck().all());
    db.close();
    return this.acknowledged.filter(({ name }) => !names.has(name));
  }

  /** What was told as lost is not looked for again. */
  forget(lost: readonly Acknowledged[]): void {
    const names = new Set(lost.map(({ name }) => name));
    this.acknowledged = this.acknowledged.filter(({ name }) => !names.has(name));
  }
}

export class Load {
  readonly #writers: readonly Promise<void>[];
  #goesOn = true;

  constructor(ledger: Ledger, client: Client, by: string) {
    this.#writers = Array.from({ length: WRITERS }, async () => {
      while (this.#goesOn) if ((await ledger.include(client, by)) !== OK) await Bun.sleep(AGAIN_MS);
    });
  }

  async stop(): Promise<void> {
    this.#goesOn = false;
    await Promise.all(this.#writers);
  }
}
