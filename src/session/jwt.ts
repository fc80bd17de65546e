/**
 * Signs and verifies JWTs with the plugin and its library. A separate module, loaded with the first sign-in
 * or the first token.
 */
import jwtPlugin from '@elysiajs/jwt';
import { SignJWT } from 'jose';
import { type EpochMs, SECOND_MS } from '../clock.ts';

const ALGORITHM = 'HS256';

/** The signed payload. `sub`, `jti` and `exp` are the registered claims. */
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

  /** Signs with the library: the plugin can only use the machine's time, and ours may be a test clock. */
  sign({ sub, jti, exp, ...claims }: Payload, issuedAt: EpochMs): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(sub)
      .setJti(jti)
      .setIssuedAt(Math.floor(issuedAt / SECOND_MS))
      .setExpirationTime(exp)
      .sign(this.#key);
  }

  /** Returns the payload of an unexpired token that this key signed. `undefined`: any other text. */
  async verify(token: string, now: EpochMs): Promise<Payload | undefined> {
    const options = { algorithms: [ALGORITHM], currentDate: new Date(now) };
    const payload = await this.#plugin.verify(token, options);
    if (payload === false) return undefined;
    const { sub, jti, exp } = payload;
    if (sub === undefined || jti === undefined || exp === undefined) return undefined;
    return { ...(payload as Record<string, unknown>), sub, jti, exp };
  }
}
