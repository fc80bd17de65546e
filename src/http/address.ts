/**
 * The address of a request, brought once to the one form that everybody reads: `http://host/path?query`. Bun gives no host
 * where the request has none, and repeated slashes count as one (contract section 1).
 */

/** Whatever came, nobody reads it: neither scheme nor host has a say in what is answered. */
const ORIGIN = 'http://catp';
const PLAIN = 'http://';

/** The request itself, with the address that the rest of the server goes by. */
export function addressed(request: Request): Request {
  const { url } = request;
  const start = pathStart(url);
  const end = queryStart(url, start);
  const repeated = url.indexOf('//', start);
  const isRepeated = repeated !== -1 && repeated < end;
  if (!isRepeated && url.startsWith(PLAIN)) return request;
  const path = isRepeated ? url.slice(start, end).replaceAll(/\/{2,}/g, '/') : url.slice(start, end);
  // Not a new Request: that would copy headers and body, and nobody could tell any longer who sent it.
  return Object.defineProperty(request, 'url', { value: `${ORIGIN}${path || '/'}${url.slice(end)}` });
}

/** The path of a URL, without query. */
export function pathnameOf(url: string): string {
  const start = pathStart(url);
  return url.slice(start, queryStart(url, start)) || '/';
}

/** What follows the `?` of a URL; `undefined` where there is none. */
export function queryOf(url: string): string | undefined {
  const mark = url.indexOf('?');
  return mark === -1 ? undefined : url.slice(mark + 1);
}

/** Where the path begins; at the end where there is none. */
function pathStart(url: string): number {
  if (url.startsWith('/')) return 0;
  const start = url.indexOf('/', url.indexOf('://') + '://'.length);
  return start === -1 ? url.length : start;
}

function queryStart(url: string, from: number): number {
  const mark = url.indexOf('?', from);
  return mark === -1 ? url.length : mark;
}
