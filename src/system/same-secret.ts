/** Whether two secrets are the same, in a time that tells nothing of where they differ. */
export function isSameSecret(received: string, expected: string): boolean {
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  // The runtime's own: `node:crypto`, which has it too, costs milliseconds and megabytes to load.
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}
