/** Stores which items of the attention list were dismissed. */
import { Store } from '../../db/prepared.ts';

export interface Dismissal {
  readonly kind: string;
  /** Import, subscription or remote; `''` for a kind with one item. */
  readonly id: string;
  /** Count up to which the item stays hidden. When the count of the item decreases, this one decreases too. */
  readonly count: number;
}

/** Dismissal of an item whose count has decreased; `newCount` replaces `count`. */
export interface LoweredDismissal extends Dismissal {
  readonly cpfCnpjRaiz: string;
  readonly newCount: number;
}

export class DismissalStore extends Store {
  readonly list = this.many<[cpfCnpjRaiz: string], Dismissal>(
    'SELECT kind, item AS id, count FROM attention_dismissal WHERE cpf_cnpj_raiz = ?',
  );
  readonly put = this.runs(
    'INSERT OR REPLACE INTO attention_dismissal (cpf_cnpj_raiz, kind, item, count) VALUES (?, ?, ?, ?)',
    (cpfCnpjRaiz: string, { kind, id, count }: Dismissal) => [cpfCnpjRaiz, kind, id, count],
  );
  /** Returns the companies with dismissed items. */
  readonly companies = this.values<[], string>('SELECT DISTINCT cpf_cnpj_raiz FROM attention_dismissal');
  /** Lowers a dismissal; does nothing if the item was dismissed again in the meantime, with another count. */
  readonly lower = this.runs(
    'UPDATE attention_dismissal SET count = ? WHERE cpf_cnpj_raiz = ? AND kind = ? AND item = ? AND count = ?',
    ({ cpfCnpjRaiz, kind, id, count, newCount }: LoweredDismissal) => [
      newCount,
      cpfCnpjRaiz,
      kind,
      id,
      count,
    ],
  );
}
