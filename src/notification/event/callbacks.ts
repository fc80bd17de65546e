/** The notifications that receivers get, for the OpenAPI document: one for each event whose form is known. */
import type { Callback, CallbackHeader } from '../../http/callbacks.ts';
import { bodyFormOf } from './forms.ts';
import { EVENT_TYPES } from './types.ts';

const HEADERS: readonly CallbackHeader[] = [
  { name: 'destinatario-tipo', required: true, description: 'CPF, CNPJ ou ORGAO.' },
  { name: 'destinatario-id', required: true, description: 'CPF, CNPJ (ou a raiz dele) ou nome do órgão.' },
  { name: 'event-type', required: true, description: 'O evento.' },
  { name: 'secret', required: false, description: 'A chaveSecreta da assinatura, se ela tem uma.' },
  {
    name: 'authorization',
    required: false,
    description: 'A chaveAutenticacao da assinatura, se ela tem uma.',
  },
];

const RECEIVING =
  'Enviada por POST ao endpoint da assinatura. Qualquer 2xx em até 3,5 segundos vale como recebida; o resto é repetido.';

export const CALLBACKS: readonly Callback[] = EVENT_TYPES.flatMap(({ evento, title, sample }) => {
  const body = bodyFormOf(evento);
  return body === undefined
    ? []
    : [{ name: evento, summary: title, description: RECEIVING, body, example: sample, headers: HEADERS }];
});
