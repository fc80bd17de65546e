/** Checks the obstacles to a change of an account (contract section 13). */
import type { EpochMs } from '../clock.ts';
import { type DomainError, type Problem, notFound, unprocessable, withLabel } from '../errors.ts';
import { momentText } from '../validation/calendar.ts';
import { formatValue } from '../validation/format-value.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { memberOf } from '../pointer.ts';
import {
  CATALOGUE_PROFILE,
  PROFILES,
  type Profile,
  type Representation,
  type User,
  admits,
  isCompanyDocument,
} from './model.ts';
import { ACCOUNT_CODES, type AccountRule } from './codes.ts';

export const hasRecords = (cpfCnpjRaiz: string, records: readonly string[]): Problem =>
  companyProblem(
    'companyHasRecords',
    `${cpfCnpjRaiz} tem ${records.join(' e ')}; uma empresa com registros não pode ser removida.`,
  );

/** Maximum number of representatives in the message. */
const NAMED_REPRESENTATIVES = 5;

export function isRepresented(cpfCnpjRaiz: string, documents: readonly string[]): Problem {
  const firstDocuments = documents.slice(0, NAMED_REPRESENTATIVES).join(', ');
  const more = documents.length > NAMED_REPRESENTATIVES ? `, … (${documents.length} ao todo)` : '';
  return companyProblem(
    'companyIsRepresented',
    `${cpfCnpjRaiz} é representada por ${firstDocuments}${more}; remova antes as representações.`,
  );
}

/** Throws 422 for members that only a change of an existing account may omit (contract section 16). */
export function requireOfNew<Members extends object>(
  account: string,
  members: Members,
): asserts members is Members & { [Name in keyof Members]: Exclude<Members[Name], undefined> } {
  const missing = Object.entries(members).filter(([, value]) => value === undefined);
  if (missing.length === 0) return;
  throw unprocessable(
    missing.map(([field]) =>
      fieldProblem(
        field,
        `membro obrigatório ausente; ainda não existe ${account}, e só um cadastro existente mantém o que não é informado.`,
      ),
    ),
  );
}

export const alreadyExpired = (expiresAt: EpochMs): DomainError =>
  refusal(
    'alreadyExpired',
    '/expiresAt',
    `recebido ${momentText(expiresAt)}, que já passou; informe um momento futuro, ou nenhum.`,
  );

/** `owner`: for example `do usuário 00000000191`; only administrators may learn the document of another person. */
export const emailOfAnother = (email: string, owner: string): DomainError =>
  refusal(
    'emailOfAnother',
    '/email',
    `recebido ${formatValue(email)}, que já é ${owner}; cada pessoa tem o seu endereço.`,
  );

export const identityOfAnother = (sub: string, documento: string): DomainError =>
  refusal(
    'identityOfAnother',
    '/sub',
    `sub: recebido ${formatValue(sub)}, que nesse emissor já está ligado ao usuário ${documento}; retire-o antes de lá.`,
  );

export const noUser = (documento: string): DomainError =>
  notFound(`Não existe usuário com o documento ${documento}.`);

export const unknownUser = (documento: string): Problem =>
  problem('unknownUser', '/documento', `não existe usuário ${documento}; inclua-o antes.`);

/** `path`: the position in the sent body. */
export const unknownCompany = (cpfCnpjRaiz: string, path = '/cpfCnpjRaiz'): Problem => {
  return problem('unknownCompany', path, `não existe empresa ${cpfCnpjRaiz}; inclua-a antes.`);
};

export function representationProblems(user: User, { perfil, papel }: Representation): Problem[] {
  if (perfil !== CATALOGUE_PROFILE && papel !== null)
    return [
      problem(
        'rightOfOtherProfile',
        '/papel',
        `recebido ${papel} com o perfil ${perfil}; só uma representação no perfil ${CATALOGUE_PROFILE} tem papel. Retire-o.`,
      ),
    ];
  if (user.tipo === 'PUBL')
    return [
      problem(
        'publicRepresentsNobody',
        '/documento',
        `${user.documento} é agente público e não representa empresas.`,
      ),
    ];
  if (admits(perfil, user.documento)) return [];
  const kind = isCompanyDocument(user.documento) ? 'uma empresa' : 'uma pessoa';
  const admittedProfiles = Object.keys(PROFILES).filter((name) => admits(name as Profile, user.documento));
  return [
    problem(
      'profileOfOtherKind',
      '/perfil',
      `recebido ${perfil}, que ${kind} não pode ter; aceita ${admittedProfiles.join(', ')}.`,
    ),
  ];
}

export function problem(rule: AccountRule, path: string, sentence: string): Problem {
  const field = memberOf(path) ?? '';
  return { code: ACCOUNT_CODES[rule].code, ...withLabel(field, sentence), field, path };
}

/** Returns a problem about the company in the path: a parameter, not a member of a body. */
const companyProblem = (rule: AccountRule, message: string): Problem => ({
  ...problem(rule, '/cpfCnpjRaiz', message),
  path: 'cpfCnpjRaiz',
});

export const refusal = (rule: AccountRule, path: string, message: string) =>
  unprocessable([problem(rule, path, message)]);
