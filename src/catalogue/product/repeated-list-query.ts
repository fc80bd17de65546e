/**
 * Finds the active products of a company that share their name, or their whole content. No index serves this: to
 * maintain one would cost each new product a tenth of its time, and few lists ask for it.
 */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import { contentSelected } from '../members/member.ts';
import { PRODUCT } from '../members/product.ts';
import { numberInCompany } from '../versioned/model.ts';
import { stretches } from './list-query.ts';
import type { ProductColumns } from './model.ts';

/** Number of products whose contents are read before other reads run. */
const READ_AT_A_TIME = 1000;

/** Returns a text that identical products share, and no others. */
export type IdentityOf = (content: ProductColumns) => string;

/** Returns the codes of the products that another one repeats. Yields `''` to let other reads run. */
export function* repeatedCodes(
  db: Db,
  cpfCnpjRaiz: string,
  member: 'denominacao' | 'conteudo',
  identityOf: IdentityOf,
): Generator<string, ReadonlySet<number>> {
  let ids = yield* idsOfEqualNames(db, cpfCnpjRaiz);
  if (member === 'conteudo') ids = yield* idsOfEqualContents(db, ids, identityOf);
  return new Set(ids.map(numberInCompany));
}

function* idsOfEqualNames(db: Db, cpfCnpjRaiz: string): Generator<string, readonly number[]> {
  const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
  const names = db
    .prepare<[number, number], [id: number, name: string]>(
      `SELECT id, denominacao_folded FROM product
       WHERE id > ? AND id <= ? AND situacao = 'ATIVADO' ORDER BY id`,
    )
    .raw();
  const texts = new ComparedTexts();
  for (const { after, upTo } of stretches(db, { cpfCnpjRaiz }, companyId)) {
    for (const [id, name] of names.all(after, upTo)) texts.add(id, name);
    yield '';
  }
  return texts.idsOfEqual();
}

/** Equal contents have equal names: only such products are read. */
function* idsOfEqualContents(
  db: Db,
  ids: readonly number[],
  identityOf: IdentityOf,
): Generator<string, readonly number[]> {
  const contentOf = db.prepare<[number], ProductColumns>(
    `SELECT ${contentSelected(PRODUCT, 'p')} FROM product p WHERE p.id = ?`,
  );
  const texts = new ComparedTexts();
  for (const [index, id] of ids.entries()) {
    texts.add(id, identityOf(contentOf.get(id) as ProductColumns)); // products are never deleted
    if (index % READ_AT_A_TIME === 0) yield '';
  }
  return texts.idsOfEqual();
}

/** Bits that a hash loses to be an exact number. */
const SURPLUS_BITS = 11n;

/** Compares texts by hashes of 53 bits, because the texts of a million products do not fit into memory. */
class ComparedTexts {
  readonly #ids: number[] = [];
  readonly #hashes: number[] = [];

  add(id: number, text: string): void {
    this.#ids.push(id);
    this.#hashes.push(Number(Bun.hash.wyhash(text) >> SURPLUS_BITS));
  }

  /** Returns the ids of the texts that equal another one. */
  idsOfEqual(): number[] {
    const sorted = Float64Array.from(this.#hashes).sort();
    const repeated = new Set(sorted.filter((hash, index) => hash === sorted[index - 1]));
    return this.#ids.filter((_, index) => repeated.has(this.#hashes[index] as number)); // one for each id
  }
}
