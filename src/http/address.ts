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
