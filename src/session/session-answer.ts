/** The answer of every sign-in and renewal (contract section 2). */
import type { Answer } from '../http/operation.ts';
import { choice, form } from '../validation/forms.ts';
import type { Session } from './authentication.ts';
import { t } from '../validation/type.ts';

export const Token = form('Token', 'A resposta da autenticação; os tokens estão nos cabeçalhos.', {
  token: t.String({ description: 'O valor de X-CSRF-Token.' }),
});

export function sessionAnswer({ jwt, csrf }: Session): Answer {
  return {
    headers: {
      'Set-Token': jwt,
      'X-CSRF-Token': csrf.token,
      'X-CSRF-Expiration': String(csrf.expiresAt),
      'Cache-Control': 'no-store',
    },
    body: { token: csrf.token },
  };
}

/** The header of a sign-in on a page of this instance. */
export const PageSession = t.Optional(
  choice(
    ['pagina'],
    'De uma página desta instância: a sessão segue o tempo real, também com relógio de teste.',
  ),
);

/** Returns true for a sign-in on a page of this instance. Such a session uses real time. */
export const isOfPage = (request: Request): boolean => request.headers.get('x-sessao') === 'pagina';
