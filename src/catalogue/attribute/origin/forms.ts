/** How an origin is told on the wire: what the last fetch brought, and when the next one is. */
import { Type as t } from '@sinclair/typebox';
import { form, nullable, text } from '../../../validation/forms.ts';
import { momentText } from '../../../validation/calendar.ts';
import { momentOf } from '../../../validation/moment.ts';
import type { OriginState } from './model.ts';
import type { Origin } from './origin.ts';
import { asksForSomebody } from './trouble.ts';

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

export function originAnswer(origin: Origin, isDecided: (last: OriginState) => boolean) {
  const last = origin.state();
  const next = origin.nextAt();
  return {
    isSet: origin.isSet,
    last: last && {
      ...{ at: momentText(last.at), ok: last.ok, message: last.message },
      asksForSomebody: asksForSomebody(last, isDecided),
    },
    nextAt: next === undefined ? null : momentText(next),
  };
}
