/** The stored audit. The lists have their own reader (list-query.ts). */
import type { EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { Store } from '../db/prepared.ts';

/** The changes of one transaction. */
export interface Page {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly at: EpochMs;
  readonly entries: string;
  readonly hash: Uint8Array;
  readonly brokenAt: number | null;
  readonly seal: Uint8Array | null;
  /** The last entry that the outer seal covered, once there was one. */
  readonly sealed: number | null;
}

/** The members of the last page that the next one needs. */
export type End = Pick<Page, 'firstSeq' | 'lastSeq' | 'hash' | 'brokenAt' | 'seal' | 'sealed'>;

const END = 'first_seq AS firstSeq, last_seq AS lastSeq, hash, broken_at AS brokenAt, seal, sealed';
const PAGES_AT_A_TIME = 500;

/**
 * Returns the state of the trail. `pending`: an older version of catp created the database, and the next
 * start adds the trail. `removed`: the table of the trail was dropped.
 */
export function findTrail(db: Db): 'present' | 'pending' | 'removed' {
  const has = (sql: string): boolean => db.prepare<[], 0 | 1>(`SELECT EXISTS (${sql})`).pluck().get() === 1;
  if (has("SELECT 1 FROM pragma_table_info('audit_page') WHERE name = 'sealed'")) return 'present';
  return has("SELECT 1 FROM migration WHERE name = 'audit_seal'") ? 'removed' : 'pending';
}

export class AuditStore extends Store {
  readonly #add = this.runs(
    'INSERT INTO audit_page (first_seq, last_seq, at, entries, hash, broken_at, seal, sealed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  readonly putSeal = this.runs(
    'UPDATE audit_page SET seal = ? WHERE first_seq = ?',
    (firstSeq: number, seal: Uint8Array | null) => [seal, firstSeq],
  );
  readonly findEnd = this.one<[], End>(`SELECT ${END} FROM audit_page ORDER BY first_seq DESC LIMIT 1`);
  readonly #pageOf = this.one<[number], Pick<Page, 'lastSeq' | 'hash'>>(
    'SELECT last_seq AS lastSeq, hash FROM audit_page WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1',
  );
  readonly #pages = this.many<[number], Page>(
    `SELECT ${END}, at, entries FROM audit_page WHERE first_seq > ? ORDER BY first_seq LIMIT ${PAGES_AT_A_TIME}`,
  );
  readonly #isAnyRegistered = this.number<[EpochMs]>(
    `SELECT EXISTS (SELECT 1 FROM company c WHERE EXISTS (
       SELECT 1 FROM product p WHERE p.company_id = c.id AND p.registered_at < ?
         AND p.registered_at >= (SELECT applied_at FROM migration WHERE name = 'audit')))`,
  );

  add({ firstSeq, lastSeq, at, entries, hash, brokenAt, seal, sealed }: Page): void {
    this.#add(firstSeq, lastSeq, at, entries, hash, brokenAt, seal, sealed);
  }

  /** Returns the hash of the page that ends with this entry. */
  hashAt(seq: number): Uint8Array | null {
    const page = this.#pageOf(seq);
    return page?.lastSeq === seq ? page.hash : null;
  }

  /** Yields all pages in order, and reads some at a time. */
  *pages(): Generator<Page> {
    let after = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const pages = this.#pages(after);
      yield* pages;
      const last = pages.at(-1);
      if (last === undefined) return;
      after = last.firstSeq;
    }
  }

  /** Returns true when a product was registered between the start of the audit and that moment. */
  isAnyRegisteredBefore(at: EpochMs): boolean {
    return this.#isAnyRegistered(at) === 1;
  }
}
