/** Matches the internal codes of a row of products with those of the catalogue (contract section 24). */
import { differByZeros, zeroVariants, zerosNotice } from './code-zeros.ts';
import { refuseRow } from './row-checks.ts';
import type { SheetReading } from './row.ts';

interface RowOfCodes {
  readonly reading: SheetReading;
  /** Earlier rows that have the same code with other zeros. */
  readonly twins?: Readonly<Record<string, number>> | undefined;
  /** Codes of the product of the row. */
  readonly own?: readonly string[] | undefined;
  readonly target: string;
}

/**
 * Returns the codes. Replaces one that differs from a catalogue code only by leading zeros.
 * `knownOf`: returns the codes that some product has.
 */
export function knownCodes(
  { reading, twins = {}, own = [], target }: RowOfCodes,
  codes: readonly string[] | undefined,
  knownOf: (codes: readonly string[]) => readonly string[],
): readonly string[] | undefined {
  const read = codes?.map((code) => {
    if (own.includes(code)) return code;
    const ofProduct = own.filter((one) => differByZeros(one, code));
    if (ofProduct.length === 0 && knownOf([code]).length > 0) return code;
    const twin = twins[code];
    if (twin !== undefined)
      refuseRow(
        reading,
        'repeatedKey',
        `recebido “${code}”, que só por zeros à esquerda difere de um código da linha ${twin}; escreva o mesmo código, ou deixe uma das duas linhas.`,
        target,
      );
    const catalogueCodes = ofProduct.length > 0 ? ofProduct : knownOf(zeroVariants(code));
    if (catalogueCodes.length > 1)
      refuseRow(
        reading,
        'severalRecords',
        `recebido “${code}”, que só por zeros à esquerda difere de ${catalogueCodes.join(' e de ')}; escreva um deles inteiro.`,
        target,
      );
    const [only = code] = catalogueCodes;
    if (only !== code) reading.notice(target, zerosNotice(code, only));
    return only;
  });
  return read && [...new Set(read)];
}
