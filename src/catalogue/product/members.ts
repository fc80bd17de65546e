/** A product as members with their texts: what a change is told by, and what a sheet's columns are. */
import type { AttributeLists } from '../attribute/words/model.ts';
import { type MemberText, cellOf } from '../record.ts';
import type { ProductContent, Situacao } from './model.ts';

/** What people call an attribute, or a part of a compound; its code where no table tells. */
export type AttributeHeading = (codigo: string, part?: string) => string;

const PRODUCT_HEADINGS = {
  denominacao: 'Denominação',
  descricao: 'Descrição',
  modalidade: 'Modalidade',
  ncm: 'NCM',
  situacao: 'Situação',
  codigosInterno: 'Códigos internos',
} as const;

export function productMembers(
  content: ProductContent,
  situacao: Situacao,
  headingOf: AttributeHeading,
): ReadonlyMap<string, MemberText> {
  const texts = { ...content, situacao, codigosInterno: cellOf(content.codigosInterno) };
  const members = new Map<string, MemberText>();
  for (const [member, heading] of Object.entries(PRODUCT_HEADINGS))
    members.set(member, { heading, text: texts[member as keyof typeof PRODUCT_HEADINGS] });
  for (const { codigo, part, text } of attributeTexts(content))
    members.set(attributeMember(codigo, part), { heading: headingOf(codigo, part), text });
  return members;
}

const attributeMember = (codigo: string, part?: string): string =>
  `atributo:${codigo}${part === undefined ? '' : `/${part}`}`;

interface AttributeText {
  readonly codigo: string;
  readonly part?: string;
  readonly text: string | null;
}

function* attributeTexts(lists: AttributeLists): Generator<AttributeText> {
  for (const { atributo: codigo, valor: text } of lists.atributos) yield { codigo, text };
  for (const { atributo: codigo, valores } of lists.atributosMultivalorados)
    yield { codigo, text: cellOf(valores) };
  for (const { atributo: codigo, valores } of lists.atributosCompostos)
    for (const { atributo: part, valor: text } of valores) yield { codigo, part, text };
  for (const { atributo: codigo, valores } of lists.atributosCompostosMultivalorados)
    for (const part of new Set(valores.flatMap((group) => group.map(({ atributo }) => atributo))))
      yield {
        codigo,
        part,
        text: cellOf(valores.map((group) => group.find(({ atributo }) => atributo === part)?.valor ?? '')),
      };
}
