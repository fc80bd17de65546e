/** Store of the pairs of local and remote records. */
import { Store } from '../../db/prepared.ts';
import type { Pair, RemoteKind } from './model.ts';

interface Row extends Omit<Pair, 'base'> {
  readonly baseVersao: string | null;
  readonly baseLocal: number | null;
  readonly baseRemote: number | null;
}

const COLUMNS =
  'kind, here AS localKey, there AS remoteKey, base_versao AS baseVersao, base_here AS baseLocal, base_there AS baseRemote';
const OF_COMPANY = 'remote_id = ? AND cpf_cnpj_raiz = ?';

/** Rows of one page. */
const PAGE_ROWS = 1000;

/** A page of pairs after a pair. A test checks that the query uses its index. */
export const PAIRS_PAGE = `SELECT ${COLUMNS} FROM remote_pair
  WHERE ${OF_COMPANY} AND (kind, here) > (?, ?) ORDER BY kind, here LIMIT ${PAGE_ROWS}`;

export class PairStore extends Store {
  readonly #page = this.many<[number, string, string, string], Row>(PAIRS_PAGE);
  /** Returns the local key of a remote record. `undefined`: it has no pair. */
  readonly localKeyOf = this.value<
    [remoteId: number, cpfCnpjRaiz: string, kind: RemoteKind, there: string],
    string
  >(`SELECT here FROM remote_pair WHERE ${OF_COMPANY} AND kind = ? AND there = ?`);
  /** Returns the remote key of a local record. `undefined`: none is known. */
  readonly remoteKeyOf = this.value<
    [remoteId: number, cpfCnpjRaiz: string, kind: RemoteKind, here: string],
    string
  >(`SELECT there FROM remote_pair WHERE ${OF_COMPANY} AND kind = ? AND here = ?`);
  /** Also replaces another pair that has either side, because a record belongs to one pair. */
  readonly #put = this.runs(
    `INSERT OR REPLACE INTO remote_pair (remote_id, cpf_cnpj_raiz, kind, here, there, base_versao, base_here, base_there)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly #delete = this.runs(`DELETE FROM remote_pair WHERE ${OF_COMPANY} AND kind = ? AND here = ?`);
  /** Deletes at most `limit` pairs of a remote. Returns the number of deleted rows. */
  readonly deleteSome = this.changes<[remoteId: number, limit: number]>(
    `DELETE FROM remote_pair WHERE (remote_id, cpf_cnpj_raiz, kind, here) IN
       (SELECT remote_id, cpf_cnpj_raiz, kind, here FROM remote_pair WHERE remote_id = ? LIMIT ?)`,
  );

  /** Yields all pairs of a company page by page. `only` limits them to links. */
  *pairs(remoteId: number, cpfCnpjRaiz: string, only?: 'vinculo'): Generator<readonly Pair[]> {
    for (let [kind, here] = [only ?? '', '']; ;) {
      const rows = this.#page(remoteId, cpfCnpjRaiz, kind, here);
      yield rows.map(toPair);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_ROWS) return;
      [kind, here] = [last.kind, last.localKey];
    }
  }

  put(remoteId: number, cpfCnpjRaiz: string, { kind, localKey, remoteKey, base }: Pair): void {
    this.#put(remoteId, cpfCnpjRaiz, kind, localKey, remoteKey, base.versao, base.local, base.remote);
  }

  delete(
    remoteId: number,
    cpfCnpjRaiz: string,
    { kind, localKey: here }: Pick<Pair, 'kind' | 'localKey'>,
  ): void {
    this.#delete(remoteId, cpfCnpjRaiz, kind, here);
  }
}

const toPair = ({
  kind,
  localKey: here,
  remoteKey: there,
  baseVersao: versao,
  baseLocal,
  baseRemote,
}: Row): Pair => ({
  kind,
  localKey: here,
  remoteKey: there,
  base: { versao, local: baseLocal, remote: baseRemote },
});
