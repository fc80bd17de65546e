/** Check digits of CPF and CNPJ, the alphanumeric one included (contract section 1, `cpfCnpjFabricante`). */

const CPF_LENGTH = 11;
const CHECK_DIGITS = 2;
const FIRST_WEIGHT = 2;
/**
 * The weights of a CNPJ run from 2 to 9, starting at the right, and repeat. The weights of a CPF only
 * increase.
 */
const CNPJ_LAST_WEIGHT = 9;
const CPF_LAST_WEIGHT = 11;
const MODULUS = 11;

/**
 * Returns true when the last two digits of a CPF (11) or a CNPJ (14 digits or capital letters) are its check
 * digits.
 */
export function hasValidCheckDigits(documento: string): boolean {
  // 111.111.111-11 and similar numbers satisfy the sum, but are never issued.
  if (isOneDigitRepeated(documento)) return false;
  return withCheckDigits(documento.slice(0, -CHECK_DIGITS)) === documento;
}

/** Returns a CPF or a CNPJ with its two check digits. `rest`: the number without them. */
export function withCheckDigits(rest: string): string {
  const lastWeight = rest.length + CHECK_DIGITS === CPF_LENGTH ? CPF_LAST_WEIGHT : CNPJ_LAST_WEIGHT;
  const first = rest + checkDigit(rest, lastWeight);
  return first + checkDigit(first, lastWeight);
}

const isOneDigitRepeated = (documento: string): boolean => /^(.)\1*$/.test(documento);

function checkDigit(text: string, lastWeight: number): number {
  let sum = 0;
  let weight = FIRST_WEIGHT;
  for (const character of Array.from(text).reverse()) {
    sum += valueOf(character) * weight;
    weight = weight === lastWeight ? FIRST_WEIGHT : weight + 1;
  }
  const rest = sum % MODULUS;
  return rest < 2 ? 0 : MODULUS - rest;
}

/** Returns the distance of a character from "0": digits their value, A 17, B 18 … Z 42. */
const valueOf = (character: string): number => character.charCodeAt(0) - '0'.charCodeAt(0);
