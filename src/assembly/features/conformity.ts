/**
 * Conformity: compares what this instance accepts with the rules that the public service has for its
 * profile.
 */
import { catalogueRules } from '../../catalogue/rules.ts';
import { Conformity } from '../../dev/conformity/conformity.ts';
import { judgesOf } from '../../dev/conformity/judges.ts';
import { faultOf } from '../../log/log.ts';
import { HourlyLimit } from '../../session/hourly-limit.ts';
import type { SessionStore } from '../../session/store.ts';
import { SignInPace } from '../../session/sign-in-pace.ts';
import { readSettings } from '../../settings/config.ts';
import type { ProductStore } from '../../catalogue/product/store.ts';
import type { AppContext } from '../app-context.ts';

export interface ConformityNeeds {
  readonly products: ProductStore;
  readonly users: Pick<SessionStore, 'findUser'>;
}

export function openConformity({ clock, log }: AppContext, { products, users }: ConformityNeeds): Conformity {
  const portal = readSettings({ environment: {}, commandLine: [['perfil', 'portal']] });
  return new Conformity({
    judges: judgesOf({ rules: catalogueRules(portal), products }),
    limit: new HourlyLimit(portal.limiteHorario, clock),
    pace: new SignInPace(portal['autenticacao.intervalo']),
    isAdministrator: (documento) => users.findUser(documento)?.administrador === true,
    onError: (error) =>
      log.error('Uma requisição não pôde ser comparada com o serviço público: {error}', {
        error: faultOf(error),
      }),
  });
}
