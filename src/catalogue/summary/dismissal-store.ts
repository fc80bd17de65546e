/** Stores which items of the attention list were dismissed. */
import { Store } from '../../db/prepared.ts';

export interface Dismissal {
  readonly kind: string;
  /** Import, subscription or remote; `''` for a kind with one item. */
  readonly id: string;
  /** Shows the item again when its count is higher. */
  readonly count: number;
}

export class DismissalStore extends Store {
  readonly #list = this.db.prepare<[string], Dismissal>(
    'SELECT kind, item AS id, count FROM attention_dismissal WHERE cpf_cnpj_raiz = ?',
  );
  readonly #put = this.db.prepare(
    'INSERT OR REPLACE INTO attention_dismissal (cpf_cnpj_raiz, kind, item, count) VALUES (?, ?, ?, ?)',
  );

  list(cpfCnpjRaiz: string): Dismissal[] {
    return this.#list.all(cpfCnpjRaiz);
  }

  put(cpfCnpjRaiz: string, { kind, id, count }: Dismissal): void {
    this.#put.run(cpfCnpjRaiz, kind, id, count);
  }
}
