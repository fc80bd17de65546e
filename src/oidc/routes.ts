/**
 * Serves the exchange of a code for a session (contract section 27). The operation also exists without a provider:
 * every code is then unknown.
 */
import { ShortRefusal } from '../errors.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { StaticAnswer } from '../http/router.ts';
import type { Authentication } from '../session/authentication.ts';
import { type Attempt, type Caller, type User, masked } from '../session/model.ts';
import { PageSession, Token, isOfPage, sessionAnswer } from '../session/session-answer.ts';
import { closedForm, text } from '../validation/forms.ts';
import { secretPlaceholder } from '../validation/format-value.ts';
import { PROVIDER_CODES } from './codes.ts';

/** The sign-in by the provider of a running server. */
export interface ProviderAccess {
  readonly pages: ReadonlyMap<string, StaticAnswer>;
  /** Returns the user of a code, once. `undefined`: it is unknown, used, expired, or of another browser. */
  readonly trade: (request: Request, code: string) => User | undefined;
  /** Returns the address that ends the session at the provider. `undefined`: it has none, or is away. */
  readonly endAddress: () => Promise<string | undefined>;
}

const Code = closedForm('ProviderCode', 'O código que a página de retorno do provedor recebeu.', {
  code: text('O código, de um uso, por 60 segundos e só no navegador que começou.', 'c0d1g0', {
    minLength: 1,
    maxLength: 100,
    'x-format-value': secretPlaceholder,
  }),
});

export function providerRoutes({
  trade,
  authentication,
  attempts,
}: {
  readonly trade: ProviderAccess['trade'];
  readonly authentication: Authentication;
  /** Data of sign-ins for the log. */
  readonly attempts: WeakMap<Request, Attempt>;
}): Operation<Caller>[] {
  return [
    operation('POST', '/appliance/api/session/oidc', {
      tag: 'Autenticação',
      source: 'contract, section 27',
      id: 'signInWithProvider',
      right: 'none',
      summary: 'Troca o código de uma entrada pelo provedor OpenID Connect por uma sessão',
      description:
        'O código vem em /entrar#codigo=… depois de /entrar/oidc; vale uma vez, por 60 segundos, com o cookie do navegador que começou. Perfil IMPEXP; os tokens vêm nos mesmos cabeçalhos de toda autenticação.',
      access: 'anybody',
      authenticates: true,
      headers: { 'X-Sessao': PageSession },
      body: Code,
      success: Token,
      handle: async ({ body, request }) => {
        attempts.set(request, { way: 'oidc' });
        const user = trade(request, body.code);
        if (user === undefined) {
          const { code, meaning } = PROVIDER_CODES.badCode;
          throw new ShortRefusal(code, `${meaning} Comece a entrada de novo.`);
        }
        attempts.set(request, { way: 'oidc', user: masked(user.documento) });
        return sessionAnswer(await authentication.ofPerson(user, 'provider', isOfPage(request)));
      },
    }),
  ];
}
