/** Serves the sign-in by password (contract section 27). */
import { ShortRefusal } from '../errors.ts';
import { expiredToken } from './answers.ts';
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import type { CatalogueRules } from '../validation/company.ts';
import { EMAIL, EMAIL_DOMAIN } from '../validation/email.ts';
import { closedForm, form, formOf, text } from '../validation/forms.ts';
import { momentText } from '../validation/calendar.ts';
import { momentOf } from '../validation/moment.ts';
import { secretPlaceholder } from '../validation/format-value.ts';
import { accountSchemas } from './account-schemas.ts';
import type { Authentication } from './authentication.ts';
import type { Guard } from './guard.ts';
import { type Attempt, type Caller, masked } from './model.ts';
import { PASSWORD_LENGTH } from '../validation/password.ts';
import { type Passwords, invitationPath } from './passwords.ts';
import { PageSession, Token, isOfPage, sessionAnswer } from './session-answer.ts';
import { t } from '../validation/type.ts';

export interface PasswordRoutesParts {
  readonly passwords: Passwords;
  readonly authentication: Authentication;
  readonly guard: Pick<Guard, 'claimsOf'>;
  readonly rules: CatalogueRules;
  readonly addressOf: (request: Request) => string;
  /** Returns the address of this instance for people, without a slash at its end. */
  readonly originOf: (request: Request) => string;
  /** Receives each refused sign-in with its reason. */
  readonly onRefusal: (request: Request, code: string, reason: string) => void;
  /** Data of sign-ins for the log. */
  readonly attempts: WeakMap<Request, Attempt>;
}

const operation = operationsIn({ tag: 'Autenticação', source: 'contract, section 27' });

/** Maximum size of a body, in bytes. */
const BODY_MAX_BYTES = 16 * 1024;

const secretForm = formOf({ additionalProperties: false, 'x-format-value': secretPlaceholder });
const senhaOf = (description: string, minLength: number) =>
  text(description, 'quatro-cavalos-e-um-trem', {
    minLength,
    maxLength: PASSWORD_LENGTH.maxLength,
    format: 'password',
    'x-format-value': secretPlaceholder,
  });
const PresentPassword = (description: string) => senhaOf(description, 1);
const NewPassword = senhaOf(
  'A senha nova, sem o CPF da pessoa nem uma palavra do nome dela de 4 letras ou mais.',
  PASSWORD_LENGTH.minLength,
);

const SignIn = secretForm('PasswordSignIn', 'Quem entra por senha.', {
  login: text('CPF, com ou sem pontuação, ou e-mail.', '00000000191', { minLength: 1, maxLength: 254 }),
  senha: PresentPassword('A senha.'),
});
const Acceptance = secretForm('PasswordRequest', 'A senha de quem foi convidado.', { senha: NewPassword });
const Change = secretForm('PasswordChange', 'A troca da própria senha.', {
  atual: PresentPassword('A senha de hoje.'),
  nova: NewPassword,
});
const Forgotten = closedForm('ForgottenPassword', 'Quem esqueceu a senha.', {
  email: text('O e-mail com que a pessoa está cadastrada.', 'maria@exemplo.com.br', {
    maxLength: 254,
    pattern: EMAIL,
    'x-domain': EMAIL_DOMAIN,
    'x-printed': { pattern: undefined, format: 'email' },
  }),
});
const Invitation = form('Invitation', 'Um convite para definir a senha; o endereço é mostrado só aqui.', {
  url: text('O endereço que a pessoa abre, uma vez.', 'https://catalogo.exemplo.com.br/convite#segredo'),
  until: momentOf('Até quando vale.'),
});

export function passwordRoutes(parts: PasswordRoutesParts): Operation<Caller>[] {
  const { passwords, authentication, guard, addressOf, originOf, onRefusal, attempts } = parts;
  const { Documento } = accountSchemas(parts.rules);
  return [
    operation('POST', '/appliance/api/session', {
      id: 'signInWithPassword',
      right: 'none',
      summary: 'Autentica uma pessoa com senha',
      description: 'Perfil IMPEXP; os tokens vêm nos mesmos cabeçalhos de toda autenticação.',
      access: 'anybody',
      authenticates: true,
      headers: { 'X-Sessao': PageSession },
      body: SignIn,
      bodyLimit: BODY_MAX_BYTES,
      success: Token,
      handle: async ({ body, request }) => {
        const user = passwords.userOf(body.login);
        attempts.set(request, { way: 'senha', ...(user !== undefined && { user: masked(user.documento) }) });
        try {
          return sessionAnswer(
            await passwords.signIn(body, addressOf(request), authentication, isOfPage(request)),
          );
        } catch (error) {
          if (error instanceof ShortRefusal && error.reason !== undefined)
            onRefusal(request, error.code, error.reason);
          throw error;
        }
      },
    }),
    operation('POST', '/appliance/api/session/forgotten', {
      id: 'forgotPassword',
      right: 'none',
      summary: 'Pede um convite por e-mail para quem esqueceu a senha',
      description:
        'A resposta é sempre a mesma, exista ou não um usuário com esse endereço. O convite só é enviado se a instância envia e-mails, até cinco por hora a um endereço.',
      access: 'anybody',
      body: Forgotten,
      bodyLimit: BODY_MAX_BYTES,
      otherSuccess: [204],
      handle: ({ body }) => passwords.inviteForgotten(body.email),
    }),
    operation('PUT', '/appliance/api/me/password', {
      id: 'changePassword',
      right: 'none',
      needsUser: true,
      summary: 'Troca a própria senha',
      description:
        'Encerra as outras sessões da pessoa abertas por senha ou provedor; as de programas continuam.',
      body: Change,
      bodyLimit: BODY_MAX_BYTES,
      otherSuccess: [204],
      handle: async ({ body, caller, request }) => {
        const claims = await guard.claimsOf(request.headers.get('authorization') ?? '');
        if (claims === undefined) throw expiredToken();
        await passwords.change(caller, claims.jti, body, addressOf(request));
      },
    }),
    operation('POST', '/appliance/api/users/:documento/invite', {
      id: 'inviteUser',
      tag: 'Administração',
      right: 'none',
      access: 'administrator',
      summary: 'Convida uma pessoa a definir sua senha',
      description: 'O endereço vale uma vez, por 72 horas; um convite novo encerra o anterior.',
      params: t.Object({ documento: Documento }),
      success: Invitation,
      handle: async ({ params, caller, request }) => {
        const invitation = await passwords.invite(params.documento, caller);
        const url = `${originOf(request)}${invitationPath(invitation)}`;
        return {
          ...ok({ url, until: momentText(invitation.until) }),
          headers: { 'Cache-Control': 'no-store' },
        };
      },
    }),
    operation('POST', '/appliance/api/invitations/:token', {
      id: 'acceptInvitation',
      right: 'none',
      summary: 'Define a senha de quem foi convidado',
      access: 'anybody',
      params: t.Object({
        token: text('A última parte do endereço do convite.', 'segredo', {
          minLength: 1,
          maxLength: 200,
          'x-format-value': secretPlaceholder,
        }),
      }),
      body: Acceptance,
      bodyLimit: BODY_MAX_BYTES,
      otherSuccess: [204],
      handle: ({ params, body, request }) => passwords.accept(params.token, body.senha, addressOf(request)),
    }),
  ];
}
