/**
 * Explains a missing or wrong token: each cause has its own remedy (contract section 2). Runs only for a 401.
 */
import type { DomainError } from '../errors.ts';
import { unauthenticated } from './answers.ts';
import type { Tokens } from './tokens.ts';

/** The credentials of a request. */
export interface SentCredentials {
  /** The header as received. */
  readonly authorization: string | null;
  readonly csrf: string | null;
  /** Only the reason of a 401 needs it. */
  readonly cookie: () => string | null;
}

const AGAIN = 'autentique-se de novo';
const ENDED_SESSION = `traz um JWT cuja sessão foi encerrada; ${AGAIN}`;
const SET_TOKEN = 'envie o valor de Set-Token da autenticação';
const LAST_CSRF = 'envie o último X-CSRF-Token recebido';
const COOKIE = /(?:^|;\s*)JWTPCMX_USR=/;

const BEARER = /^Bearer(?: +|$)/i;
const OPENING_SIGNS = `"'<[({`;
const CLOSING_SIGNS = `"'>])}`;

/** Takes the quotation marks and brackets off both ends of a text. */
function withoutQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && OPENING_SIGNS.includes(text.charAt(start))) start += 1;
  while (end > start && CLOSING_SIGNS.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Returns the reason for which `Authorization` opens no session. */
export async function wrongAuthorization(
  { authorization, csrf, cookie }: SentCredentials,
  tokens: Tokens,
): Promise<DomainError> {
  const reason = await reasonOf(authorization ?? '', csrf ?? '', cookie() ?? '', tokens);
  return unauthenticated('Authorization', 'PUCX-ER0201', reason);
}

async function reasonOf(
  authorization: string,
  csrf: string,
  cookie: string,
  tokens: Tokens,
): Promise<string> {
  const text = authorization.trim().replace(BEARER, '').trim();
  if (text === '')
    return COOKIE.test(cookie)
      ? `ausente; o cookie JWTPCMX_USR não é lido aqui: ${SET_TOKEN} nesse cabeçalho`
      : `ausente; ${SET_TOKEN}`;
  if (isCsrfShaped(text))
    return isJwtShaped(csrf)
      ? 'e X-CSRF-Token vieram trocados; envie em Authorization o valor de Set-Token, e em X-CSRF-Token o de X-CSRF-Token'
      : `traz um X-CSRF-Token; ${SET_TOKEN}, que é outro (o corpo da autenticação traz só o X-CSRF-Token)`;
  if (isJwtShaped(text)) return reasonOfJwt(text, tokens);
  const inner = withoutQuotes(text).trim();
  if (inner !== text && isJwtShaped(inner))
    return `traz um JWT entre aspas ou colchetes; ${SET_TOKEN} sem eles`;
  if (BEARER.test(text)) return `traz Bearer duas vezes; ${SET_TOKEN}, com um Bearer ou nenhum`;
  return `não traz um JWT; ${SET_TOKEN}, que tem três partes separadas por pontos`;
}

async function reasonOfJwt(jwt: string, tokens: Tokens): Promise<string> {
  const state = await tokens.stateOf(jwt);
  if (state === 'foreign')
    return 'traz um JWT que não foi emitido por esta instância, ou que foi alterado; autentique-se nesta instância e envie o Set-Token dela';
  return state === 'expired' ? `traz um JWT expirado; ${AGAIN}` : ENDED_SESSION;
}

/** Returns the refusal of a session that ended while its request was answered. */
export const endedSession = (): DomainError => unauthenticated('Authorization', 'PUCX-ER0201', ENDED_SESSION);

/** Returns the reason for which `X-CSRF-Token` does not belong to the session of a valid JWT. */
export function wrongCsrf(csrf: string | null, jti: string, tokens: Tokens): DomainError {
  return unauthenticated('X-CSRF-Token', 'PUCX-ER0202', csrfReason(csrf?.trim() ?? '', jti, tokens));
}

function csrfReason(csrf: string, jti: string, tokens: Tokens): string {
  if (csrf === '') return `ausente; ${LAST_CSRF}`;
  if (isJwtShaped(csrf.replace(BEARER, '')))
    return 'traz o Set-Token (JWT); envie o valor de X-CSRF-Token da autenticação, que é outro';
  if (tokens.isSealed(csrf, jti)) return `expirado; ${LAST_CSRF}, ou ${AGAIN}`;
  if (isCsrfShaped(csrf)) return `é de outra sessão que a do JWT em Authorization; ${LAST_CSRF} com esse JWT`;
  return `não é um X-CSRF-Token desta instância; ${LAST_CSRF}`;
}

/** Head, instance and count, seal, as `tokens.ts` builds them. */
const CSRF = /^[0-9a-z]{7,10}\.[\w-]+\.[\w-]{43}$/;
const isCsrfShaped = (text: string): boolean => CSRF.test(text) && !isJwtShaped(text);

/** Returns true for three parts, the first of which is a JSON object with `alg`. */
function isJwtShaped(text: string): boolean {
  const [head = '', ...rest] = text.split('.');
  if (rest.length !== 2 || !/^[\w-]+$/.test(head)) return false;
  return Buffer.from(head, 'base64url').toString('latin1').includes('"alg"');
}
