/** Sign-in by OpenID Connect. Only a server with an issuer loads this file, and the library with it. */
import { SystemClock } from '../../clock.ts';
import type { Client } from '../../http/exchange-log.ts';
import { pathnameOf } from '../../http/address.ts';
import type { Logger } from '../../log/log.ts';
import { providerSettings } from '../../oidc/from-settings.ts';
import { START_PATH, type RefusalOnPage, providerAccess } from '../../oidc/page-routes.ts';
import { refusalWords } from '../../oidc/refusal-words.ts';
import { ProviderSignIn } from '../../oidc/sign-in.ts';
import type { Settings } from '../../settings/config.ts';
import { masked } from '../../session/model.ts';
import type { WebPages } from '../../web/serving/pages.ts';
import type { OpenProvider } from './session.ts';

/** Reads the settings of the provider. Throws `UsageError`. */
export function providerOpener(
  settings: Settings,
  log: Logger,
  clientOf: (request: Request) => Client,
  web: () => Pick<WebPages, 'refusedSignIn'>,
): OpenProvider {
  const provider = providerSettings(settings);
  return (needs) =>
    providerAccess({
      signIn: new ProviderSignIn({ settings: provider, wallClock: new SystemClock(), ...needs }),
      page: (request, { refusal, tag, status }) => {
        const { rule, code, reason } = refusal;
        const { issuer = '', sub = '', cpf = '' } = refusal.received;
        const received = { Emissor: issuer, 'Identificador (sub)': sub, CPF: cpf };
        const details = { Código: code, Motivo: reason, Registro: tag };
        const words = refusalWords(rule, provider.address);
        return web().refusedSignIn(request, { ...words, received, details, start: START_PATH }, status);
      },
      log: (request, refusal) => logRefusal(log, clientOf(request), request, refusal),
    });
}

/** Logs one line, in the form of a refused request. */
function logRefusal(
  log: Logger,
  client: Client,
  request: Request,
  { refusal, tag, status }: RefusalOnPage,
): void {
  const { code, message, reason, received } = refusal;
  const { cpf, ...identity } = received;
  log.info('{method} {path} {status} {tag} {code} {message}', {
    tag,
    user: cpf === undefined ? null : masked(cpf),
    operation: 'signInWithProvider',
    method: request.method,
    path: pathnameOf(request.url),
    status,
    ...client,
    way: 'oidc',
    ...identity,
    code,
    message,
    reason,
  });
}
