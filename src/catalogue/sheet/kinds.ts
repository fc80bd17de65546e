/** Lists the kinds of rows of a sheet, and the columns of each kind. */
import type { CodeRule, SheetKind } from '../../sheet/column.ts';
import { NCM_WORDS } from '../members/ncm-words.ts';
import type { ImportKind } from '../import/model.ts';
import { ACT_CODES, LINK_CODES, OPERATOR_CODES, PRODUCT_CODES } from './code-words.ts';
import type { MemberColumn } from './member-column.ts';
import { ACT_COLUMNS, LINK_COLUMNS, OPERATOR_COLUMNS } from './other-columns.ts';
import { PRODUCT_COLUMNS } from './product-columns.ts';
import { ACT } from '../members/concession-act.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { LINK } from '../members/manufacturer-link.ts';
import type { MemberTable } from '../members/member.ts';
import { PRODUCT, attributeMember } from '../members/product.ts';

export const COLUMNS: Readonly<Record<ImportKind, readonly MemberColumn[]>> = {
  produto: PRODUCT_COLUMNS,
  'operador-estrangeiro': OPERATOR_COLUMNS,
  fabricante: LINK_COLUMNS,
  'ato-concessorio': ACT_COLUMNS,
};

export const MEMBERS: Readonly<Record<ImportKind, MemberTable>> = {
  produto: PRODUCT,
  'operador-estrangeiro': OPERATOR,
  fabricante: LINK,
  'ato-concessorio': ACT,
};

/** `ATT_15120`, and the ways people write it: `ATT-15120`, `ATT 15120`, `ATT15120`. */
const CODE_OF_ATTRIBUTE = /\bATT[_ -]?(\d{1,21})(?:\s*\/\s*ATT[_ -]?(\d{1,21}))?\b/i;

/** The end of a heading of a catp sheet, after any name. */
const CODE_AT_END = /\(ATT_(\d{1,21})(?:\/ATT_(\d{1,21}))?\)$/i;

/**
 * Returns the attribute of `ATT_2552`, `ATT_2552 - Material`, `Material (ATT_2552)`, `Embalagem: Material
 * (ATT_1/ATT_2)`.
 */
export function attributeInHeading(heading: string): string | undefined {
  const [, codigo, part] = CODE_AT_END.exec(heading.trim()) ?? CODE_OF_ATTRIBUTE.exec(heading) ?? [];
  return codigo && attributeMember(`ATT_${codigo}`, part && `ATT_${part}`);
}

const CODES: Readonly<Record<ImportKind, CodeRule>> = {
  produto: PRODUCT_CODES,
  'operador-estrangeiro': OPERATOR_CODES,
  fabricante: LINK_CODES,
  'ato-concessorio': ACT_CODES,
};

/** Headings that identify a catp sheet (contract section 24). */
const TYPICAL_HEADINGS: Readonly<Record<ImportKind, readonly string[]>> = {
  produto: ['Código', 'Versão', 'Denominação'],
  'operador-estrangeiro': ['Código', 'Versão', 'Nome'],
  fabricante: ['Código do produto', 'País'],
  'ato-concessorio': ['Produto', 'Número do ato', 'Item'],
};

const kindOf = (tipo: ImportKind): SheetKind => ({
  columns: COLUMNS[tipo],
  typicalHeadings: TYPICAL_HEADINGS[tipo],
  codes: CODES[tipo],
  ...(tipo === 'produto' && { targetNamedIn: attributeInHeading, explanatory: [NCM_WORDS.heading] }),
});

/** One object for each kind, because the names collected from it are cached. */
const SHEET_KINDS: Readonly<Record<ImportKind, SheetKind>> = {
  produto: kindOf('produto'),
  'operador-estrangeiro': kindOf('operador-estrangeiro'),
  fabricante: kindOf('fabricante'),
  'ato-concessorio': kindOf('ato-concessorio'),
};

export const sheetKind = (tipo: ImportKind): SheetKind => SHEET_KINDS[tipo];
