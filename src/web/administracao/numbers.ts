/** The CPF or CNPJ of an account as it is typed: slips are told before anything is sent. */
import { hasValidCheckDigits } from '../../validation/check-digits.ts';
import { numberText } from '../words.ts';

const ROOT = /^[0-9A-Z]{8}$/;
const CPF = /^[0-9]{11}$/;
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;

/** Without the points, bars and hyphens that people write: `000.000.001-91` is `00000000191`. */
export const plainNumber = (typed: string): string => typed.replaceAll(/[\s./-]/g, '').toUpperCase();

/** What may stand in a field: of a person or a certificate, of a company, of a company's head office. */
export type NumberKind = 'documento' | 'raiz' | 'cnpj';

const FORMS: Readonly<Record<NumberKind, readonly [accepted: readonly RegExp[], words: string]>> = {
  documento: [[CPF, CNPJ], 'Informe um CPF com 11 dígitos ou um CNPJ com 14 posições'],
  raiz: [[ROOT, CPF], 'Informe a raiz de um CNPJ, com 8 posições, ou um CPF com 11 dígitos'],
  cnpj: [[CNPJ], 'Informe o CNPJ com 14 posições'],
};

export interface NumberFault {
  readonly message: string;
  /** A number that is perhaps mistyped, but that the server takes when somebody insists. */
  readonly canBeMeant: boolean;
}

export function numberFault(kind: NumberKind, typed: string): NumberFault | undefined {
  const number = plainNumber(typed);
  const [accepted, words] = FORMS[kind];
  if (number === '') return { message: `${words}.`, canBeMeant: false };
  if (!accepted.some((form) => form.test(number)))
    return { message: `${words}; recebido “${typed}”, com ${number.length}.`, canBeMeant: false };
  // The root of a CNPJ has none.
  if (ROOT.test(number) || hasValidCheckDigits(number)) return undefined;
  return {
    message: `Os dígitos verificadores de ${numberText(number)} não conferem. Corrija; se o número é mesmo esse, pressione Salvar outra vez.`,
    canBeMeant: true,
  };
}
