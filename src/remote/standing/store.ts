/**
 * Store of the standing of products at a remote: the result of the comparison, later runs and later local
 * changes.
 */
import type { EpochMs } from '../../clock.ts';
import type { VersionNumber } from '../../catalogue/version.ts';
import { KEYS_OF_COMPANY, type Situacao, keyIn } from '../../catalogue/versioned/model.ts';
import { Store } from '../../db/prepared.ts';
import type { RemoteState } from '../compare/model.ts';
import type { StepOperation } from '../run/model.ts';

/** A company, and a remote that has it. */
export interface CompanyAtRemote {
  readonly remoteId: number;
  readonly cpfCnpjRaiz: string;
  readonly companyId: number;
}

/** A comparison, and the later runs that sent or fetched something. */
export interface LastComparison {
  readonly comparison: number;
  readonly at: EpochMs;
  /** The run ids as JSON. */
  readonly runs: string;
}

interface RemoteColumns {
  readonly remoteKey: string | null;
  readonly remoteVersao: string | null;
  readonly localVersao: string | null;
}

/** A product now, and as the comparison found it. */
export interface ComparedProduct extends RemoteColumns, VersionNumber {
  readonly codigo: number;
  readonly situacao: Situacao;
  readonly changedAt: EpochMs;
  readonly draftUntil: EpochMs | null;
  readonly deactivatedAt: EpochMs | null;
  /** `null`: the comparison did not see it. */
  readonly state: RemoteState | null;
  readonly reason: string | null;
  /** The remote key, when both sides agreed on this version. */
  readonly agreedRemoteKey: string | null;
}

export interface DoneStep extends RemoteColumns {
  readonly codigo: number;
  readonly run: number;
  readonly operation: StepOperation;
  readonly outcome: 'sent' | 'adopted' | 'refused' | 'uncertain';
  readonly code: string | null;
  readonly message: string | null;
  readonly at: EpochMs;
}

const comparedProductSql = (
  where: string,
): string => `SELECT p.id % ${KEYS_OF_COMPANY} AS codigo, p.family, p.rectification, p.situacao,
    p.changed_at AS changedAt, p.draft_until AS draftUntil, p.deactivated_at AS deactivatedAt, r.there AS remoteKey, r.there_versao AS remoteVersao,
    r.here_versao AS localVersao, r.state, r.reason, m.there AS agreedRemoteKey
  FROM product p
  LEFT JOIN remote_record r INDEXED BY remote_record_of_here
    ON r.comparison_id = @comparison AND r.kind = 'produto' AND r.here = printf('%010d', p.id % ${KEYS_OF_COMPANY})
  LEFT JOIN remote_pair m ON m.remote_id = @remoteId AND m.cpf_cnpj_raiz = @cpfCnpjRaiz AND m.kind = 'produto'
    AND m.here = printf('%010d', p.id % ${KEYS_OF_COMPANY})
    AND m.base_versao = p.family || iif(p.rectification = 0, '', '.' || p.rectification)
  WHERE ${where}`;

const STEP = `SELECT CAST(here AS INTEGER) AS codigo, run_id AS run, there AS remoteKey, there_versao AS remoteVersao, here_versao AS localVersao,
  operation, outcome, code, message, at FROM remote_step`;
const HAS_RESULT = `run_id IN (SELECT value FROM json_each(@runs)) AND kind = 'produto'
  AND outcome IN ('sent', 'adopted', 'refused', 'uncertain') AND at >= @at`;

/** A test checks that each query uses its index. */
export const STANDING_QUERIES = {
  newest: `SELECT id, at FROM remote_comparison INDEXED BY remote_comparison_of_company
    WHERE cpf_cnpj_raiz = @cpfCnpjRaiz AND remote_id = @remoteId AND state = 'done' ORDER BY id DESC LIMIT 1`,
  runs: `SELECT id FROM remote_run INDEXED BY remote_run_of_company
    WHERE cpf_cnpj_raiz = @cpfCnpjRaiz AND remote_id = @remoteId AND simulated = 0 AND (ended_at IS NULL OR ended_at >= @at)`,
  product: comparedProductSql('p.id = @id'),
  changed: comparedProductSql(`p.id IN (SELECT id FROM product INDEXED BY product_by_change
      WHERE company_id = @companyId AND changed_at >= @at AND changed_at <> registered_at
    UNION ALL SELECT id FROM product INDEXED BY product_by_registration
      WHERE company_id = @companyId AND registered_at >= @at)`),
  step: `${STEP} INDEXED BY remote_step_of_record WHERE here = @here AND ${HAS_RESULT} ORDER BY at DESC, run_id DESC LIMIT 1`,
  steps: `${STEP} INDEXED BY remote_step_to_do WHERE ${HAS_RESULT} ORDER BY at, run_id`,
  versionThere: `SELECT there_versao FROM remote_record INDEXED BY remote_record_of_there
    WHERE comparison_id = @comparison AND kind = 'produto' AND there = @there`,
  inState: `SELECT CAST(here AS INTEGER) FROM remote_record INDEXED BY remote_record_by_state
    WHERE comparison_id = @comparison AND state = @state AND kind = 'produto' AND here IS NOT NULL`,
} as const;

export class StandingStore extends Store {
  readonly #newest = this.one<[CompanyAtRemote], { id: number; at: EpochMs }>(STANDING_QUERIES.newest);
  readonly #runs = this.values<[CompanyAtRemote & Pick<LastComparison, 'at'>], number>(STANDING_QUERIES.runs);
  readonly #product = this.one<[object], ComparedProduct>(STANDING_QUERIES.product);
  readonly #changed = this.iterates<[object], ComparedProduct>(STANDING_QUERIES.changed);
  readonly #step = this.one<[object], DoneStep>(STANDING_QUERIES.step);
  /** Yields all finished steps in chronological order. */
  readonly steps = this.iterates<[since: LastComparison], DoneStep>(STANDING_QUERIES.steps);
  readonly #versionThere = this.value<[object], string>(STANDING_QUERIES.versionThere);
  readonly #inState = this.db.prepare<[object], number>(STANDING_QUERIES.inState).pluck();

  /** Returns the newest finished comparison. `undefined`: none. */
  findLastComparison(place: CompanyAtRemote): LastComparison | undefined {
    const newest = this.#newest(place);
    if (newest === undefined) return undefined;
    const { id: comparison, at } = newest;
    return { comparison, at, runs: JSON.stringify(this.#runs({ ...place, at })) };
  }

  product(
    place: CompanyAtRemote,
    lastComparison: LastComparison,
    codigo: number,
  ): ComparedProduct | undefined {
    return this.#product({ ...place, ...lastComparison, id: keyIn(place.companyId, codigo) });
  }

  /** Yields the products that were changed or created locally since. */
  changed(place: CompanyAtRemote, lastComparison: LastComparison): IterableIterator<ComparedProduct> {
    return this.#changed({ ...place, ...lastComparison });
  }

  /** Returns the last finished step of a product. `undefined`: none. */
  step(lastComparison: LastComparison, localKey: string): DoneStep | undefined {
    return this.#step({ ...lastComparison, here: localKey });
  }

  versionThere({ comparison }: LastComparison, remoteKey: string): string | null {
    return this.#versionThere({ comparison, there: remoteKey }) ?? null;
  }

  /** Yields the codes of the products that a comparison found in this state. */
  inState({ comparison }: LastComparison, state: RemoteState): IterableIterator<number> {
    return this.#inState.iterate({ comparison, state });
  }
}
