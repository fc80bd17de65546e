/** Compares decimal numbers as text, exactly: as doubles, 0.1 + 2⁻⁶⁰ and 0.1 would be equal. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Number of digits at which a double still keeps order and equality. */
const SAFE_DIGITS = 15;

/** Returns a negative number, 0 or a positive number; `undefined` when one is not a decimal number. */
export function compareDecimals(left: string, right: string): number | undefined {
  const a = DECIMAL.exec(left);
  const b = DECIMAL.exec(right);
  if (a === null || b === null) return undefined;
  if (left.length <= SAFE_DIGITS && right.length <= SAFE_DIGITS) return Number(left) - Number(right);
  const decimals = Math.max(a[3]?.length ?? 0, b[3]?.length ?? 0);
  const difference = scaled(a, decimals) - scaled(b, decimals);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

function scaled(parts: RegExpExecArray, decimals: number): bigint {
  const digits = BigInt((parts[2] ?? '') + (parts[3] ?? '').padEnd(decimals, '0'));
  return parts[1] === '-' ? -digits : digits;
}
