/** A server with a person who signs in by password, and the requests of that (contract section 27). */
import { expect } from 'bun:test';
import { type Client, type OpenAppOptions, type Reply, type TestApp, openApp } from '../support/app.ts';

export const SESSION = '/appliance/api/session';
export const MARIA = '52998224725';
export const EMAIL = 'maria@exemplo.com.br';
export const GOOD = 'quatro cavalos e um trem';
export const BETTER = 'cinco cavalos e dois trens';
export const inviteOf = (documento: string): string => `/appliance/api/users/${documento}/invite`;

export interface PasswordApp extends TestApp, AsyncDisposable {
  readonly admin: Client;
}

/** Opens a server with a person who has no password yet. */
export async function open(options?: OpenAppOptions): Promise<PasswordApp> {
  const server = await openApp(options);
  const admin = await server.as('admin');
  const access = { documento: MARIA, nome: 'Maria da Silva Sá', email: EMAIL, companies: ['12345678'] };
  expect((await admin.call('POST', '/appliance/api/access', access)).status).toBe(200);
  return { ...server, admin, [Symbol.asyncDispose]: () => server.close() };
}

/** Opens a server in which the person has a password. */
export async function openWithPassword(options?: OpenAppOptions): Promise<PasswordApp> {
  const server = await open(options);
  expect((await accept(server, await invitationOf(server.admin), GOOD)).status).toBe(204);
  return server;
}

/** Returns the secret of a new invitation. */
export async function invitationOf(admin: Client, documento = MARIA): Promise<string> {
  const { json } = await admin.call('POST', inviteOf(documento));
  return new URL(json.url).hash.slice(1);
}

export const accept = ({ anybody }: TestApp, token: string, senha: unknown): Promise<Reply> =>
  anybody.call('POST', `/appliance/api/invitations/${token}`, { senha });

export const signIn = ({ anybody }: TestApp, login: string, senha: string, headers = {}): Promise<Reply> =>
  anybody.call('POST', SESSION, { login, senha }, headers);

export const tokensOf = ({ headers }: Reply): Record<string, string> => ({
  authorization: headers.get('set-token') ?? '',
  'x-csrf-token': headers.get('x-csrf-token') ?? '',
});

/** Returns status, code and place of a refusal. */
export const refusalOf = ({ status, json }: Reply) => [
  status,
  json.detail?.[0]?.code ?? json.code,
  json.path ?? json.detail?.[0]?.path,
];
