/** Connections to remotes: validates them, stores them with sealed secrets, and opens them for use. */
import { CHANGED_SECRET, type Members } from '../change.ts';
import { type EpochMs, HOUR_MS } from '../clock.ts';
import { seal, unseal } from '../db/seal.ts';
import { isSafeToAsk } from '../system/loopback.ts';
import { refuseRemote } from './codes.ts';
import type { Remote } from './model.ts';
import { UnfitCredential, credentialOf, refuseUnfitAuthorities, certificateForm } from './wire/credential.ts';
import { SIGN_IN_PACE_MS } from './wire/governor.ts';
import type { Connection, ConnectionRequest, ConnectionSecret, Pace } from './wire/model.ts';
import type { ConnectionStore, StoredConnection } from './wire/store.ts';

const PER_HOUR = 900;
const PERFIL = 'IMPEXP';

export class RemoteConnections {
  readonly #store: ConnectionStore;
  readonly #key: Uint8Array;

  constructor(store: ConnectionStore, key: Uint8Array) {
    this.#store = store;
    this.#key = key;
  }

  find(remoteId: number): Connection | undefined {
    const stored = this.#store.find(remoteId);
    return stored && { ...stored, secret: this.#unseal(remoteId, stored) };
  }

  /** Returns the members of a remote for the audit, even when its secret cannot be opened. */
  auditedMembers(remote: Remote): Members {
    return auditedMembers(remote, this.#store.find(remote.id));
  }

  has(remoteId: number): boolean {
    return this.#store.find(remoteId) !== undefined;
  }

  /**
   * Returns the allowed pace of requests from now on. For a remote without an address: the pace that it
   * would have with one. Without a session, no request leaves before the next sign-in is allowed.
   */
  paceOf(remoteId: number, now: EpochMs, hasSession: boolean): Pace {
    const signedInAt = hasSession ? undefined : this.#store.signedInAt(remoteId);
    const nextSignInAt = signedInAt === undefined ? 0 : signedInAt + SIGN_IN_PACE_MS;
    const { perHour = PER_HOUR, downtime = null } = this.#store.find(remoteId) ?? {};
    const hour = Math.floor(now / HOUR_MS);
    return {
      perHour,
      downtime,
      used: (operation) => this.#store.used(remoteId, operation, hour),
      restsUntil: (operation) =>
        Math.max(nextSignInAt, this.#store.restOf(remoteId, operation, now)?.until ?? 0),
    };
  }

  put(remoteId: number, connection: Connection): void {
    const { secret } = connection;
    const sealed = secret && seal(this.#key, purpose(remoteId), JSON.stringify(secret));
    this.#store.put(remoteId, { ...connection, secret: sealed });
  }

  delete(remoteId: number): void {
    this.#store.delete(remoteId);
  }

  #unseal(remoteId: number, { secret }: StoredConnection): ConnectionSecret | null {
    if (secret === null) return null;
    return JSON.parse(
      unseal(this.#key, purpose(remoteId), secret, 'A credencial do remoto'),
    ) as ConnectionSecret;
  }
}

const purpose = (remoteId: number): string => `catp remote ${remoteId}`;

/** Returns the connection without its secret. */
export function connectionForm({ secret, ...connection }: Connection) {
  const certificate = secret !== null && 'certificate' in secret ? certificateForm(secret) : null;
  return { ...connection, certificate };
}

/** A connection whose secret is open or sealed. */
type AnyConnection = Omit<Connection, 'secret'> & { readonly secret: unknown };

/** Returns the audited members of a remote: all but its secret. */
export function auditedMembers(
  { companies, rules }: Pick<Remote, 'companies' | 'rules'>,
  connection: AnyConnection | undefined,
): Members {
  const remote = { companies: companies.join(', '), rules };
  if (connection === undefined) return remote;
  const { secret: _, ...rest } = connection;
  return { ...remote, ...rest };
}

/** Returns the audit entry of a new secret: only that it changed. */
export function auditedSecret(before: Connection | undefined, after: Connection | undefined): Members {
  const secret = after?.secret ?? null;
  if (secret === null || Bun.deepEquals(secret, before?.secret ?? null)) return {};
  return { ['certificate' in secret ? 'certificate' : 'clientSecret']: CHANGED_SECRET };
}

/** Returns true when the address or the name changed. The data of the old server is then useless. */
export const isOtherServer = (before: Connection, after: Connection): boolean =>
  new URL(before.url).host !== new URL(after.url).host || before.ca !== after.ca;

/**
 * Merges the requested connection into the previous one. `undefined`: the remote has no `url`. Throws 422.
 */
export async function requestedConnection(
  request: ConnectionRequest,
  before: Connection | undefined,
): Promise<Connection | undefined> {
  const { url = before?.url } = request;
  if (url === undefined) {
    if (Object.values(request).some((value) => value !== undefined))
      refuseRemote('unfitUrl', '/url', 'falta; o mais que se disse de como chegar lá só serve com ele.');
    return undefined;
  }
  const secret = await requestedSecret(request);
  const after: Connection = {
    url: validUrl(url),
    perfil: request.perfil ?? before?.perfil ?? PERFIL,
    clientId: request.clientId ?? before?.clientId ?? null,
    secret: secret ?? before?.secret ?? null,
    ca: request.ca === undefined ? (before?.ca ?? null) : validAuthorities(request.ca),
    perHour: request.perHour ?? before?.perHour ?? PER_HOUR,
    downtime: request.downtime === undefined ? (before?.downtime ?? null) : validDowntime(request.downtime),
    otherEnvironment: request.otherEnvironment ?? before?.otherEnvironment ?? false,
  };
  if (after.secret === null)
    refuseRemote(
      'unfitCredential',
      '/clientSecret',
      'falta; envie a chave de acesso inteira, ou um certificado.',
    );
  if ('clientSecret' in after.secret && after.clientId === null)
    refuseRemote('unfitCredential', '/clientId', 'falta; é a outra metade da chave de acesso.');
  if (before !== undefined && secret === undefined && isOtherServer(before, after))
    refuseRemote(
      'unfitCredential',
      '/clientSecret',
      'falta; com outro endereço ou outra ca o segredo é enviado de novo, para que não vá a um servidor a que não foi confiado.',
    );
  return after;
}

async function requestedSecret(request: ConnectionRequest): Promise<ConnectionSecret | undefined> {
  const { clientSecret, certificate, password } = request;
  if (clientSecret !== undefined && certificate !== undefined)
    refuseRemote('unfitCredential', '/certificate', 'veio com uma chave de acesso; envie um dos dois.');
  if (certificate === undefined) return clientSecret === undefined ? undefined : { clientSecret };
  try {
    return await credentialOf(certificate, password);
  } catch (error) {
    if (!(error instanceof UnfitCredential)) throw error;
    return refuseRemote('unfitCredential', '/certificate', `${error.message}.`);
  }
}

/** Validates the authorities. Throws 422. */
function validAuthorities(text: string | null): string | null {
  try {
    if (text !== null) refuseUnfitAuthorities(text);
    return text;
  } catch (error) {
    if (!(error instanceof UnfitCredential)) throw error;
    return refuseRemote('unfitCredential', '/ca', `${error.message}.`);
  }
}

/** Validates the downtime. Throws 422. */
function validDowntime(text: string | null): string | null {
  const [from, to] = text?.split('-') ?? [];
  if (text !== null && from === to)
    refuseRemote(
      'unfitDowntime',
      '/downtime',
      'começa e termina na mesma hora; informe de quando até quando.',
    );
  return text;
}

/** Returns the origin without a final slash. Throws 422. */
function validUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFit =
    url !== undefined &&
    isSafeToAsk(url) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '' &&
    url.pathname === '/';
  if (!isFit)
    refuseRemote(
      'unfitUrl',
      '/url',
      'só https://servidor[:porta], sem caminho nem usuário; http só em localhost ou em um endereço de loopback.',
    );
  return url.origin;
}
