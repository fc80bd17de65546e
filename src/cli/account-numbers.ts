/**
 * Checks the CPF or CNPJ of an account as typed. Wrong numbers are reported, and refused if the settings
 * check them.
 */
import { hasValidCheckDigits } from '../validation/check-digits.ts';
import type { Settings } from '../settings/config.ts';
import { OperatorError } from '../errors.ts';

/** A CPF or a CNPJ, which have check digits. */
const NUMBER = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/;

/**
 * Checks numbers, each under the name that the operator knows. A text of another form is not judged: the root of
 * a CNPJ has no check digits, and whoever stores it refuses any other. Throws an `OperatorError`.
 */
export function checkNumbers(
  settings: Settings,
  numbers: Readonly<Record<string, string | null | undefined>>,
): void {
  const wrong = Object.entries(numbers).filter(
    ([, number]) => typeof number === 'string' && NUMBER.test(number) && !hasValidCheckDigits(number),
  );
  if (wrong.length === 0) return;
  const wrongNumbers = wrong.map(([name, number]) => `${name} ${number}`).join(', ');
  const fault = `os dígitos verificadores não conferem: ${wrongNumbers}`;
  if (settings['cnpj.digitos'])
    throw new OperatorError(
      `${capitalized(fault)}. Corrija o número; com perfil=portal (cnpj.digitos=true) um número errado não é aceito.`,
    );
  process.stderr.write(`catp: aviso: ${fault}. É aceito assim; confira se o número é esse.\n`);
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
