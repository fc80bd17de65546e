/** A product as members with their texts: what a change is told by, and what a sheet's columns are. */
import type { AttributeLists } from '../attribute/words/model.ts';
import { PRODUCT, PRODUCT_WRITTEN, type ProductMember, attributeMember } from '../members/product.ts';
import { type MemberText, cellOf } from '../record.ts';
import type { ProductContent, Situacao } from './model.ts';

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

interface AttributeText {
  readonly codigo: string;
  readonly part?: string;
  readonly text: string | null;
}

/** A value as it is told. */
export type ValueText = (valor: string, codigo: string, part?: string) => string;

/** What each attribute, or part of one, holds as one cell. */
export function* attributeTexts(
  lists: AttributeLists,
  textOf: ValueText = (valor) => valor,
): Generator<AttributeText> {
  for (const { atributo: codigo, valor } of lists.atributos) yield { codigo, text: textOf(valor, codigo) };
  for (const { atributo: codigo, valores } of lists.atributosMultivalorados)
    yield { codigo, text: cellOf(valores.map((valor) => textOf(valor, codigo))) };
  for (const { atributo: codigo, valores } of lists.atributosCompostos)
    for (const { atributo: part, valor } of valores)
      yield { codigo, part, text: textOf(valor, codigo, part) };
  for (const { atributo: codigo, valores } of lists.atributosCompostosMultivalorados)
    for (const part of new Set(valores.flatMap((group) => group.map(({ atributo }) => atributo))))
      yield {
        codigo,
        part,
        text: cellOf(
          valores.map((group) => {
            const valor = group.find(({ atributo }) => atributo === part)?.valor;
            return valor === undefined ? '' : textOf(valor, codigo, part);
          }),
        ),
      };
}
