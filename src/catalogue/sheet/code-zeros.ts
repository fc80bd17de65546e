/** Compares codes and texts that differ only by leading zeros, which spreadsheets remove (contract section 24). */

/** Maximum length of an internal code. */
const CODE_MAX = 60;

/** Removes the leading zeros. `0` stays. */
export const withoutLeadingZeros = (code: string): string => code.replace(/^0+(?=.)/, '');

export const differOnlyByZeros = (a: string, b: string): boolean =>
  a !== b && withoutLeadingZeros(a) === withoutLeadingZeros(b);

/** Returns true if the digits are those of the stored text without its leading zeros. */
export const lostZeros = (digits: string, stored: string): boolean =>
  /^\d+$/.test(digits) && stored.length > digits.length && withoutLeadingZeros(stored) === digits;

/** Returns each text that differs from the code only by leading zeros, up to the maximum length of a code. */
export function zeroVariants(code: string): readonly string[] {
  const digits = withoutLeadingZeros(code);
  const maxZeros = Math.max(0, CODE_MAX - digits.length);
  return Array.from({ length: maxZeros + 1 }, (_, zeros) => '0'.repeat(zeros) + digits).filter(
    (variant) => variant !== code,
  );
}

export const zerosNotice = (received: string, catalogueCode: string): string =>
  `recebido “${received}”, lido como ${catalogueCode}: o código que já existe tem outros zeros à esquerda.`;

export const lostZerosNotice = (received: string, stored: string): string =>
  `recebido “${received}”, mantido ${stored}: uma planilha tira os zeros à esquerda.`;
