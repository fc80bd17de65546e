/**
 * Computes the standing of products at a remote (contract section 18, Who is who) from the newest
 * comparison, later runs and later local changes. Nothing is stored, so the result is current at each call.
 */
import { NO_COMPANY, companyIdOf } from '../../catalogue/list-query.ts';
import { versionText } from '../../catalogue/version.ts';
import { STILL_DRAFT } from '../../catalogue/versioned/model.ts';
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { RemoteState } from '../compare/model.ts';
import { keyOfCode } from '../forms.ts';
import {
  type ComparedProduct,
  type DoneStep,
  type CompanyAtRemote,
  type LastComparison,
  StandingStore,
} from './store.ts';

export interface Standing {
  readonly state: RemoteState;
  readonly remoteKey: string | null;
  readonly remoteVersao: string | null;
  /** The time from which the standing is known. */
  readonly since: EpochMs;
  readonly reason: string | null;
  /** The remote's own code of a refusal. */
  readonly code: string | null;
  readonly comparison: number;
  /** The run that caused the standing. */
  readonly run: number | null;
}

/** Rows of one turn (some ms of work); then the read yields to others. */
const ROWS_PER_TURN = 1000;

export class Standings {
  readonly #store: StandingStore;
  readonly #company: CompanyAtRemote;
  readonly #lastComparison: LastComparison;

  private constructor(store: StandingStore, place: CompanyAtRemote, lastComparison: LastComparison) {
    this.#store = store;
    this.#company = place;
    this.#lastComparison = lastComparison;
  }

  /** Returns the standings. `undefined`: they have never been compared. */
  static find(db: Db, remoteId: number, cpfCnpjRaiz: string): Standings | undefined {
    const store = new StandingStore(db);
    const place = { remoteId, cpfCnpjRaiz, companyId: companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY };
    const lastComparison = store.findLastComparison(place);
    return lastComparison && new Standings(store, place, lastComparison);
  }

  /** Returns the standing of a product. `undefined`: it has never been compared. */
  find(codigo: number): Standing | undefined {
    const product = this.#store.product(this.#company, this.#lastComparison, codigo);
    return (
      product &&
      this.#judged(product, this.#store.step(this.#lastComparison, keyOfCode('produto', String(codigo))))
    );
  }

  /** Yields the codes of all products with this standing. `''`: other reads may run. */
  *codesIn(state: RemoteState): Generator<string, ReadonlySet<number>> {
    const [store, lastComparison] = [this.#store, this.#lastComparison];
    let rows = 0;
    const isTurnOver = (): boolean => (rows += 1) % ROWS_PER_TURN === 0;
    const steps = new Map<number, DoneStep>();
    for (const step of store.steps(lastComparison)) {
      steps.set(step.codigo, step);
      if (isTurnOver()) yield '';
    }
    const [changed, codes] = [new Set<number>(), new Set<number>()];
    for (const product of store.changed(this.#company, lastComparison)) {
      const { codigo } = product;
      changed.add(codigo);
      if (this.#judged(product, steps.get(codigo))?.state === state) codes.add(codigo);
      if (isTurnOver()) yield '';
    }
    for (const [codigo, { outcome }] of steps)
      if (!changed.has(codigo) && OUTCOMES[outcome] === state) codes.add(codigo);
    for (const codigo of store.inState(lastComparison, state)) {
      if (!changed.has(codigo) && !steps.has(codigo)) codes.add(codigo);
      if (isTurnOver()) yield '';
    }
    return codes;
  }

  #judged(product: ComparedProduct, step: DoneStep | undefined): Standing | undefined {
    const [store, lastComparison] = [this.#store, this.#lastComparison];
    const basis =
      step === undefined
        ? basisOfComparison(product, lastComparison)
        : basisOfStep(step, product, lastComparison);
    const versao = versionText(product);
    if (basis !== undefined && !hasChanged(basis, product, versao)) return basis.standing;
    const { agreedRemoteKey: remoteKey, changedAt } = product;
    if (remoteKey === null || basis?.localVersao === versao)
      return basis && withLocalChange(basis.standing, product);
    return {
      state: 'igual',
      remoteKey,
      remoteVersao: store.versionThere(lastComparison, remoteKey),
      since: changedAt,
      reason: null,
      code: null,
      comparison: lastComparison.comparison,
      run: null,
    };
  }
}

/** A standing, and the product at that time. */
interface Basis {
  readonly standing: Standing;
  readonly localVersao: string | null;
  readonly wasDeactivated: boolean;
}

function basisOfComparison(
  { state, remoteKey, remoteVersao, reason, localVersao, deactivatedAt }: ComparedProduct,
  { comparison, at: comparedAt }: LastComparison,
): Basis | undefined {
  if (state === null) return undefined;
  return {
    standing: {
      state,
      remoteKey,
      remoteVersao,
      reason,
      since: comparedAt,
      code: null,
      comparison,
      run: null,
    },
    localVersao,
    wasDeactivated: deactivatedAt !== null && deactivatedAt <= comparedAt,
  };
}

const OUTCOMES = { sent: 'igual', adopted: 'igual', refused: 'recusado', uncertain: 'incerto' } as const;

function basisOfStep(step: DoneStep, product: ComparedProduct, { comparison }: LastComparison): Basis {
  const { outcome, code, message, run, operation, at: doneAt } = step;
  const isDone = outcome === 'sent' || outcome === 'adopted';
  return {
    standing: {
      state: OUTCOMES[outcome],
      remoteKey: step.remoteKey,
      since: doneAt,
      comparison,
      run,
      remoteVersao: step.remoteVersao ?? (isDone ? null : product.remoteVersao),
      ...(isDone ? { reason: null, code: null } : { reason: message, code }),
    },
    localVersao: step.localVersao,
    wasDeactivated: operation === 'deactivate',
  };
}

/**
 * Returns true when the product changed. A deactivation makes no version, and neither does the change of a
 * draft to a product.
 */
function hasChanged(
  { standing, localVersao, wasDeactivated }: Basis,
  now: ComparedProduct,
  versao: string,
): boolean {
  const { situacao, draftUntil } = now;
  return (
    versao !== localVersao ||
    (situacao === 'DESATIVADO' && !wasDeactivated) ||
    (draftUntil !== null && draftUntil !== STILL_DRAFT && draftUntil > standing.since)
  );
}

/** Returns the standing of a product that changed locally since. */
function withLocalChange(standing: Standing, now: ComparedProduct): Standing {
  const state = stateAfter(standing, now.situacao === 'DESATIVADO');
  if (state === standing.state) return standing;
  return { ...standing, state, since: now.changedAt, reason: null, code: null, run: null };
}

function stateAfter({ state, remoteKey, reason }: Standing, isDeactivated: boolean): RemoteState {
  switch (state) {
    case 'igual':
    case 'mudouAqui':
    case 'desativadoAqui':
    case 'soAqui':
    case 'naoEnviavel':
    case 'recusado':
      if (remoteKey === null) return isDeactivated ? 'naoEnviavel' : 'soAqui';
      return isDeactivated ? 'desativadoAqui' : 'mudouAqui';
    case 'mudouLa':
      return 'mudouNosDois';
    case 'desativadoLa':
      if (isDeactivated) return 'igual';
      return reason === null ? 'mudouNosDois' : state; // a reason means that the remote record no longer exists
    default:
      return state; // a local change does not resolve a doubt
  }
}
