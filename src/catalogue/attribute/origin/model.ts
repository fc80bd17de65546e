/** What is remembered of a list that comes by itself, across restarts and for the command line too. */
import { Type as t } from '@sinclair/typebox';
import type { EpochMs } from '../../../clock.ts';
import { form, nullable, text } from '../../../validation/forms.ts';
import { momentOf } from '../../../validation/moment.ts';

/** What came of it needs nobody; or that somebody puts it in force; or that somebody looks what is wrong. */
type Asks = 'nothing' | 'activation' | 'attention';

/** What became of a file that was fetched. */
export interface Taken {
  readonly outcome: 'new' | 'same' | 'keptBack';
  /** Portuguese: what came of it, and what to do; it names no address. */
  readonly message: string;
  readonly asks: Asks;
  /** The table that it is about, where it is one: once somebody has decided on it, it asks for nobody any more. */
  readonly tableId: number | null;
}

/** How the last fetch ended. */
export interface OriginState extends Pick<Taken, 'message' | 'asks' | 'tableId'> {
  readonly at: EpochMs;
  readonly ok: boolean;
  /** Of the last one that succeeded, changed or not; `null`: none has. */
  readonly succeededAt: EpochMs | null;
}

/** As it is kept among the folder's marks. */
export const originStateOf = (mark: string | undefined): OriginState | null =>
  JSON.parse(mark ?? 'null') as OriginState | null; // ours

export interface Fetched {
  /** `null`: nothing was fetched yet. */
  readonly origin: OriginState | null;
  /** When what is used now was loaded; absent: there is none. */
  readonly loadedAt: EpochMs | undefined;
  readonly now: EpochMs;
}

/** Since when nobody knows whether there is a newer one; `undefined`: there is none at all. */
export const ageMs = ({ origin, loadedAt, now }: Fetched): number | undefined => {
  if (loadedAt === undefined) return undefined;
  const succeededAt = origin?.succeededAt ?? null;
  // A clock that was ahead has left a moment that is still to come: it says nothing.
  const since = succeededAt === null || succeededAt > now ? loadedAt : succeededAt;
  return Math.max(0, now - since);
};

const LastFetch = form('LastFetch', 'A última busca.', {
  at: momentOf('Quando.'),
  ok: t.Boolean({ description: 'Se deu certo, com mudança ou sem.' }),
  message: text('O que veio dela.', 'A tabela 138 foi buscada; é a que está em vigor.'),
  asksForSomebody: t.Boolean({
    description: 'Se alguém precisa olhar: falhou, ou o que veio foi retido e ninguém decidiu ainda.',
  }),
});

/** Of a list whose address is a setting. */
export const originMembers = (setting: string) => ({
  isSet: t.Boolean({ description: `Se ${setting} diz um endereço.` }),
  last: nullable(LastFetch, { description: 'null: nada foi buscado ainda.' }),
  nextAt: nullable(momentOf('Quando é buscada de novo.'), { description: 'null: só por pedido.' }),
});
