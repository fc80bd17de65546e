/**
 * Issues the two tokens of a signed-in user: the JWT, and the CSRF token that is bound to it (contract
 * section 2).
 */
import { type Clock, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS, SystemClock } from '../clock.ts';
import { loadOnce } from '../system/load-once.ts';
import { isSameSecret } from '../system/same-secret.ts';
import { lruCache } from '../system/lru-cache.ts';
import { type PartyKind, type Profile, isProfile } from './model.ts';
import { randomText } from './secrets.ts';

export const TOKEN_LIFETIME_MS = 60 * MINUTE_MS;

/** A renewed session ends at the latest this long after its sign-in. */
export const SESSION_LIFETIME_MS = 12 * HOUR_MS;

export interface Claims {
  readonly documento: string;
  readonly nome: string;
  readonly perfil: Profile;
  readonly tipo: PartyKind;
  readonly ambiente: string;
  readonly jti: string;
  readonly expiresAt: EpochMs;
  /** The real moment of a sign-in on a page: such a session uses real time, also with a test clock. */
  readonly pageSignedInAt?: EpochMs;
}

/** The members of a session on which its tokens depend. */
export type SessionTimes = Pick<Claims, 'jti' | 'expiresAt' | 'pageSignedInAt'>;

export interface CsrfToken {
  readonly token: string;
  readonly expiresAt: EpochMs;
}

const INSTANCE_BYTES = 4;

/**
 * Number of verified tokens that are cached until they expire, the latest used ones: verifying costs more
 * than the rest of a GET.
 */
const REMEMBERED_TOKENS = 10_000;

/** Number of cached CSRF tokens, the latest used ones. A session uses a few at a time. */
const REMEMBERED_SEALS = 2000;

export class Tokens {
  readonly #clock: Clock;
  readonly #wallClock: Clock;
  readonly #ambiente: string;
  readonly #key: Uint8Array;
  readonly #jwt = loadOnce(async () => new (await import('./jwt.ts')).Jwt(this.#key));
  readonly #verified = lruCache<string, Claims>(REMEMBERED_TOKENS);
  /** The session of each CSRF token that was made or accepted: a check costs as much as the rest of an access. */
  readonly #sealed = lruCache<string, string>(REMEMBERED_SEALS);
  /** Created once: setting the key costs as much as sealing. */
  readonly #sealer: Bun.CryptoHasher;
  /** Makes the CSRF tokens of each start different. */
  readonly #instance = randomText(INSTANCE_BYTES);
  #issued = 0;
  /** Leaps of a test clock. */
  readonly #leaps: { readonly from: EpochMs; readonly to: EpochMs }[] = [];

  /** `key`: 32 random bytes that are stored next to the database. */
  constructor(key: Uint8Array, ambiente: string, clock: Clock, wallClock: Clock = new SystemClock()) {
    this.#clock = clock;
    this.#wallClock = wallClock;
    this.#ambiente = ambiente;
    this.#key = key;
    this.#sealer = new Bun.CryptoHasher('sha256', key).update('csrf|');
  }

  /**
   * Records that a restored state moved the test clock: sessions valid at `from` stay valid for the same time
   * from `to` on (contract section 15). Sessions that begin later also end later, so the end of a session
   * shows if it began before the leap.
   */
  recordLeap(from: EpochMs, to: EpochMs): void {
    if (to > from) this.#leaps.push({ from, to });
  }

