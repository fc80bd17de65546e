/** Session at a remote: signed in by a key pair or a certificate. Each answer renews its CSRF token. */
import type { Clock, EpochMs } from '../../clock.ts';
import type { Exchanged } from '../../outgoing/exchange.ts';
import { exchange } from './exchange.ts';
import { foreignMoment } from '../../validation/calendar.ts';
import { tryParseJson } from '../../validation/json.ts';
import { textMemberIn } from '../../validation/json-value.ts';
import { foreignText } from '../../validation/text.ts';
import type { Connection } from './model.ts';

/** The claims of the token. All are `null` when the token has another format. */
interface Claims {
  readonly documento: string | null;
  readonly nome: string | null;
  readonly ambiente: string | null;
}

export interface Session extends Claims {
  readonly token: string;
  csrf: string;
  readonly until: EpochMs | null;
}

export type SignedIn =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'exchanged'; readonly exchanged: Exchanged };

/** Returns the TLS options of every request to the remote. */
export function tlsOf({ ca, secret }: Connection, rootCertificates: readonly string[]) {
  const own = secret !== null && 'certificate' in secret ? { cert: secret.certificate, key: secret.key } : {};
  return { ...own, ...(ca !== null && { ca: [...rootCertificates, ca] }) };
}

export async function signIn(
  connection: Connection,
  tls: ReturnType<typeof tlsOf>,
  clock: Clock,
  stopping: AbortSignal,
): Promise<SignedIn> {
  const { secret, clientId, perfil } = connection;
  const byKey = secret !== null && 'clientSecret' in secret && clientId !== null;
  const keys = byKey ? { 'Client-Id': clientId, 'Client-Secret': secret.clientSecret } : {};
  const path = byKey ? '/portal/api/autenticar/chave-acesso' : '/portal/api/autenticar';
  const exchanged = await exchange(
    {
      url: new URL(connection.url + path),
      method: 'POST',
      body: undefined,
      tls,
      headers: { ...keys, 'Role-Type': perfil, Accept: 'application/json', 'Content-Length': '0' },
    },
    clock,
    stopping,
  );
  if (exchanged.kind === 'broken') return { kind: 'exchanged', exchanged };
  const { 'set-token': token, 'x-csrf-token': csrf, 'x-csrf-expiration': until } = exchanged.headers;
  if (exchanged.status !== 200 || typeof token !== 'string' || typeof csrf !== 'string')
    return { kind: 'exchanged', exchanged };
  const session = { token, csrf, until: momentIn(until), ...claimsOf(token) };
  return { kind: 'session', session };
}

/** Returns the time of a header in ms since 1970. `null`: it has another format. */
const momentIn = (header: string | string[] | undefined): EpochMs | null =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? (foreignMoment(Number(header)) ?? null) : null;

/** Returns the claims of a token. A token of another format has none. */
function claimsOf(token: string): Claims {
  const [, payload = ''] = token.replace(/^Bearer /i, '').split('.');
  const claims = tryParseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  const text = (name: string): string | null => {
    const value = textMemberIn(claims, name);
    return value === undefined ? null : foreignText(value);
  };
  return { documento: text('sub'), nome: text('nome'), ambiente: text('ambiente') };
}
