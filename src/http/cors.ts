/** Admits callers from other origins (contract section 2). Off unless origins are configured. */
import { isLoopback } from '../system/loopback.ts';
import { pathnameOf } from './address.ts';

const EXPOSED = 'Set-Token, X-CSRF-Token, X-CSRF-Expiration';
/** The header that identifies a repeated request (contract section 16). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const ALLOWED = [
  'Authorization',
  'X-CSRF-Token',
  'Content-Type',
  'Role-Type',
  'Client-Id',
  'Client-Secret',
  IDEMPOTENCY_KEY,
];
const PREFLIGHT_SECONDS = '600';
/** The paths of the specification. All others are ours or of a neighbouring system (contract section 1). */
const SPECIFICATION = /^\/(?:catp|portal|cadatributos)\/api\//;
const HEADER_NAME = /^[\w-]{1,100}$/;

export class Cors {
  readonly #origins: readonly string[];
  readonly #allowed: readonly string[];

  /**
   * `local` admits the pages of this machine. `*` admits these too, and any origin for the operations of the
   * specification only. `headers`: request headers that are allowed in addition to those of every instance.
   */
  constructor(origins: readonly string[], headers: readonly string[] = []) {
    this.#origins = origins;
    this.#allowed = [...ALLOWED, ...headers];
  }

  /** Returns the CORS headers of an answer to an admitted origin. `undefined`: the origin is not admitted. */
  headers(request: Request): Readonly<Record<string, string>> | undefined {
    if (this.#origins.length === 0) return undefined;
    const origin = request.headers.get('origin');
    if (origin === null || !this.#admits(origin, request)) return undefined;
    return {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED,
      Vary: 'Origin',
    };
  }

  /** Any sandboxed frame sends the origin `null`: it is admitted only when the configuration names it. */
  #admits(origin: string, { url }: Request): boolean {
    if (this.#origins.includes(origin)) return true;
    const isAny = this.#origins.includes('*');
    if ((isAny || this.#origins.includes('local')) && isOfThisMachine(origin)) return true;
    return isAny && origin !== 'null' && SPECIFICATION.test(pathnameOf(url));
  }

  /**
   * Returns the requested headers beyond the allowed ones. An admitted origin may send all of them, because
   * libraries add some automatically (`X-Requested-With`, `Cache-Control`).
   */
  #furtherOf({ headers }: Request): readonly string[] {
    const allowed = new Set(this.#allowed.map((name) => name.toLowerCase()));
    return (headers.get('access-control-request-headers') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => HEADER_NAME.test(name) && !allowed.has(name.toLowerCase()));
  }

  /** Answers a preflight from an admitted origin. `undefined`: the request is handled like any other. */
  preflight(request: Request, methods: readonly string[]): Response | undefined {
    const headers = this.headers(request);
    if (headers === undefined || methods.length === 0) return undefined;
    return new Response(null, {
      status: 204,
      headers: {
        ...headers,
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': [...this.#allowed, ...this.#furtherOf(request)].join(', '),
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      },
    });
  }
}

function isOfThisMachine(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && url.origin === origin && isLoopback(url.hostname);
}
