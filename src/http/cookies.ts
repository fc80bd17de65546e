/** Reads the cookies of a request, and makes those of an answer (RFC 6265). */

/** Returns the value of a cookie. `undefined`: the request has none of this name. */
export function cookieIn(headers: Headers, name: string): string | undefined {
  for (const part of (headers.get('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/**
 * Returns a `Set-Cookie` header. No script can read the cookie, and the browser sends it also when a link of
 * another site leads to this instance. `seconds`: 0 removes the cookie.
 */
export function cookieText(name: string, value: string, seconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
