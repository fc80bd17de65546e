/** Who is signed in, in all tabs of this browser. */
import { navigate } from 'wouter-preact/use-browser-location';
import type { Session } from './answers.ts';
import type { Role } from '../page.ts';
import { api } from './api.ts';
import { Observed, useObserved } from './observed.ts';
import { keepSession } from './keep-session.ts';
import { OtherTabs } from './other-tabs.ts';
import type { ApiError, Result } from './result.ts';
import { TOKENS_KEY } from './tokens.ts';

/** `unknown`: the server has not yet said whose tokens these are, or another tab whether it has any. */
export type Who = Session | 'nobody' | 'unknown';

export const who = new Observed<Who>('unknown');

/** Why the last session ended; empty when its owner ended it. */
export const ending = new Observed('');

export const useWho = (): Who => useObserved(who);

/** Of a page that only those see who are signed in. */
export function useSession(): Session {
  const session = useWho();
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

const ENDED = 'A sessão terminou. Entre de novo para continuar.';

const others = new OtherTabs(api.tokens);

/** How long another tab may take to answer: who has none waits no longer for the door, and whoever answers later is heard too. */
const ANSWER_MS = 150;

/** Once, before anything is drawn. */
export function begin(): void {
  api.onTokens = () => others.tell();
  api.onSessionEnd = (authorization) => {
    end(authorization, ENDED);
    // A tab that was elsewhere, at the help for instance, has not heard of a later one.
    others.ask();
  };
  keepSession({
    since: () => api.tokens.kept?.since,
    renew: () => api.post('/appliance/api/session/renew'),
  });
  others.onEnd = leave;
  others.onSession = () => void recognise();
  if (api.tokens.present) return void recognise();
  others.ask();
  setTimeout(() => api.tokens.present || who.set('nobody'), ANSWER_MS);
}

/** In this tab; whoever leaves leaves nothing behind, while a session that ended is begun again, and goes on. */
function leave(why: string): void {
  api.leave();
  if (why === '') {
    sessionStorage.clear();
    navigate('/entrar');
  }
  ending.set(why);
  who.set('nobody');
}

/** In all tabs. */
function end(authorization: string, why: string): void {
  others.end(authorization, why);
  leave(why);
}

/** The tokens are good for nobody any more, whoever may have seen them; who cannot be reached is left all the same. */
export async function signOut(): Promise<void> {
  const ended = api.delete('/appliance/api/session');
  end(api.tokens.kept?.authorization ?? '', '');
  await ended;
}

/** Why the server could not say whose tokens these are, though it did not refuse them. */
export const unrecognised = new Observed<ApiError | undefined>(undefined);

const REFUSED: readonly number[] = [401, 403];

/** Asks the server whose tokens these are. */
export async function recognise(): Promise<Result<Session>> {
  const asked = api.tokens.kept?.authorization;
  const answer = await api.get<Session>('/appliance/api/session');
  // Of a session that has ended meanwhile, or that another one has replaced, which is asked about by itself.
  if (asked === undefined || asked !== api.tokens.kept?.authorization) return answer;
  unrecognised.set(answer.ok ? undefined : answer.error);
  if (answer.ok) {
    ending.set('');
    forgetFormer(answer.value);
    who.set(answer.value);
  } else if (REFUSED.includes(answer.error.status)) end(asked, answer.error.message);
  return answer;
}

const USER = 'catp.user';

/** What a tab keeps is its user's: the forms of one who is gone are not for the next. */
function forgetFormer({ documento }: Session): void {
  const former = sessionStorage.getItem(USER);
  if (former !== null && former !== documento)
    for (const key of Object.keys(sessionStorage)) if (key !== TOKENS_KEY) sessionStorage.removeItem(key);
  sessionStorage.setItem(USER, documento);
}

/** Such a session goes by real time, so that a test clock does not end it. */
const OF_A_PAGE = { 'X-Sessao': 'pagina' } as const;

export async function signInWithKey(
  clientId: string,
  clientSecret: string,
  roleType: string,
): Promise<Result<Session>> {
  const headers = {
    'Client-Id': clientId,
    'Client-Secret': clientSecret,
    'Role-Type': roleType,
    ...OF_A_PAGE,
  };
  const answer = await api.post('/portal/api/autenticar/chave-acesso', undefined, { headers });
  return answer.ok ? recognise() : answer;
}

export async function signInWithCertificate(roleType: string): Promise<Result<Session>> {
  const headers = { 'Role-Type': roleType, ...OF_A_PAGE };
  const answer = await api.post('/portal/api/autenticar', undefined, { headers });
  return answer.ok ? recognise() : answer;
}
