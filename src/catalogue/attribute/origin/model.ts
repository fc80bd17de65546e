/** Stores the state of a fetched list across restarts, also for the command line. */
import type { EpochMs } from '../../../clock.ts';
import { form, nullable, text } from '../../../validation/forms.ts';
import { momentOf } from '../../../validation/moment.ts';
import { t } from '../../../validation/type.ts';

/** Action that a person has to take: none, put the table in force, or look at a problem. */
type RequiredAction = 'nothing' | 'activation' | 'attention';

/** Result of a fetched file. */
export interface FetchResult {
  readonly outcome: 'new' | 'same' | 'keptBack';
  /** Portuguese: what happened, and what to do; it names no address. */
  readonly message: string;
  readonly asks: RequiredAction;
  /** Table concerned, if any: once a person has decided on it, no action is needed. */
  readonly tableId: number | null;
}

/** Result of the last fetch. */
export interface OriginState extends Pick<FetchResult, 'message' | 'asks' | 'tableId'> {
  readonly at: EpochMs;
  readonly ok: boolean;
  /** Last successful fetch, changed or not; `null`: none. */
  readonly succeededAt: EpochMs | null;
}

/** Parses the state stored among the folder's marks. */
export const originStateOf = (mark: string | undefined): OriginState | null =>
  JSON.parse(mark ?? 'null') as OriginState | null; // written by this program

export interface FetchStatus {
  /** `null`: nothing was fetched yet. */
  readonly origin: OriginState | null;
  /** Load time of the list in use; absent: no list is loaded. */
  readonly loadedAt: EpochMs | undefined;
  readonly now: EpochMs;
}

/** Returns the time since the list was last known to be current; `undefined`: nothing is loaded. */
export const ageMs = ({ origin, loadedAt, now }: FetchStatus): number | undefined => {
  if (loadedAt === undefined) return undefined;
  const succeededAt = origin?.succeededAt ?? null;
  // A clock that was ahead has stored a future moment, from which no age can be computed.
  const freshAt = succeededAt === null || succeededAt > now ? loadedAt : succeededAt;
  return Math.max(0, now - freshAt);
};

const LastFetch = form('LastFetch', 'A última busca.', {
  at: momentOf('Quando.'),
  ok: t.Boolean({ description: 'true: deu certo, com mudança ou sem.' }),
  message: text('O resultado.', 'A tabela 138 foi buscada; é a que está em vigor.'),
  asksForSomebody: t.Boolean({
    description:
      'true: alguém precisa agir, porque a busca falhou, ou a lista foi retida e ninguém decidiu ainda.',
  }),
});

/** Builds the wire members of a list whose address is a setting. */
export const originMembers = (setting: string) => ({
  isSet: t.Boolean({ description: `true: ${setting} tem um endereço.` }),
  last: nullable(LastFetch, { description: 'null: nada foi buscado ainda.' }),
  nextAt: nullable(momentOf('Quando é buscada de novo.'), { description: 'null: só quando alguém pedir.' }),
});
