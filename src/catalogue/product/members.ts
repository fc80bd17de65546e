/** Converts a product to members with one text each, for reports of changes and for the columns of sheets. */
import { PRODUCT, PRODUCT_WRITTEN, type ProductMember, attributeMember } from '../members/product.ts';
import { cellOf } from '../members/cell-text.ts';
import type { MemberText } from '../record.ts';
import type { ProductContent, Situacao } from './model.ts';
import { attributeTexts } from './values.ts';

/** Returns the name of an attribute, or of a part of a compound; its code if no table names it. */
export type AttributeHeading = (codigo: string, part?: string) => string;

/** Members with one text each. */
const TEXTS: readonly ProductMember[] = ['situacao', ...PRODUCT_WRITTEN];

export function productMembers(
  content: ProductContent,
  situacao: Situacao,
  headingOf: AttributeHeading,
): ReadonlyMap<string, MemberText> {
  const values: Partial<Record<ProductMember, unknown>> = { ...content, situacao };
  const members = new Map<string, MemberText>();
  for (const name of TEXTS)
    members.set(name, { heading: PRODUCT[name].heading, text: textOf(values[name] as MemberValue) });
  for (const { codigo, part, text } of attributeTexts(content))
    members.set(attributeMember(codigo, part), { heading: headingOf(codigo, part), text });
  return members;
}

type MemberValue = string | null | readonly string[];

const textOf = (value: MemberValue): string | null =>
  typeof value === 'object' && value !== null ? cellOf(value) : value;
