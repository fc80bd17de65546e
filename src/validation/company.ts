/**
 * Defines the company identifier, and the rules of a profile that apply to every record (contract section 1).
 */
import { text } from './forms.ts';

export interface CatalogueRules {
  readonly denominacaoMax: number;
  readonly nomeMax: number;
  /** Roots and numbers of CNPJ may have letters. */
  readonly alphanumericCnpj: boolean;
  readonly checkDigits: boolean;
  readonly modalidadeAmbos: boolean;
  readonly refuseIdentical: boolean;
}

const DIGITS_ONLY = '^([0-9]{8}|[0-9]{11})$';
const WITH_LETTERS = '^([0-9A-Z]{8}|[0-9]{11})$';

/** `cpfCnpjRaiz`: root of a CNPJ (8) or a CPF (11). */
export function companySchema(rules: Pick<CatalogueRules, 'alphanumericCnpj'>) {
  return text('Raiz do CNPJ (8) ou CPF (11) da empresa.', '12345678', {
    pattern: rules.alphanumericCnpj ? WITH_LETTERS : DIGITS_ONLY,
    'x-code': true,
    'x-hint': rootHint,
    'x-domain': rules.alphanumericCnpj
      ? 'raiz de CNPJ com 8 dígitos ou letras maiúsculas, ou CPF com 11 dígitos'
      : 'raiz de CNPJ com 8 dígitos ou CPF com 11 dígitos (raízes com letras, com --set perfil=portal)',
  });
}

/** Returns a hint for a full CNPJ, with or without punctuation. */
function rootHint(text: string): string | undefined {
  const plain = text.replaceAll(/[./-]/g, '').toUpperCase();
  return FULL_CNPJ.test(plain) ? ` Use os primeiros 8: ${plain.slice(0, 8)}.` : undefined;
}

const FULL_CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;
const DIGITS_FORM = new RegExp(DIGITS_ONLY);
const LETTERS_FORM = new RegExp(WITH_LETTERS);

export const isCompany = (text: string, rules: Pick<CatalogueRules, 'alphanumericCnpj'>): boolean =>
  (rules.alphanumericCnpj ? LETTERS_FORM : DIGITS_FORM).test(text);
