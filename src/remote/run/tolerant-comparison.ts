/**
 * Compares a remote record with the sent one. A remote may trim texts, and change their line breaks or their
 * case (contract section 18).
 */
const normalized = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim().toLowerCase();
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(normalized(item))).sort();
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, normalized(member)] as const)
      .filter(([, member]) => member !== null && member !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};

/** Returns true when the remote record is what was sent. Both texts have the form of `Side.text`. */
export const isSameContent = (sentText: string, remoteText: string): boolean =>
  JSON.stringify(normalized(JSON.parse(sentText))) === JSON.stringify(normalized(JSON.parse(remoteText)));
