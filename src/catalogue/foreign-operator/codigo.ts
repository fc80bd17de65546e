/** Codes of operators: `OPE_1`, `OPE_2`, … per company; a mirrored catalogue may have any text. */

const MADE_HERE = /^OPE_([1-9]\d{0,14})$/;
const LAST_NUMBER = /(\d{1,15})\D*$/;

export const operatorCodigo = (numero: number): string => `OPE_${numero}`;

/**
 * Returns the number of a code in the form that we generate, which must not be assigned again; else
 * `undefined`.
 */
export function numeroMadeHere(codigo: string): number | undefined {
  const match = MADE_HERE.exec(codigo);
  return match === null ? undefined : Number(match[1]);
}

/** Returns the number in a code, which orders lists: its last one, 0 if it has none. */
export const numeroIn = (codigo: string): number => Number(LAST_NUMBER.exec(codigo)?.[1] ?? 0);
