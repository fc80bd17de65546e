/** Operations for reading, renewing and ending the own session (contract section 2). */
import { expiredToken } from './answers.ts';
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import { RIGHTS } from '../right.ts';
import { choice, form, nullable, text } from '../validation/forms.ts';
import { t } from '../validation/type.ts';
import type { Accounts } from './accounts.ts';
import type { Authentication } from './authentication.ts';
import type { Guard } from './guard.ts';
import type { Caller } from './model.ts';
import { openingOf } from './registry.ts';
import { Token, sessionAnswer } from './session-answer.ts';

export interface SessionRoutesParts {
  readonly authentication: Authentication;
  readonly accounts: Accounts;
  readonly guard: Pick<Guard, 'claimsOf'>;
  /** Returns the address that ends a session at the provider. `undefined`: there is none. */
  readonly providerEndAddress: () => Promise<string | undefined>;
}

const operation = operationsIn({ tag: 'Autenticação', source: 'contract, section 2', needsUser: true });

export const SessionCompany = form('SessionCompany', 'Uma empresa cujo catálogo o usuário pode ver.', {
  cpfCnpjRaiz: text('Raiz do CNPJ (8) ou CPF (11).', '12345678'),
  nome: text('Nome da empresa.', 'Exemplo Importadora S.A.'),
  papel: nullable(choice(RIGHTS, 'O papel do usuário no catálogo da empresa.'), {
    description: 'O papel do usuário no catálogo da empresa; null: agente público, que só consulta.',
  }),
});
const SessionForm = form('Session', 'Quem está autenticado.', {
  documento: text('CPF ou CNPJ do usuário.', '00000000191'),
  nome: text('Nome do usuário.', 'Maria Demonstração'),
  perfil: text('Perfil em que autenticou (Role-Type).', 'IMPEXP'),
  tipo: text('PRIV: privado; PUBL: público.', 'PRIV'),
  administrador: t.Boolean({ description: 'Se administra esta instalação.' }),
  companies: t.Array(SessionCompany, { description: 'Empresas cujo catálogo pode ver.' }),
});
const EndedSession = form('EndedSession', 'Uma sessão encerrada nesta instância, que o provedor abriu.', {
  endSession: text('Endereço que a encerra também no provedor.', 'https://login.exemplo.com.br/logout'),
});
/** Returns the companies whose catalogue a caller may see, each with the right of the caller over it. */
export const visibleCompanies = (
  accounts: Pick<Accounts, 'listCompanies' | 'companiesNamed'>,
  { tipo, companies }: Caller,
) =>
  (tipo === 'PUBL' ? accounts.listCompanies() : accounts.companiesNamed(companies.keys())).map(
    ({ cpfCnpjRaiz, nome }) => ({ cpfCnpjRaiz, nome, papel: companies.get(cpfCnpjRaiz) ?? null }),
  );

export function sessionRoutes({
  authentication,
  accounts,
  guard,
  providerEndAddress,
}: SessionRoutesParts): Operation<Caller>[] {
  return [
    operation('GET', '/appliance/api/session', {
      id: 'getSession',
      summary: 'Quem está autenticado, e por quais empresas pode atuar',
      success: SessionForm,
      handle: ({ caller }) => {
        const { documento, nome, perfil, tipo, administrador } = caller;
        const companies = visibleCompanies(accounts, caller);
        return ok({ documento, nome, perfil, tipo, administrador, companies });
      },
    }),

    operation('POST', '/appliance/api/session/renew', {
      id: 'renewSession',
      right: 'none',
      summary: 'Renova a sessão de quem chama',
      description:
        'Tokens novos da mesma sessão, nos mesmos cabeçalhos de quem se autentica: valem até 60 minutos, nunca além de 12 horas depois da autenticação nem além da chave. Os anteriores valem até o seu próprio fim. O corpo é ignorado.',
      renewsSession: true,
      success: Token,
      handle: async ({ request }) => {
        const claims = await guard.claimsOf(request.headers.get('authorization') ?? '');
        if (claims === undefined) throw expiredToken();
        return sessionAnswer(await authentication.renew(claims));
      },
    }),

    operation('DELETE', '/appliance/api/session', {
      id: 'endSession',
      right: 'none',
      summary: 'Encerra a sessão de quem chama',
      description:
        'Seus dois tokens são recusados com 401 a partir de então, também depois de um reinício. 200 com o endereço que a encerra também no provedor, se ele a abriu e tem um; senão 204.',
      success: EndedSession,
      otherSuccess: [204],
      handle: async ({ request }) => {
        const claims = await guard.claimsOf(request.headers.get('authorization') ?? '');
        if (claims === undefined) return undefined;
        await accounts.endSession(claims.jti);
        if (openingOf(claims.jti).opener.kind !== 'provider') return undefined;
        const endSession = await providerEndAddress();
        return endSession === undefined ? undefined : ok({ endSession });
      },
    }),
  ];
}
