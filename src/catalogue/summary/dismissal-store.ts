/** Items of the list of what asks for attention that somebody dismissed, on disk. */
import { Store } from '../../db/prepared.ts';

export interface Dismissal {
  readonly kind: string;
  /** The import, subscription or remote; `''` of a kind that has one item. */
  readonly id: string;
  /** The item comes back once it counts more. */
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
