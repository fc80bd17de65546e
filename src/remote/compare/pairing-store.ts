/** Makes the certain pairs in a scratch database (contract section 18). */
import { Store } from '../../db/prepared.ts';
import type { PairedKind } from './model.ts';

export type SideNumber = 0 | 1;
export const LOCAL: SideNumber = 0;
export const REMOTE: SideNumber = 1;

const FREE_LOCAL = 'NOT EXISTS (SELECT 1 FROM pair p WHERE p.kind = r.kind AND p.here = r.key)';
export const FREE_REMOTE = 'NOT EXISTS (SELECT 1 FROM pair p WHERE p.kind = r.kind AND p.there = r.key)';
const freeOn = (side: SideNumber): string => (side === LOCAL ? FREE_LOCAL : FREE_REMOTE);

/** The sort of the mark that finds records of the same content. All other sorts are sorts of words. */
export const IDENTITY = 'identity';
/** The limit of candidates of a record. */
export const CANDIDATES_MAX = 10;

/** Unpaired records that are alone with their word or their content on their side. */
const LONE_WORDS = (side: SideNumber): string =>
  `SELECT ${side}, r.word, min(r.key) FROM word r WHERE r.kind = @kind AND r.side = ${side} AND r.sort = @sort
   AND ${freeOn(side)} GROUP BY r.word HAVING count(*) = 1`;
const LONE_CONTENTS = (side: SideNumber): string =>
  `SELECT ${side}, r.fingerprint, min(r.key) FROM rec r INDEXED BY rec_fingerprint WHERE r.kind = @kind AND r.side = ${side}
   AND ${freeOn(side)} GROUP BY r.fingerprint HAVING count(*) = 1`;
const INSERT_PAIRS = 'INSERT INTO pair (kind, here, there, known)';

export class PairingStore extends Store {
  /** Pairs records whose remote record has the same code and the same content. */
  readonly pairByCode = this.runs(
    `${INSERT_PAIRS} SELECT r.kind, r.key, r.key, 0 FROM rec r JOIN rec b ON b.kind = r.kind AND b.side = ${REMOTE}
         AND b.key = r.key AND b.fingerprint = r.fingerprint WHERE r.kind = @kind AND r.side = ${LOCAL}
         AND ${FREE_LOCAL} AND ${FREE_REMOTE}`,
    (kind: PairedKind) => [{ kind }],
  );
  readonly #collectCrowds = this.runs(
    `INSERT INTO crowd SELECT kind, side, sort, mark, count(*) FROM unpaired WHERE kind = @kind AND side = ${REMOTE}
         GROUP BY kind, side, sort, mark HAVING count(*) > ${CANDIDATES_MAX}`,
  );
  readonly #pairMet = this.runs(
    `${INSERT_PAIRS} SELECT ?, here, there, 0 FROM met
         WHERE NOT EXISTS (SELECT 1 FROM met o WHERE o.here = met.here AND o.there <> met.there)
         AND NOT EXISTS (SELECT 1 FROM met o WHERE o.there = met.there AND o.here <> met.here)`,
  );

  pairByWord(kind: PairedKind, sort: string): void {
    this.#pairLone(LONE_WORDS, { kind, sort });
  }

  pairByContent(kind: PairedKind): void {
    this.#pairLone(LONE_CONTENTS, { kind });
  }

  /** Collects the unpaired records by word and by content. Runs after all pairs of the kind are made. */
  collectUnpaired(kind: PairedKind): void {
    for (const side of [LOCAL, REMOTE] as const) {
      this.db
        .prepare(
          `INSERT INTO unpaired SELECT r.kind, r.side, r.sort, r.word, r.key FROM word r
           WHERE r.kind = @kind AND r.side = ${side} AND ${freeOn(side)}`,
        )
        .run({ kind });
      this.db
        .prepare(
          `INSERT INTO unpaired SELECT r.kind, r.side, '${IDENTITY}', r.identity, r.key FROM rec r INDEXED BY rec_identity
           WHERE r.kind = @kind AND r.side = ${side} AND ${freeOn(side)}`,
        )
        .run({ kind });
    }
    this.#collectCrowds({ kind });
  }

  /**
   * Pairs records that match by one mark. Two words of a record may match different records; a record with
   * several matches gets no pair.
   */
  #pairLone(
    lone: (side: SideNumber) => string,
    parameters: { readonly kind: PairedKind; readonly sort?: string },
  ): void {
    this.db.exec('DELETE FROM lone; DELETE FROM met');
    for (const side of [LOCAL, REMOTE] as const)
      this.db.prepare(`INSERT INTO lone ${lone(side)}`).run(parameters);
    this.db.exec(`INSERT OR IGNORE INTO met SELECT a.key, b.key FROM lone a
      JOIN lone b ON b.side = ${REMOTE} AND b.mark = a.mark WHERE a.side = ${LOCAL}`);
    this.#pairMet(parameters.kind);
  }
}
