/** Whether a record there is what was sent: a remote trims, turns or changes the case of texts (contract section 18). */
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

/** `text`: as `Side` has it. */
export const fits = (text: string, there: string): boolean =>
  JSON.stringify(plain(JSON.parse(text))) === JSON.stringify(plain(JSON.parse(there)));
