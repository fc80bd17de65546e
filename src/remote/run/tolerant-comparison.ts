/**
 * Compares a remote record with the sent one. A remote may trim texts, turn them or change their case
 * (contract section 18).
 */
const plain = (value: unknown): unknown => {
  if (typeof value === 'string')
    return value.replaceAll('\r\n', '\n').replaceAll('\r', '\n').trim().toLowerCase();
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(plain(one))).sort();
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, plain(one)] as const)
      .filter(([, one]) => one !== null && one !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
};

/** Returns true when the remote record is what was sent. `text`: the text of `Side`. */
export const fits = (text: string, there: string): boolean =>
  JSON.stringify(plain(JSON.parse(text))) === JSON.stringify(plain(JSON.parse(there)));
