/**
 * Normalises the address of a request once to the form that all code reads: `http://host/path?query`. Bun
 * gives no host when the request has none. Repeated slashes count as one (contract section 1).
 */

/** Fixed scheme and host. No code reads the received ones: they do not influence any answer. */
const ORIGIN = 'http://catp';
const PLAIN = 'http://';

/** Returns the same request with its normalised address. */
export function addressed(request: Request): Request {
  const { url } = request;
  const start = pathStart(url);
  const end = queryStart(url, start);
  const repeated = url.indexOf('//', start);
  const isRepeated = repeated !== -1 && repeated < end;
  if (!isRepeated && url.startsWith(PLAIN)) return request;
  const path = isRepeated ? url.slice(start, end).replaceAll(/\/{2,}/g, '/') : url.slice(start, end);
  // Not a new Request: that would copy headers and body, and lose the connection that sent it.
  return Object.defineProperty(request, 'url', { value: `${ORIGIN}${path || '/'}${url.slice(end)}` });
}

/** Returns the path of a URL, without query. */
export function pathnameOf(url: string): string {
  const start = pathStart(url);
  return url.slice(start, queryStart(url, start)) || '/';
}

/** The path after which a secret stands: the token of an invitation (contract section 27). */
const BEFORE_SECRET = '/appliance/api/invitations/';

/** Splits a path before the secret in it. `undefined`: it holds none. */
export function splitBeforeSecret(
  pathname: string,
): { readonly open: string; readonly secret: string } | undefined {
  if (!pathname.startsWith(BEFORE_SECRET) || pathname.length === BEFORE_SECRET.length) return undefined;
  return { open: BEFORE_SECRET, secret: pathname.slice(BEFORE_SECRET.length) };
}

const MASK = '***';

/** Returns the path of a URL for logs and messages, without the secret in it. */
export function printablePathOf(url: string): string {
  const pathname = pathnameOf(url);
  const split = splitBeforeSecret(pathname);
  return split === undefined ? pathname : `${split.open}${MASK}`;
}

/** Maximum length of a path in answer and log. Paths of operations are shorter; a longer one is cut. */
const LOGGED_PATH_MAX_CHARACTERS = 2048;

/** Returns the path of a request for its answer and the log. */
export const loggedPath = ({ url }: Request): string =>
  printablePathOf(url).slice(0, LOGGED_PATH_MAX_CHARACTERS);

/** The addresses of invitations in a text. */
const INVITATIONS = /(\/convite#)[\w-]+/g;

/** Masks the secrets of the addresses in a text. */
export const withoutInvitations = (text: string): string => text.replaceAll(INVITATIONS, `$1${MASK}`);

/**
 * Returns the origin as the client wrote it. It is pasted into a shell, so a host with special characters is
 * replaced by the default.
 */
export function originOf(request: Request, scheme: 'http' | 'https'): string {
  const host = request.headers.get('host') ?? '';
  return `${scheme}://${/^[\w.:[\]-]+$/.test(host) ? host : '127.0.0.1:8080'}`;
}

/** Returns the query of a URL, without `?`. `undefined`: the URL has none. */
export function queryOf(url: string): string | undefined {
  const mark = url.indexOf('?');
  return mark === -1 ? undefined : url.slice(mark + 1);
}

/** Returns the index at which the path begins, or the length of the URL when it has no path. */
function pathStart(url: string): number {
  if (url.startsWith('/')) return 0;
  const start = url.indexOf('/', url.indexOf('://') + '://'.length);
  return start === -1 ? url.length : start;
}

function queryStart(url: string, from: number): number {
  const mark = url.indexOf('?', from);
  return mark === -1 ? url.length : mark;
}
