/** Problems of an origin that an operator must know; `/readyz`, `doctor` and pages report them. */
import { DAY_MS } from '../../../clock.ts';
import type { Settings } from '../../../settings/config.ts';
import { type FetchStatus, type OriginState, ageMs } from './model.ts';

export interface FetchProblem {
  readonly isUrgent: boolean;
  /** Portuguese. */
  readonly message: string;
}

/** Returns true if a person has decided on the result of the last fetch. */
type IsDecided = (last: OriginState) => boolean;

interface FetchedList {
  /** Continues a sentence: `da nomenclatura`. */
  readonly genitive: string;
  readonly isDecided: IsDecided;
}

/**
 * Returns true if the table was ever activated or scheduled: a person has then decided about it.
 */
export const tableDecision =
  (wasEverActivated: (tableId: number) => boolean): IsDecided =>
  ({ tableId }) =>
    tableId !== null && wasEverActivated(tableId);

/** Returns true if a newer nomenclature was loaded after the fetch: a person has then decided. */
export const nomenclatureDecision =
  (loadedAt: number | undefined): IsDecided =>
  ({ at }) =>
    loadedAt !== undefined && loadedAt > at;

/**
 * Returns true if a person must act: the fetch failed, or its result is kept back and needs a decision of a
 * person.
 */
export const needsAttention = (last: OriginState, isDecided: IsDecided): boolean =>
  !last.ok || (last.asks === 'attention' && !isDecided(last));

/** Returns the problem of a fetched list, if any. Requires that an origin is set. */
function fetchProblemOf(
  fetched: FetchStatus,
  settings: Settings,
  { genitive, isDecided }: FetchedList,
): FetchProblem | undefined {
  const { origin } = fetched;
  if (origin?.ok === false) {
    const retryNote = settings['atributos.horario'] === undefined ? '' : ' A busca é repetida a cada hora.';
    return { isUrgent: true, message: `${origin.message}${retryNote}` };
  }
  const age = ageMs(fetched);
  if (age !== undefined && age > settings['atributos.idade'] * DAY_MS)
    return {
      isUrgent: true,
      message: `Há ${Math.floor(age / DAY_MS)} dias nenhuma busca ${genitive} dá certo.`,
    };
  if (origin === null || origin.asks === 'nothing' || isDecided(origin)) return undefined;
  return { isUrgent: needsAttention(origin, isDecided), message: origin.message };
}

/** Returns the problem of the attribute tables. */
export const tableFetchProblem = (
  fetched: FetchStatus,
  settings: Settings,
  wasEverActivated: (tableId: number) => boolean,
): FetchProblem | undefined =>
  fetchProblemOf(fetched, settings, {
    genitive: 'da tabela de atributos',
    isDecided: tableDecision(wasEverActivated),
  });

/** Returns the problem of the nomenclature, by the same rules (contract section 20). */
export const nomenclatureFetchProblem = (
  fetched: FetchStatus,
  settings: Settings,
): FetchProblem | undefined =>
  fetchProblemOf(fetched, settings, {
    genitive: 'da nomenclatura',
    isDecided: nomenclatureDecision(fetched.loadedAt),
  });
