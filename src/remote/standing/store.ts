/** Where products stand at a remote, on disk: what a comparison found, what runs did since, and what changed here since. */
import type { EpochMs } from '../../clock.ts';
import type { VersionNumber } from '../../catalogue/version.ts';
import { type Situacao, keyIn, placeOf } from '../../catalogue/versioned/model.ts';
import { Store } from '../../db/prepared.ts';
import type { RemoteState } from '../compare/model.ts';
import type { StepOperation } from '../run/model.ts';

/** Where it is looked for. */
export interface Place {
  readonly remoteId: number;
  readonly cpfCnpjRaiz: string;
  readonly companyId: number;
}

/** A comparison, and the runs that did something since. */
export interface Since {
  readonly comparison: number;
  readonly at: EpochMs;
  /** As JSON. */
  readonly runs: string;
}

export interface ProductNow extends VersionNumber {
  readonly situacao: Situacao;
  readonly changedAt: EpochMs;
  readonly draftUntil: EpochMs | null;
  readonly deactivatedAt: EpochMs | null;
}

interface There {
  readonly there: string | null;
  readonly thereVersao: string | null;
  readonly hereVersao: string | null;
}

export interface FoundProduct extends There {
  readonly state: RemoteState;
  readonly reason: string | null;
}

export interface DoneStep extends There {
  readonly run: number;
  readonly operation: StepOperation;
  readonly outcome: 'sent' | 'adopted' | 'refused' | 'uncertain';
  readonly code: string | null;
  readonly message: string | null;
  readonly at: EpochMs;
}

const TELLING = "outcome IN ('sent', 'adopted', 'refused', 'uncertain')";
const RUNS = 'run_id IN (SELECT value FROM json_each(?))';

/** A test holds each to its index. */
export const STANDING_QUERIES = {
  newest: `SELECT id, at FROM remote_comparison INDEXED BY remote_comparison_of_company
    WHERE cpf_cnpj_raiz = ? AND remote_id = ? AND state = 'done' ORDER BY id DESC LIMIT 1`,
  runs: `SELECT id FROM remote_run INDEXED BY remote_run_of_company
    WHERE cpf_cnpj_raiz = ? AND remote_id = ? AND simulated = 0 AND (ended_at IS NULL OR ended_at >= ?)`,
  product: `SELECT family, rectification, situacao, changed_at AS changedAt, draft_until AS draftUntil,
    deactivated_at AS deactivatedAt FROM product WHERE id = ?`,
  found: `SELECT there, there_versao AS thereVersao, here_versao AS hereVersao, state, reason
    FROM remote_record INDEXED BY remote_record_of_here WHERE comparison_id = ? AND kind = 'produto' AND here = ?`,
  step: `SELECT run_id AS run, there, there_versao AS thereVersao, here_versao AS hereVersao, operation, outcome, code, message, at
    FROM remote_step INDEXED BY remote_step_of_record
    WHERE kind = 'produto' AND here = ? AND ${RUNS} AND ${TELLING} AND at >= ? ORDER BY at DESC, run_id DESC LIMIT 1`,
  agreed: `SELECT there FROM remote_pair
    WHERE remote_id = ? AND cpf_cnpj_raiz = ? AND kind = 'produto' AND here = ? AND base_versao = ? AND there IS NOT NULL`,
  versionThere: `SELECT there_versao FROM remote_record INDEXED BY remote_record_of_there
    WHERE comparison_id = ? AND kind = 'produto' AND there = ?`,
  inState: `SELECT CAST(here AS INTEGER) FROM remote_record INDEXED BY remote_record_by_state
    WHERE comparison_id = ? AND state = ? AND kind = 'produto' AND here IS NOT NULL`,
  stepped: `SELECT CAST(here AS INTEGER) FROM remote_step INDEXED BY remote_step_to_do
    WHERE ${RUNS} AND ${TELLING} AND kind = 'produto' AND at >= ?`,
  changed: `SELECT id FROM product INDEXED BY product_by_change
    WHERE company_id = ? AND changed_at >= ? AND changed_at <> registered_at
    UNION ALL SELECT id FROM product INDEXED BY product_by_registration WHERE company_id = ? AND registered_at >= ?`,
} as const;

export class StandingStore extends Store {
  readonly #newest = this.db.prepare<[string, number], Pick<Since, 'at'> & { readonly id: number }>(
    STANDING_QUERIES.newest,
  );
  readonly #runs = this.db.prepare<[string, number, EpochMs], number>(STANDING_QUERIES.runs).pluck();
  readonly #product = this.db.prepare<[number], ProductNow>(STANDING_QUERIES.product);
  readonly #found = this.db.prepare<[number, string], FoundProduct>(STANDING_QUERIES.found);
  readonly #step = this.db.prepare<[string, string, EpochMs], DoneStep>(STANDING_QUERIES.step);
  readonly #agreed = this.db
    .prepare<[number, string, string, string], string>(STANDING_QUERIES.agreed)
    .pluck();
  readonly #versionThere = this.db
    .prepare<[number, string], string | null>(STANDING_QUERIES.versionThere)
    .pluck();
  readonly #inState = this.db.prepare<[number, RemoteState], number>(STANDING_QUERIES.inState).pluck();
  readonly #stepped = this.db.prepare<[string, EpochMs], number>(STANDING_QUERIES.stepped).pluck();
  readonly #changed = this.db
    .prepare<[number, EpochMs, number, EpochMs], number>(STANDING_QUERIES.changed)
    .pluck();

  /** The newest comparison that came to its end; `undefined`: there is none. */
  since({ remoteId, cpfCnpjRaiz }: Place): Since | undefined {
    const newest = this.#newest.get(cpfCnpjRaiz, remoteId);
    if (newest === undefined) return undefined;
    const { id: comparison, at } = newest;
    return { comparison, at, runs: JSON.stringify(this.#runs.all(cpfCnpjRaiz, remoteId, at)) };
  }

  product({ companyId }: Place, codigo: number): ProductNow | undefined {
    return this.#product.get(keyIn(companyId, codigo));
  }

  found({ comparison }: Since, here: string): FoundProduct | undefined {
    return this.#found.get(comparison, here);
  }

  /** What a run did about it last. */
  step({ runs, at }: Since, here: string): DoneStep | undefined {
    return this.#step.get(here, runs, at);
  }

  /** What it is there, where both sides agreed on that version. */
  agreed({ remoteId, cpfCnpjRaiz }: Place, here: string, versao: string): string | undefined {
    return this.#agreed.get(remoteId, cpfCnpjRaiz, here, versao);
  }

  versionThere({ comparison }: Since, there: string): string | null {
    return this.#versionThere.get(comparison, there) ?? null;
  }

  /** The codes of those that a comparison found so. */
  inState({ comparison }: Since, state: RemoteState): IterableIterator<number> {
    return this.#inState.iterate(comparison, state);
  }

  /** The codes of those that a run did something about, or that changed here. */
  touched({ companyId }: Place, { runs, at }: Since): ReadonlySet<number> {
    const changed = this.#changed.all(companyId, at, companyId, at).map(placeOf);
    return new Set([...this.#stepped.all(runs, at), ...changed]);
  }
}
