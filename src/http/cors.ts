/** Callers from other origins (contract section 2). Off unless origins are configured. */
import { isLoopback } from '../system/loopback.ts';
import { pathnameOf } from './address.ts';

const EXPOSED = 'Set-Token, X-CSRF-Token, X-CSRF-Expiration';
/** The key by which a repeated order is recognised (contract section 16). */
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
/** The paths of the specification; all others are ours, or a neighbour's (contract section 1). */
const SPECIFICATION = /^\/(?:catp|portal|cadatributos)\/api\//;
const HEADER_NAME = /^[\w-]{1,100}$/;

export class Cors {
  readonly #origins: readonly string[];
  readonly #allowed: readonly string[];

  /**
   * `local` admits the pages of this machine, `*` these too, and any origin to the operations of the specification alone.
   * `headers`: what its requests may carry beside those of every instance.
   */
  constructor(origins: readonly string[], headers: readonly string[] = []) {
    this.#origins = origins;
    this.#allowed = [...ALLOWED, ...headers];
  }

  /** The headers of an answer to an admitted origin. */
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

  /** `null`, which any sandboxed frame says of itself, is admitted only where it is named. */
  #admits(origin: string, { url }: Request): boolean {
    if (this.#origins.includes(origin)) return true;
    const isAny = this.#origins.includes('*');
    if ((isAny || this.#origins.includes('local')) && isOfThisMachine(origin)) return true;
    return isAny && origin !== 'null' && SPECIFICATION.test(pathnameOf(url));
  }

  /** What libraries add by themselves (`X-Requested-With`, `Cache-Control`): an admitted origin may send what it asks for. */
  #furtherOf({ headers }: Request): readonly string[] {
    const known = new Set(this.#allowed.map((name) => name.toLowerCase()));
    return (headers.get('access-control-request-headers') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => HEADER_NAME.test(name) && !known.has(name.toLowerCase()));
  }

  /** The answer to a preflight from an admitted origin; anything else takes the ordinary way. */
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
