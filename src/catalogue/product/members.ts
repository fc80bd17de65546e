/** A product as members with their texts: what a change is told by, and what a sheet's columns are. */
import { PRODUCT, PRODUCT_WRITTEN, type ProductMember, attributeMember } from '../members/product.ts';
import { type MemberText, cellOf } from '../record.ts';
import type { ProductContent, Situacao } from './model.ts';
import { attributeTexts } from './values.ts';

/** What people call an attribute, or a part of a compound; its code where no table tells. */
export type AttributeHeading = (codigo: string, part?: string) => string;

/** Those that are one text each. */
const TEXTS: readonly ProductMember[] = ['situacao', ...PRODUCT_WRITTEN];

export function productMembers(
  content: ProductContent,
  situacao: Situacao,
  headingOf: AttributeHeading,
): ReadonlyMap<string, MemberText> {
  const values: Partial<Record<ProductMember, unknown>> = { ...content, situacao };
  const members = new Map<string, MemberText>();
  for (const name of TEXTS)
    members.set(name, { heading: PRODUCT[name].heading, text: textOf(values[name] as Shown) });
  for (const { codigo, part, text } of attributeTexts(content))
    members.set(attributeMember(codigo, part), { heading: headingOf(codigo, part), text });
  return members;
}

type Shown = string | null | readonly string[];

const textOf = (value: Shown): string | null =>
  typeof value === 'object' && value !== null ? cellOf(value) : value;
