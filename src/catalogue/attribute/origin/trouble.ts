/** What whoever looks after an instance with an origin should know of it: told by `/readyz`, `doctor` and pages alike. */
import { DAY_MS } from '../../../clock.ts';
import type { Settings } from '../../../settings/config.ts';
import { type Fetched, type OriginState, ageMs } from './model.ts';

export interface Trouble {
  readonly isUrgent: boolean;
  /** Portuguese. */
  readonly message: string;
}

/** Whether somebody has decided on what the last fetch brought. */
type IsDecided = (last: OriginState) => boolean;

interface List {
  /** As a sentence goes on with it: `da nomenclatura`. */
  readonly ofWhat: string;
  readonly isDecided: IsDecided;
}

/** Whoever put that table in force, or gave it a day, or put another one after it, has decided. */
export const isTableDecided =
  (wasAskedFor: (tableId: number) => boolean): IsDecided =>
  ({ tableId }) =>
    tableId !== null && wasAskedFor(tableId);

/** Whoever loaded one since has decided. */
export const isNomenclatureDecided =
  (loadedAt: number | undefined): IsDecided =>
  ({ at }) =>
    loadedAt !== undefined && loadedAt > at;

/** Whether somebody should look: it failed, or what came is kept back and nobody has decided on it. */
export const asksForSomebody = (last: OriginState, isDecided: IsDecided): boolean =>
  !last.ok || (last.asks === 'attention' && !isDecided(last));

/** To be asked only where an origin is set. */
function troubleWith(fetched: Fetched, settings: Settings, { ofWhat, isDecided }: List): Trouble | undefined {
  const { origin } = fetched;
  if (origin?.ok === false) {
    const repeated = settings['atributos.horario'] === undefined ? '' : ' A busca é repetida a cada hora.';
    return { isUrgent: true, message: `${origin.message}${repeated}` };
  }
  const age = ageMs(fetched);
  if (age !== undefined && age > settings['atributos.idade'] * DAY_MS)
    return {
      isUrgent: true,
      message: `Há ${Math.floor(age / DAY_MS)} dias nenhuma busca ${ofWhat} dá certo.`,
    };
  if (origin === null || origin.asks === 'nothing' || isDecided(origin)) return undefined;
  return { isUrgent: asksForSomebody(origin, isDecided), message: origin.message };
}

/** Of the attribute tables. */
export const tableTrouble = (
  fetched: Fetched,
  settings: Settings,
  wasAskedFor: (tableId: number) => boolean,
): Trouble | undefined =>
  troubleWith(fetched, settings, {
    ofWhat: 'da tabela de atributos',
    isDecided: isTableDecided(wasAskedFor),
  });

/** Of the nomenclature, by the same rules (contract section 20). */
export const nomenclatureTrouble = (fetched: Fetched, settings: Settings): Trouble | undefined =>
  troubleWith(fetched, settings, {
    ofWhat: 'da nomenclatura',
    isDecided: isNomenclatureDecided(fetched.loadedAt),
  });
