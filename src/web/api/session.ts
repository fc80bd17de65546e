/** Current user, shared by all tabs of this browser. */
import { navigate } from 'wouter-preact/use-browser-location';
import { type Right, includesRight } from '../../right.ts';
import type { EndedSession, Session } from './answers.ts';
import type { Role } from '../page.ts';
import { api } from './api.ts';
import { Observed, useObserved } from './observed.ts';
import { keepSession } from './keep-session.ts';
import { OtherTabs } from './other-tabs.ts';
import type { ApiError, Result } from './result.ts';
import { TOKENS_KEY } from './tokens.ts';

/** `unknown`: the server has not yet identified the user, or another tab has not yet replied. */
export type CurrentUser = Session | 'nobody' | 'unknown';

export const currentUser = new Observed<CurrentUser>('unknown');

/** Reason for the end of the last session; empty after a sign-out. */
export const endReason = new Observed('');

export const useCurrentUser = (): CurrentUser => useObserved(currentUser);

/** Returns the session in pages that require one. Throws when nobody is signed in. */
export function useSession(): Session {
  const session = useCurrentUser();
  if (typeof session === 'string') throw new Error('nobody is signed in');
  return session;
}

export function rolesOf({ tipo, administrador, companies }: Session): readonly Role[] {
  const roles: Role[] = [];
  if (administrador) roles.push('administrator');
  if (tipo === 'PUBL') roles.push('agent');
  else if (companies.length > 0 || !administrador) roles.push('representative');
  return roles;
}

/**
 * Returns true when the person has at least that right over a company, by default over some company (contract
 * section 27).
 */
export const hasRight = ({ companies }: Session, needed: Right, cpfCnpjRaiz?: string): boolean =>
  companies.some(
    (sessionCompany) =>
      (cpfCnpjRaiz === undefined || sessionCompany.cpfCnpjRaiz === cpfCnpjRaiz) &&
      sessionCompany.papel !== null &&
      includesRight(sessionCompany.papel, needed),
  );

export const useRight = (needed: Right, cpfCnpjRaiz?: string): boolean =>
  hasRight(useSession(), needed, cpfCnpjRaiz);

const ENDED = 'A sessão terminou. Entre de novo para continuar.';

const otherTabs = new OtherTabs(api.tokens);

let afterSignOut: () => void;

/**
 * Time to wait for another tab before the sign-in page is shown, in milliseconds. A later reply is still
 * accepted.
 */
const ANSWER_MS = 150;

/**
 * Starts the session of this tab. Call it once, before the first render. `signedOut` is called after a
 * sign-out; without it the sign-in page is shown.
 */
export function startSession(signedOut: () => void = () => navigate('/entrar')): void {
  afterSignOut = signedOut;
  api.onTokens = () => otherTabs.share();
  api.onSessionEnd = (authorization) => {
    end(authorization, ENDED);
    // This tab may have missed a later session, for instance while it showed the help.
    otherTabs.ask();
  };
  keepSession({
    receivedAt: () => api.tokens.current?.since,
    renew: () => api.post('/appliance/api/session/renew'),
  });
  otherTabs.onEnd = endLocally;
  otherTabs.onSession = () => void loadUser();
  if (api.tokens.present) return void loadUser();
  otherTabs.ask();
  setTimeout(() => api.tokens.present || currentUser.set('nobody'), ANSWER_MS);
}

/**
 * Ends the session in this tab. A sign-out clears all stored data; an expired session keeps it for the next
 * sign-in.
 */
function endLocally(why: string): void {
  api.signOut();
  if (why === '') {
    sessionStorage.clear();
    afterSignOut();
  }
  endReason.set(why);
  currentUser.set('nobody');
}

/** Ends the session in all tabs. */
function end(authorization: string, why: string): void {
  otherTabs.end(authorization, why);
  endLocally(why);
}

/** Address that ends the last session at the provider too. Empty: the provider did not open it, or has none. */
export const providerEnd = new Observed('');

/** Revokes the tokens on the server. The local session ends even if the server is unreachable. */
export async function signOut(): Promise<void> {
  const ended = api.delete<EndedSession | undefined>('/appliance/api/session', undefined, {
    endsSession: true,
  });
  end(api.tokens.current?.authorization ?? '', '');
  const answer = await ended;
  providerEnd.set(answer.ok ? (answer.value?.endSession ?? '') : '');
}

/** Error of a session request that was not refused but failed. */
export const userError = new Observed<ApiError | undefined>(undefined);

const REFUSED: readonly number[] = [401, 403];

/** Requests the user of the current tokens. */
export async function loadUser(): Promise<Result<Session>> {
  const authorization = api.tokens.current?.authorization;
  const answer = await api.get<Session>('/appliance/api/session');
  // The session has ended or was replaced in the meantime. A replacement sends its own request.
  if (authorization === undefined || authorization !== api.tokens.current?.authorization) return answer;
  userError.set(answer.ok ? undefined : answer.error);
  if (answer.ok) {
    endReason.set('');
    providerEnd.set('');
    clearOtherUser(answer.value);
    currentUser.set(answer.value);
  } else if (REFUSED.includes(answer.error.status)) end(authorization, answer.error.message);
  return answer;
}

const USER = 'catp.user';

/** Removes stored data of another user: forms in progress belong to the user who typed them. */
function clearOtherUser({ documento }: Session): void {
  const previousUser = sessionStorage.getItem(USER);
  if (previousUser !== null && previousUser !== documento)
    for (const key of Object.keys(sessionStorage)) if (key !== TOKENS_KEY) sessionStorage.removeItem(key);
  sessionStorage.setItem(USER, documento);
}

/** Header of a sign-in by the pages. Its session expires by real time, so that a test clock does not end it. */
const PAGE_SESSION = { 'X-Sessao': 'pagina' } as const;

export async function signInWithKey(
  clientId: string,
  clientSecret: string,
  roleType: string,
): Promise<Result<Session>> {
  const headers = {
    'Client-Id': clientId,
    'Client-Secret': clientSecret,
    'Role-Type': roleType,
    ...PAGE_SESSION,
  };
  const answer = await api.post('/portal/api/autenticar/chave-acesso', undefined, { headers });
  return answer.ok ? loadUser() : answer;
}

/** `code`: the code that the provider gave to the browser. */
export async function signInWithProvider(code: string): Promise<Result<Session>> {
  const answer = await api.post('/appliance/api/session/oidc', { code }, { headers: PAGE_SESSION });
  return answer.ok ? loadUser() : answer;
}

/** `login`: CPF or e-mail. */
export async function signInWithPassword(login: string, senha: string): Promise<Result<Session>> {
  const answer = await api.post('/appliance/api/session', { login, senha }, { headers: PAGE_SESSION });
  if (answer.ok) return loadUser();
  const { error } = answer;
  return error.code === WRONG_SECRET ? { ok: false, error: { ...error, message: WRONG_PASSWORD } } : answer;
}

/** The server answers a wrong password like a wrong key. */
const WRONG_SECRET = 'PLAT-ER8008';
const WRONG_PASSWORD =
  'O CPF ou e-mail e a senha não conferem. Confira os dois e tente de novo; quem esqueceu a senha pede um convite a quem administra.';

export async function signInWithCertificate(roleType: string): Promise<Result<Session>> {
  const headers = { 'Role-Type': roleType, ...PAGE_SESSION };
  const answer = await api.post('/portal/api/autenticar', undefined, { headers });
  return answer.ok ? loadUser() : answer;
}
