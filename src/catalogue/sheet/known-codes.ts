/** Matches the internal codes of a row of products with those of the catalogue (contract section 24). */
import { differOnlyByZeros, zeroVariants, zerosNotice } from './code-zeros.ts';
import { refuseRow } from './row-checks.ts';
import type { SheetReading } from './row.ts';

interface RowCodes {
  readonly reading: SheetReading;
  /** Earlier rows that have the same code with other zeros. */
  readonly earlierRows?: Readonly<Record<string, number>> | undefined;
  /** Codes of the product of the row. */
  readonly productCodes?: readonly string[] | undefined;
  readonly target: string;
}

/**
 * Returns the code of the catalogue that a code stands for: itself, or the only one that differs by leading
 * zeros. Refuses the row if several do, or if an earlier row has one.
 * `codesInCatalogue`: returns the codes that any record has.
 */
export function catalogueCodeOf(
  { reading, earlierRows = {}, productCodes = [], target }: RowCodes,
  code: string,
  codesInCatalogue: (codes: readonly string[]) => readonly string[],
): string {
  if (productCodes.includes(code)) return code;
  const similarCodes = productCodes.filter((one) => differOnlyByZeros(one, code));
  if (similarCodes.length === 0 && codesInCatalogue([code]).length > 0) return code;
  const earlierRow = earlierRows[code];
  if (earlierRow !== undefined)
    refuseRow(
      reading,
      'repeatedKey',
      `recebido “${code}”, que só por zeros à esquerda difere de um código da linha ${earlierRow}; escreva o mesmo código, ou deixe uma das duas linhas.`,
      target,
    );
  const catalogueCodes = similarCodes.length > 0 ? similarCodes : codesInCatalogue(zeroVariants(code));
  if (catalogueCodes.length > 1)
    refuseRow(
      reading,
      'severalRecords',
      `recebido “${code}”, que só por zeros à esquerda difere de ${catalogueCodes.join(' e de ')}; escreva um deles inteiro.`,
      target,
    );
  return catalogueCodes[0] ?? code;
}

/** Returns the distinct codes of the catalogue, with a notice for each that has other zeros. */
export function withCatalogueCodes(
  row: RowCodes,
  codes: readonly string[] | undefined,
  codesInCatalogue: (codes: readonly string[]) => readonly string[],
): readonly string[] | undefined {
  const resolvedCodes = codes?.map((code) => {
    const resolvedCode = catalogueCodeOf(row, code, codesInCatalogue);
    if (resolvedCode !== code) row.reading.notice(row.target, zerosNotice(code, resolvedCode));
    return resolvedCode;
  });
  return resolvedCodes && [...new Set(resolvedCodes)];
}
