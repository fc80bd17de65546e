/**
 * Where products stand at a remote (contract section 18, Who is who): as the newest comparison found them, but for what runs did
 * since, and for what changed here since. Nothing of it is kept: it is as true as the moment in which it is asked.
 */
import { NO_COMPANY, companyIdOf } from '../../catalogue/list-query.ts';
import { versionText } from '../../catalogue/version.ts';
import { STILL_DRAFT } from '../../catalogue/versioned/model.ts';
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { RemoteState } from '../compare/model.ts';
import { keyOfCode } from '../shown.ts';
import {
  type DoneStep,
  type FoundProduct,
  type Place,
  type ProductNow,
  type Since,
  StandingStore,
} from './store.ts';

export interface Standing {
  readonly state: RemoteState;
  readonly there: string | null;
  readonly thereVersao: string | null;
  /** Not earlier than it is known. */
  readonly since: EpochMs;
  readonly reason: string | null;
  /** Of a refusal, the remote's own. */
  readonly code: string | null;
  readonly comparison: number;
  /** The run that made it so. */
  readonly run: number | null;
}

/** Some ms of work, after which others may have their turn. */
const CODES_PER_TURN = 5000;
const STANDINGS_PER_TURN = 200;

export class Standings {
  readonly #store: StandingStore;
  readonly #place: Place;
  readonly #since: Since;

  private constructor(store: StandingStore, place: Place, since: Since) {
    this.#store = store;
    this.#place = place;
    this.#since = since;
  }

  /** `undefined`: they have never been compared. */
  static find(db: Db, remoteId: number, cpfCnpjRaiz: string): Standings | undefined {
    const store = new StandingStore(db);
    const place = { remoteId, cpfCnpjRaiz, companyId: companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY };
    const since = store.since(place);
    return since && new Standings(store, place, since);
  }

  /** `undefined`: it has never been compared. */
  of(codigo: number): Standing | undefined {
    const [store, place, since] = [this.#store, this.#place, this.#since];
    const now = store.product(place, codigo);
    if (now === undefined) return undefined;
    const here = keyOfCode('produto', String(codigo));
    const found = store.found(since, here);
    const step = store.step(since, here);
    const basis = step === undefined ? foundBasis(found, since) : stepBasis(step, found, since);
    const versao = versionText(now);
    if (basis !== undefined && !hasChanged(basis, now, versao)) return basis.standing;
    const there = basis?.hereVersao === versao ? undefined : store.agreed(place, here, versao);
    if (there === undefined) return basis && changed(basis.standing, now);
    return {
      ...{ state: 'igual', there, thereVersao: store.versionThere(since, there), since: now.changedAt },
      ...{ reason: null, code: null, comparison: since.comparison, run: null },
    };
  }

  /** The codes of all that stand so; `''` where others may have their turn. */
  *codesIn(state: RemoteState): Generator<string, ReadonlySet<number>> {
    const touched = this.#store.touched(this.#place, this.#since);
    const codes = new Set<number>();
    let looked = 0;
    for (const codigo of this.#store.inState(this.#since, state)) {
      if (!touched.has(codigo)) codes.add(codigo);
      if (++looked % CODES_PER_TURN === 0) yield '';
    }
    for (const codigo of touched) {
      if (this.of(codigo)?.state === state) codes.add(codigo);
      if (++looked % STANDINGS_PER_TURN === 0) yield '';
    }
    return codes;
  }
}

/** A standing, and the product as it was then. */
interface Basis {
  readonly standing: Standing;
  readonly hereVersao: string | null;
  readonly wasDeactivated: (now: ProductNow) => boolean;
}

const foundBasis = (found: FoundProduct | undefined, { comparison, at }: Since): Basis | undefined =>
  found && {
    standing: {
      ...{ state: found.state, there: found.there, thereVersao: found.thereVersao, reason: found.reason },
      ...{ since: at, code: null, comparison, run: null },
    },
    hereVersao: found.hereVersao,
    wasDeactivated: ({ deactivatedAt }) => deactivatedAt !== null && deactivatedAt <= at,
  };

const OUTCOMES = { sent: 'igual', adopted: 'igual', refused: 'recusado', uncertain: 'incerto' } as const;

function stepBasis(step: DoneStep, found: FoundProduct | undefined, { comparison }: Since): Basis {
  const { outcome, code, message, run, operation, at: since } = step;
  const isDone = outcome === 'sent' || outcome === 'adopted';
  return {
    standing: {
      ...{ state: OUTCOMES[outcome], there: step.there, since, comparison, run },
      thereVersao: step.thereVersao ?? (isDone ? null : (found?.thereVersao ?? null)),
      ...(isDone ? { reason: null, code: null } : { reason: message, code }),
    },
    hereVersao: step.hereVersao,
    wasDeactivated: () => operation === 'deactivate',
  };
}

/** A deactivation makes no version, and neither does what makes a draft a product. */
function hasChanged(
  { standing, hereVersao, wasDeactivated }: Basis,
  now: ProductNow,
  versao: string,
): boolean {
  const { situacao, draftUntil } = now;
  return (
    versao !== hereVersao ||
    (situacao === 'DESATIVADO' && !wasDeactivated(now)) ||
    (draftUntil !== null && draftUntil !== STILL_DRAFT && draftUntil > standing.since)
  );
}

/** What is known of one that changed here since. */
function changed(standing: Standing, now: ProductNow): Standing {
  const state = stateAfter(standing, now.situacao === 'DESATIVADO');
  if (state === standing.state) return standing;
  return { ...standing, state, since: now.changedAt, reason: null, code: null, run: null };
}

function stateAfter({ state, there, reason }: Standing, isDeactivated: boolean): RemoteState {
  switch (state) {
    case 'igual':
    case 'mudouAqui':
    case 'desativadoAqui':
    case 'soAqui':
    case 'naoEnviavel':
    case 'recusado':
      if (there === null) return isDeactivated ? 'naoEnviavel' : 'soAqui';
      return isDeactivated ? 'desativadoAqui' : 'mudouAqui';
    case 'mudouLa':
      return 'mudouNosDois';
    case 'desativadoLa':
      if (isDeactivated) return 'igual';
      return reason === null ? 'mudouNosDois' : state; // with a reason nothing is there any more
    default:
      return state; // what was in doubt still is
  }
}