  /** Returns the current time of the clock that the session uses. */
  now(session: Pick<Claims, 'pageSignedInAt'>): EpochMs {
    return (session.pageSignedInAt === undefined ? this.#clock : this.#wallClock).now();
  }

  /** Returns the moment of a sign-in on a page, for `pageSignedInAt`. */
  pageSignIn(): EpochMs {
    return Math.floor(this.#wallClock.now() / SECOND_MS) * SECOND_MS;
  }

  #endOf(expiresAt: EpochMs, { pageSignedInAt }: Pick<Claims, 'pageSignedInAt'>): EpochMs {
    let end = expiresAt;
    if (pageSignedInAt !== undefined) return end;
    for (const { from, to } of this.#leaps)
      if (end > from && end <= from + TOKEN_LIFETIME_MS) end += to - from;
    return end;
  }

  /** Signs the JWT of a session. The end is a full second. */
  async sign(
    user: { documento: string; nome: string; tipo: PartyKind },
    perfil: Profile,
    { jti, expiresAt, pageSignedInAt }: SessionTimes,
  ): Promise<string> {
    const { documento: sub, nome, tipo } = user;
    const claims = {
      sub,
      nome,
      perfil,
      tipo,
      ambiente: this.#ambiente,
      jti,
      exp: expiresAt / SECOND_MS,
      ...(pageSignedInAt !== undefined && { pagina: pageSignedInAt / SECOND_MS }),
    };
    return (await this.#jwt()).sign(claims, this.#clock.now());
  }

  /** Returns the claims of an unexpired token that this key signed. `undefined`: any other text. */
  verify(token: string): Claims | undefined | Promise<Claims | undefined> {
    const cached = this.#verified.get(token);
    if (cached === undefined) return this.#verifySignature(token);
    const claims = this.#ifUnexpired(cached);
    if (claims === undefined) this.#verified.delete(token);
    return claims;
  }

  #ifUnexpired(claims: Claims): Claims | undefined {
    const expiresAt = this.#endOf(claims.expiresAt, claims);
    if (expiresAt <= this.now(claims)) return undefined;
    return expiresAt === claims.expiresAt ? claims : { ...claims, expiresAt };
  }

  async #verifySignature(token: string): Promise<Claims | undefined> {
    const payload = await (
      await this.#jwt()
    ).verify(
      token,
      // Only the claims say which clock counts.
      Math.min(this.#clock.now(), this.#wallClock.now(), ...this.#leaps.map(({ from }) => from)),
    );
    if (payload === undefined) return undefined;
    const { sub, jti, exp, nome, perfil, tipo, ambiente, pagina } = payload;
    if (typeof nome !== 'string' || typeof perfil !== 'string' || !isProfile(perfil)) return undefined;
    if ((tipo !== 'PRIV' && tipo !== 'PUBL') || ambiente !== this.#ambiente) return undefined;
    const claims: Claims = {
      documento: sub,
      nome,
      perfil,
      tipo,
      ambiente,
      jti,
      expiresAt: exp * SECOND_MS,
      ...(typeof pagina === 'number' && { pageSignedInAt: pagina * SECOND_MS }),
    };
    const inForce = this.#ifUnexpired(claims);
    if (inForce !== undefined) this.#verified.set(token, claims);
    return inForce;
  }

  /** Returns the reason for which `verify` or the registry refused a token. */
  async stateOf(token: string): Promise<'foreign' | 'expired' | 'ended'> {
    const payload = await (await this.#jwt()).verify(token, 0);
    if (payload === undefined || payload['ambiente'] !== this.#ambiente) return 'foreign';
    const { exp, pagina } = payload;
    const session = typeof pagina === 'number' ? { pageSignedInAt: pagina * SECOND_MS } : {};
    return this.#endOf(exp * SECOND_MS, session) <= this.now(session) ? 'expired' : 'ended';
  }

  /** Returns true when a CSRF token was made for this session, expired or not. */
  isSealed(token: string, jti: string): boolean {
    if (this.#sealed.get(token) === jti) return true;
    const head = token.slice(0, token.lastIndexOf('.'));
    const isSealed = isSameSecret(token, `${head}.${this.#seal(jti, head)}`);
    if (isSealed) this.#sealed.set(token, jti);
    return isSealed;
  }

  /** Returns a CSRF token for a session, valid for 60 minutes and never longer than the session. */
  newCsrf(session: SessionTimes): CsrfToken {
    const { jti, expiresAt: sessionEnd } = session;
    const expiresAt = Math.min(this.now(session) + TOKEN_LIFETIME_MS, sessionEnd);
    this.#issued += 1;
    const head = `${expiresAt.toString(36)}.${this.#instance}${this.#issued.toString(36)}`;
    const token = `${head}.${this.#seal(jti, head)}`;
    this.#sealed.set(token, jti);
    return { token, expiresAt };
  }

  /** Returns true when a CSRF token was made for this session and has not expired. */
  isCsrf(token: string, session: SessionTimes): boolean {
    const head = token.slice(0, token.lastIndexOf('.'));
    const expiresAt = Number.parseInt(head, 36); // stops at the first dot
    return this.#endOf(expiresAt, session) > this.now(session) && this.isSealed(token, session.jti);
  }

  /** Binds the readable part of a CSRF token to its session. */
  #seal(jti: string, head: string): string {
    return this.#sealer.copy().update(`${jti}|${head}`).digest('base64url');
  }
}
