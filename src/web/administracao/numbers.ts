/** Checks the typed CPF or CNPJ of an account, so that mistakes are reported before the request. */
import { hasValidCheckDigits } from '../../validation/check-digits.ts';
import { numberText } from '../words.ts';
import type { FieldFault } from '../kit/record-list/fields.tsx';

const ROOT = /^[0-9A-Z]{8}$/;
const CPF = /^[0-9]{11}$/;
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;

/** Removes the points, bars and hyphens that people write: `000.000.001-91` becomes `00000000191`. */
export const plainNumber = (typedText: string): string => typedText.replaceAll(/[\s./-]/g, '').toUpperCase();

/** The kind of number in a field: of a person or a certificate, of a company, of a head office. */
export type NumberKind = 'documento' | 'raiz' | 'cnpj';

const FORMS: Readonly<Record<NumberKind, readonly [accepted: readonly RegExp[], words: string]>> = {
  documento: [[CPF, CNPJ], 'Informe um CPF com 11 dígitos ou um CNPJ com 14 posições'],
  raiz: [[ROOT, CPF], 'Informe a raiz de um CNPJ, com 8 posições, ou um CPF com 11 dígitos'],
  cnpj: [[CNPJ], 'Informe o CNPJ com 14 posições'],
};

/** Returns the fault of a typed number. `mayBeIntended`: it looks mistyped, but the server accepts it. */
export function numberFault(kind: NumberKind, typedText: string): FieldFault | undefined {
  const number = plainNumber(typedText);
  const [accepted, words] = FORMS[kind];
  if (number === '') return { message: `${words}.`, mayBeIntended: false };
  if (!accepted.some((form) => form.test(number)))
    return { message: `${words}; recebido “${typedText}”, com ${number.length}.`, mayBeIntended: false };
  // The root of a CNPJ has no check digits.
  if (ROOT.test(number) || hasValidCheckDigits(number)) return undefined;
  return {
    message: `Os dígitos verificadores de ${numberText(number)} não conferem. Corrija; se o número é mesmo esse, pressione Salvar outra vez.`,
    mayBeIntended: true,
  };
}
