/** Who is signed in, in this tab. */
import type { Session } from './answers.ts';
import type { Role } from '../page.ts';
import { api } from './api.ts';
import { Observed, useObserved } from './observed.ts';
import type { ApiError, Result } from './result.ts';

/** `unknown`: there are tokens, and the server has not yet said whose they are. */
export type Who = Session | 'nobody' | 'unknown';

const who = new Observed<Who>(api.tokens.present ? 'unknown' : 'nobody');

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

api.onSessionEnd = () => leave(ENDED);

function leave(why = ''): void {
  api.tokens.forget();
  // Whoever leaves leaves nothing behind; a session that ended is begun again, and goes on.
  if (why === '') sessionStorage.clear();
  ending.set(why);
  who.set('nobody');
}

/** The tokens are good for nobody any more, whoever may have seen them; who cannot be reached is left all the same. */
export async function signOut(): Promise<void> {
  const ended = api.delete('/appliance/api/session');
  leave();
  await ended;
}

/** Why the server could not say whose tokens these are, though it did not refuse them. */
export const unrecognised = new Observed<ApiError | undefined>(undefined);

const REFUSED: readonly number[] = [401, 403];

/** Asks the server whose tokens these are. */
export async function recognise(): Promise<Result<Session>> {
  const answer = await api.get<Session>('/appliance/api/session');
  unrecognised.set(answer.ok ? undefined : answer.error);
  if (answer.ok) {
    ending.set('');
    who.set(answer.value);
  } else if (REFUSED.includes(answer.error.status) && api.tokens.present) leave(answer.error.message);
  return answer;
}

export async function signInWithKey(
  clientId: string,
  clientSecret: string,
  roleType: string,
): Promise<Result<Session>> {
  const headers = { 'Client-Id': clientId, 'Client-Secret': clientSecret, 'Role-Type': roleType };
  const answer = await api.post('/portal/api/autenticar/chave-acesso', undefined, { headers });
  return answer.ok ? recognise() : answer;
}

export async function signInWithCertificate(roleType: string): Promise<Result<Session>> {
  const headers = { 'Role-Type': roleType };
  const answer = await api.post('/portal/api/autenticar', undefined, { headers });
  return answer.ok ? recognise() : answer;
}
