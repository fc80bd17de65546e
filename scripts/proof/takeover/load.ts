/**
 * Products written at the maximum rate of one machine, each with a unique name; acknowledged ones are
 * recorded.
 */
import { openForReading } from '../../../src/db/open.ts';
import type { Client } from '../client.ts';

const COMPANY = '12345678';
export const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
export const PRODUCT_LIST = `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}`;
const WRITERS = 16;
/** A refused write is retried after this time. */
const AGAIN_MS = 20;
const OK = 200;

export const productOf = (denominacao: string): object => ({
  denominacao,
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
});

export interface Acknowledged {
  readonly name: string;
  /** The machine that acknowledged it. */
  readonly by: string;
  readonly at: number;
}

/** The acknowledged writes of one pair of machines; the names continue across machines. */
export class Ledger {
  acknowledged: Acknowledged[] = [];
  #names = 0;

  /** Returns the status; `undefined`: no answer arrived. */
  async include(client: Client, by: string): Promise<number | undefined> {
    const name = `Peça ${(this.#names += 1)}`;
    const answer = await client.call('POST', PRODUCTS, productOf(name));
    if (answer?.status === OK) this.acknowledged.push({ name, by, at: performance.now() });
    return answer?.status;
  }

  /** Returns the acknowledged writes that a database lacks; reads next to a running server. */
  missingIn(database: string): readonly Acknowledged[] {
    const db = openForReading(database);
    const names = new Set(db.prepare<[], string>('SELECT denominacao FROM product').pluck().all());
    db.close();
    return this.acknowledged.filter(({ name }) => !names.has(name));
  }

  /** Forgets reported losses. */
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
