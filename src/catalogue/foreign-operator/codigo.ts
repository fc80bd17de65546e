/** The codes of operators: `OPE_1`, `OPE_2`, … per company; a mirrored catalogue may bring any text. */

const MADE_HERE = /^OPE_([1-9]\d{0,14})$/;
const LAST_NUMBER = /(\d{1,15})\D*$/;

export const operatorCodigo = (numero: number): string => `OPE_${numero}`;

/** The number of a code in the form that we make, which must not be given again; else `undefined`. */
export function numeroMadeHere(codigo: string): number | undefined {
  const match = MADE_HERE.exec(codigo);
  return match === null ? undefined : Number(match[1]);
}

/** The number in a code, by which lists are ordered: its last one, 0 where it has none. */
export const numeroIn = (codigo: string): number => Number(LAST_NUMBER.exec(codigo)?.[1] ?? 0);
