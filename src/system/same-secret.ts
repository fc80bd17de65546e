/** Compares two secrets in constant time. */
export function isSameSecret(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  // The runtime's own function: loading `node:crypto` for it costs milliseconds and megabytes.
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}
