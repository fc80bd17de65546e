/** Matches the internal codes of a row of products with those of the catalogue (contract section 24). */
import { differOnlyByZeros, withoutLeadingZeros, zeroVariants, zerosNotice } from './code-zeros.ts';
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

/** The codes of all records of the company. */
interface CatalogueCodes {
  /** Returns those of the codes that any record has. */
  readonly listUsed: (codes: readonly string[]) => readonly string[];
  /** Returns false if no code begins with a zero. */
  readonly mayHaveZeros: () => boolean;
}

/**
 * Returns the code of the catalogue that a code stands for: itself, or the only one that differs by leading
 * zeros. Refuses the row if several do, or if an earlier row has one.
 */
export function catalogueCodeOf(
  { reading, earlierRows = {}, productCodes = [], target }: RowCodes,
  code: string,
  catalogue: CatalogueCodes,
): string {
  if (productCodes.includes(code)) return code;
  const similarCodes = productCodes.filter((productCode) => differOnlyByZeros(productCode, code));
  if (similarCodes.length === 0 && catalogue.listUsed([code]).length > 0) return code;
  const earlierRow = earlierRows[code];
  if (earlierRow !== undefined)
    refuseRow(
      reading,
      'repeatedKey',
      `recebido “${code}”, que só por zeros à esquerda difere de um código da linha ${earlierRow}; escreva o mesmo código, ou deixe uma das duas linhas.`,
      target,
    );
  const catalogueCodes =
    similarCodes.length > 0 ? similarCodes : catalogue.listUsed(variantsOf(code, catalogue));
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
  catalogue: CatalogueCodes,
): readonly string[] | undefined {
  const resolvedCodes = codes?.map((code) => {
    const resolvedCode = catalogueCodeOf(row, code, catalogue);
    if (resolvedCode !== code) row.reading.notice(row.target, zerosNotice(code, resolvedCode));
    return resolvedCode;
  });
  return resolvedCodes && [...new Set(resolvedCodes)];
}

/** Returns true if a record may have one of the codes, with any leading zeros. */
export const mayBeUsed = (codes: readonly string[], catalogue: CatalogueCodes): boolean =>
  catalogue.listUsed(codes.flatMap((code) => [code, ...variantsOf(code, catalogue)])).length > 0;

/**
 * Returns the texts with other leading zeros that the catalogue may have. Returns at most one if no code of the
 * catalogue begins with a zero.
 */
function variantsOf(code: string, { mayHaveZeros }: CatalogueCodes): readonly string[] {
  if (mayHaveZeros()) return zeroVariants(code);
  const digits = withoutLeadingZeros(code);
  return digits === code ? [] : [digits];
}
