/** Operations for signing in and for reading the own user (contract section 2). */
import { ShortRefusal } from '../errors.ts';
import { expiredToken } from './answers.ts';
import { type Answer, type Operation, ok, operation } from '../http/operation.ts';
import type { Accounts } from './accounts.ts';
import type { Authentication, Session } from './authentication.ts';
import type { Guard } from './guard.ts';
import { CERTIFICATE_REMEDIES } from './codes.ts';
import { missingKeyReason } from './missing-key.ts';
import { openingOf } from './registry.ts';
import {
  type Attempt,
  type Caller,
  PROFILES,
  type Profile,
  type ReceivedCertificate,
  masked,
} from './model.ts';
import { choice, form, nullable, text } from '../validation/forms.ts';
import { RIGHTS } from '../right.ts';
import { PageSession, Token, isOfPage, sessionAnswer } from './session-answer.ts';
import { t } from '../validation/type.ts';

export interface SessionRoutesParts {
  readonly authentication: Authentication;
  readonly accounts: Accounts;
  readonly guard: Pick<Guard, 'claimsOf'>;
  readonly addressOf: (request: Request) => string;
  readonly certificateOf: (request: Request) => ReceivedCertificate | undefined;
  /** Receives each failed sign-in by certificate. `remedy`: present when the certificate was valid. */
  readonly onCertificateRefusal: (request: Request, code: string, remedy: string) => void;
  /** Receives each sign-in by access key that was refused, with its reason. */
  readonly onKeyRefusal: (request: Request, code: string, reason: string) => void;
  /** Returns the address that ends a session at the provider. `undefined`: there is none. */
  readonly providerEndAddress: () => Promise<string | undefined>;
  /** Data of sign-ins for the log. */
  readonly attempts: WeakMap<Request, Attempt>;
}

const TAG = { tag: 'Autenticação', source: 'contract, section 2' } as const;
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
const RoleType = choice(Object.keys(PROFILES) as Profile[], 'Perfil em que o usuário atua.', 'IMPEXP');

/** Returns the companies whose catalogue a caller may see, each with the right of the caller over it. */
export const visibleCompanies = (
  accounts: Pick<Accounts, 'listCompanies' | 'companiesNamed'>,
  { tipo, companies }: Caller,
) =>
  (tipo === 'PUBL' ? accounts.listCompanies() : accounts.companiesNamed(companies.keys())).map(
    ({ cpfCnpjRaiz, nome }) => ({ cpfCnpjRaiz, nome, papel: companies.get(cpfCnpjRaiz) ?? null }),
  );

export function sessionRoutes(parts: SessionRoutesParts): Operation<Caller>[] {
  const {
    authentication,
    accounts,
    guard,
    addressOf,
    certificateOf,
    onCertificateRefusal,
    onKeyRefusal,
    attempts,
    providerEndAddress,
  } = parts;
  const withAttempt = async (request: Request, attempt: Attempt, openSession: () => Promise<Session>) => {
    attempts.set(request, attempt);
    const session = await openSession();
    attempts.set(request, { ...attempt, user: masked(session.documento) });
    return sessionAnswer(session);
  };
  const withCertificate = async ({ request }: { request: Request }): Promise<Answer> => {
    const certificate = certificateOf(request);
    const holder = certificate !== undefined && 'documento' in certificate ? certificate : undefined;
    const attempt: Attempt = {
      way: certificate?.way ?? 'certificate',
      ...(certificate !== undefined && 'unfit' in certificate && { unfit: certificate.unfit }),
      ...(holder !== undefined && { user: masked(holder.documento), serial: holder.serial }),
    };
    const roleType = request.headers.get('role-type');
    try {
      return await withAttempt(request, attempt, () =>
        authentication.withCertificate(roleType, holder, isOfPage(request)),
      );
    } catch (error) {
      if (error instanceof ShortRefusal)
        onCertificateRefusal(request, error.code, CERTIFICATE_REMEDIES[error.code] ?? error.message);
      throw error;
    }
  };
  const byCertificate = {
    ...TAG,
    summary: 'Autentica com certificado digital',
    description:
      'Cabeçalho Role-Type. O certificado de cliente vem na conexão TLS, ou de um proxy confiável onde proxy.certificado o permite.',
    access: 'anybody',
    authenticates: true,
    headers: { 'Role-Type': RoleType, 'X-Sessao': PageSession },
    success: Token,
    handle: withCertificate,
  } as const;

  return [
    operation('POST', '/portal/api/autenticar', { ...byCertificate, right: 'none', id: 'authenticate' }),
    operation('GET', '/portal/api/autenticar', { ...byCertificate, id: 'authenticateByGet' }),

    operation('POST', '/portal/api/autenticar/chave-acesso', {
      ...TAG,
      id: 'authenticateWithKey',
      right: 'none',
      summary: 'Autentica com chave de acesso',
      description: 'Cabeçalhos Client-Id, Client-Secret e Role-Type. O corpo é ignorado.',
      access: 'anybody',
      authenticates: true,
      headers: {
        'Client-Id': text('Identificador da chave de acesso.', 'demo'),
        'Client-Secret': text('Segredo da chave de acesso.', 'demo'),
        'Role-Type': RoleType,
        'X-Sessao': PageSession,
      },
      success: Token,
      handle: async ({ request: { headers }, request }) => {
        const clientId = headers.get('client-id') ?? '';
        const clientSecret = headers.get('client-secret') ?? '';
        try {
          return await withAttempt(request, { way: 'key', clientId: pathId(clientId) }, () =>
            authentication.withKey(
              headers.get('role-type'),
              clientId,
              clientSecret,
              addressOf(request),
              isOfPage(request),
            ),
          );
        } catch (error) {
          if (!(error instanceof ShortRefusal) || error.reason === undefined) throw error;
          const isMissing = clientId === '' || clientSecret === '';
          const reason = isMissing ? await missingKeyReason(request) : error.reason;
          onKeyRefusal(request, error.code, reason);
          throw new ShortRefusal(error.code, error.message, reason);
        }
      },
    }),

    operation('GET', '/appliance/api/session', {
      ...TAG,
      needsUser: true,
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
      ...TAG,
      needsUser: true,
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
      ...TAG,
      needsUser: true,
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

const CLIENT_ID_LENGTH = 16;

/** Shows a whole Client-Id. Of a secret sent in its place it shows only a part that opens no session. */
const pathId = (text: string): string =>
  text.length <= CLIENT_ID_LENGTH ? text : `${text.slice(0, CLIENT_ID_LENGTH)}…`;
