/** JWTs with the plugin and its own library. A module of its own: loaded with the first sign-in or the first token. */
import jwtPlugin from '@elysiajs/jwt';
import { SignJWT } from 'jose';
import { type EpochMs, SECOND_MS } from '../clock.ts';

const ALGORITHM = 'HS256';

/** What is signed; `sub`, `jti` and `exp` are the registered claims. */
export interface Payload {
  readonly sub: string;
  readonly jti: string;
  /** Epoch seconds. */
  readonly exp: number;
  readonly [claim: string]: unknown;
}

export class Jwt {
  readonly #key: Uint8Array;
  readonly #plugin;

  constructor(key: Uint8Array) {
    this.#key = key;
    this.#plugin = jwtPlugin({ name: 'jwt', secret: key, alg: ALGORITHM }).decorator.jwt;
  }

  /** The plugin can only stamp the machine's time, and ours may be a test clock: signed with its own library. */
  sign({ sub, jti, exp, ...claims }: Payload, issuedAt: EpochMs): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(sub)
      .setJti(jti)
      .setIssuedAt(Math.floor(issuedAt / SECOND_MS))
      .setExpirationTime(exp)
      .sign(this.#key);
  }

  /** What a token of ours that has not expired says. */
  async verify(token: string, now: EpochMs): Promise<Payload | undefined> {
    const options = { algorithms: [ALGORITHM], currentDate: new Date(now) };
    const payload = await this.#plugin.verify(token, options);
    if (payload === false) return undefined;
    const { sub, jti, exp } = payload;
    if (sub === undefined || jti === undefined || exp === undefined) return undefined;
    return { ...(payload as Record<string, unknown>), sub, jti, exp };
  }
}
