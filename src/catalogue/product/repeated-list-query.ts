/**
 * Finds the active products of a company that share their name, or their whole content. No index serves this: to
 * maintain one would cost each new product a tenth of its time, and few lists ask for it.
 */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import { numberInCompany } from '../versioned/model.ts';
import { stretches } from './list-query.ts';
import { IDENTITY_COLUMNS } from './store.ts';

const COMPARED = { denominacao: ['denominacao_folded'], conteudo: IDENTITY_COLUMNS } as const;

/** Number of candidates whose columns are compared before other reads run. */
const COMPARED_AT_A_TIME = 5000;

/** Returns the codes of the products that another one repeats. Yields `''` to let other reads run. */
export function* repeatedCodes(
  db: Db,
  cpfCnpjRaiz: string,
  member: keyof typeof COMPARED,
): Generator<string, ReadonlySet<number>> {
  const candidates = yield* idsOfEqualNames(db, cpfCnpjRaiz);
  const columnsOf = db
    .prepare<[number], unknown[]>(`SELECT ${COMPARED[member].join(', ')} FROM product WHERE id = ?`)
    .raw();
  const repeated = new Repeated<bigint | number>();
  let comparedCount = 0;
  for (const id of candidates) {
    repeated.add(Bun.hash(JSON.stringify(columnsOf.get(id))), id);
    comparedCount += 1;
    if (comparedCount % COMPARED_AT_A_TIME === 0) yield '';
  }
  return new Set([...repeated.ids].map(numberInCompany));
}

/** Returns the keys of the active products with equal names, and of a few whose names only have an equal hash. */
function* idsOfEqualNames(db: Db, cpfCnpjRaiz: string): Generator<string, ReadonlySet<number>> {
  const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
  const names = db
    .prepare<[number, number], [id: number, name: string]>(
      `SELECT id, denominacao_folded FROM product
       WHERE id > ? AND id <= ? AND situacao = 'ATIVADO' ORDER BY id`,
    )
    .raw();
  const repeated = new Repeated<number>();
  for (const { after, upTo } of stretches(db, { cpfCnpjRaiz }, companyId)) {
    for (const [id, name] of names.all(after, upTo)) repeated.add(Bun.hash.xxHash32(name), id);
    yield '';
  }
  return repeated.ids;
}

/** Collects the ids whose hash occurs more than once. */
class Repeated<Hash> {
  readonly #first = new Map<Hash, number>();
  readonly ids = new Set<number>();

  add(hash: Hash, id: number): void {
    const first = this.#first.get(hash);
    if (first === undefined) this.#first.set(hash, id);
    else this.ids.add(first).add(id);
  }
}
