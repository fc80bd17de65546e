/** Operations for signing in (contract section 2). */
import { ShortRefusal } from '../errors.ts';
import { type Answer, type Operation, operation } from '../http/operation.ts';
import type { Authentication, Session } from './authentication.ts';
import { CERTIFICATE_REMEDIES } from './codes.ts';
import { missingKeyReason } from './missing-key.ts';
import {
  type Attempt,
  type Caller,
  PROFILES,
  type Profile,
  type ReceivedCertificate,
  masked,
} from './model.ts';
import { choice, text } from '../validation/forms.ts';
import { PageSession, Token, isOfPage, sessionAnswer } from './session-answer.ts';

export interface SignInRoutesParts {
  readonly authentication: Authentication;
  readonly addressOf: (request: Request) => string;
  readonly certificateOf: (request: Request) => ReceivedCertificate | undefined;
  /** Receives each failed sign-in by certificate. `remedy`: present when the certificate was valid. */
  readonly onCertificateRefusal: (request: Request, code: string, remedy: string) => void;
  /** Receives each sign-in by access key that was refused, with its reason. */
  readonly onKeyRefusal: (request: Request, code: string, reason: string) => void;
  /** Data of sign-ins for the log. */
  readonly attempts: WeakMap<Request, Attempt>;
}

const TAG = { tag: 'Autenticação', source: 'contract, section 2' } as const;
const RoleType = choice(Object.keys(PROFILES) as Profile[], 'Perfil em que o usuário atua.', 'IMPEXP');

export function signInRoutes(parts: SignInRoutesParts): Operation<Caller>[] {
  const { authentication, addressOf, certificateOf, onCertificateRefusal, onKeyRefusal, attempts } = parts;
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
  ];
}

const CLIENT_ID_LENGTH = 16;

/** Shows a whole Client-Id. Of a secret sent in its place it shows only a part that opens no session. */
const pathId = (text: string): string =>
  text.length <= CLIENT_ID_LENGTH ? text : `${text.slice(0, CLIENT_ID_LENGTH)}…`;
