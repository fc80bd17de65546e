/** Stores which items of the attention list were dismissed. */
import { Store } from '../../db/prepared.ts';

export interface Dismissal {
  readonly kind: string;
  /** Import, subscription or remote; `''` for a kind with one item. */
  readonly id: string;
  /** Shows the item again when its count is higher. It falls with the count of the item. */
  readonly count: number;
}

/** Dismissal of an item whose count has fallen; `count` is the one to replace. */
export interface FallenDismissal extends Dismissal {
  readonly cpfCnpjRaiz: string;
  readonly now: number;
}

export class DismissalStore extends Store {
  readonly #list = this.db.prepare<[string], Dismissal>(
    'SELECT kind, item AS id, count FROM attention_dismissal WHERE cpf_cnpj_raiz = ?',
  );
  readonly #put = this.db.prepare(
    'INSERT OR REPLACE INTO attention_dismissal (cpf_cnpj_raiz, kind, item, count) VALUES (?, ?, ?, ?)',
  );

  readonly #companies = this.db
    .prepare<[], string>('SELECT DISTINCT cpf_cnpj_raiz FROM attention_dismissal')
    .pluck();
  readonly #lower = this.db.prepare(
    'UPDATE attention_dismissal SET count = ? WHERE cpf_cnpj_raiz = ? AND kind = ? AND item = ? AND count = ?',
  );

  /** Returns the companies with dismissed items. */
  companies(): string[] {
    return this.#companies.all();
  }

  /** Does nothing if the item was dismissed again meanwhile, with another count. */
  lower({ cpfCnpjRaiz, kind, id, count, now }: FallenDismissal): void {
    this.#lower.run(now, cpfCnpjRaiz, kind, id, count);
  }

  list(cpfCnpjRaiz: string): Dismissal[] {
    return this.#list.all(cpfCnpjRaiz);
  }

  put(cpfCnpjRaiz: string, { kind, id, count }: Dismissal): void {
    this.#put.run(cpfCnpjRaiz, kind, id, count);
  }
}
