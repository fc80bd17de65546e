/**
 * Link between a product and its manufacturer or producer: its wire schemas and its stored form (contract
 * section 4).
 */
import type { Day } from '../../clock.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { ContentSchemas } from '../member-schema.ts';
import { LINK } from '../members/manufacturer-link.ts';
import { type ContentOf, contentBy } from '../members/member.ts';
import { ReferenceDay, SEQ_MAX, itemOptions, itemSeq, strict } from '../model.ts';
import type { MemberChange } from '../record.ts';
import { Codigo } from '../product/model.ts';
import { t } from '../../validation/type.ts';

/** Content of a link; links with equal content are the same link. */
export type ManufacturerLink = ContentOf<typeof LINK>;

/** Link in force. */
export interface StoredLink extends ManufacturerLink {
  readonly id: number;
  readonly startsOn: Day;
}

/** Returns the schemas of the link under the profile's rules. */
export function linkSchemas(rules: CatalogueRules) {
  const cpfCnpjRaiz = companySchema(rules);
  const { codigoOperadorEstrangeiro, cpfCnpjFabricante } = LINK;
  const onlyZeros = (description: string) => ({ description: `${description} Só zeros equivale a ausente.` });
  const content = new ContentSchemas(
    LINK,
    rules,
    { codigoProduto: Codigo },
    {
      codigoOperadorEstrangeiro: onlyZeros(codigoOperadorEstrangeiro.description),
      cpfCnpjFabricante: {
        pattern: rules.alphanumericCnpj
          ? '^(0+|[0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'
          : '^(0+|[0-9]{11}|[0-9]{14})$',
        'x-domain': rules.alphanumericCnpj
          ? 'CPF com 11 dígitos ou CNPJ com 14 dígitos ou letras maiúsculas'
          : 'CPF com 11 ou CNPJ com 14 dígitos',
        ...onlyZeros(cpfCnpjFabricante.description),
      },
    },
  );
  const members = content.input('always');
  // Works on a fresh instance, which has no foreign operator.
  const example = {
    codigoProduto: 1,
    conhecido: true,
    codigoPais: 'BR',
    cpfCnpjFabricante: '12345678000195',
  };
  const Request = t.Object(members, {
    ...strict,
    'x-form': 'ManufacturerLinkRequest',
    description: 'O vínculo entre um produto e um fabricante ou produtor.',
    examples: [example],
  });
  const Response = t.Object(
    { cpfCnpjRaiz, ...content.output() },
    {
      'x-form': 'ManufacturerLink',
      description: 'Um vínculo gravado.',
      examples: [{ cpfCnpjRaiz: '12345678', ...example, codigoOperadorEstrangeiro: null }],
    },
  );
  const Item = (maximum: number) =>
    t.Object(
      {
        seq: itemSeq(maximum),
        cpfCnpjRaiz,
        ...members,
        vincular: t.Optional(t.Boolean({ default: true, description: 'false: desvincula.' })),
        dataReferencia: t.Optional({ ...ReferenceDay, description: 'Início do vínculo; só ao vincular.' }),
      },
      {
        ...itemOptions,
        'x-form': 'ManufacturerLinkItem',
        description: 'Um item de um lote de vínculos.',
        examples: [{ seq: 1, cpfCnpjRaiz: '12345678', ...example }],
      },
    );
  return { cpfCnpjRaiz, Request, Response, batch: Item(SEQ_MAX.batch), file: Item(SEQ_MAX.file) };
}

export type LinkSchemas = ReturnType<typeof linkSchemas>;
export type LinkRequest = LinkSchemas['Request']['static'];
export type LinkItem = LinkSchemas['batch']['static'];

/** Returns the content of a link from a larger object. */
export const linkOf = contentBy(LINK);

/** Converts a decoded request or item to a link: absent members, and those of zeros only, become empty. */
export const toLink = ({
  codigoOperadorEstrangeiro,
  cpfCnpjFabricante,
  ...request
}: LinkRequest): ManufacturerLink =>
  linkOf({
    ...request,
    codigoOperadorEstrangeiro: presentText(codigoOperadorEstrangeiro),
    cpfCnpjFabricante: presentText(cpfCnpjFabricante),
  });

/** Returns `null` for an absent or empty text and for zeros only, with which some clients fill empty members. */
const presentText = (text: string | undefined): string | null =>
  text === undefined || /^0*$/.test(text) ? null : text;

/** Returns an added or removed link as a change of its product. */
export function linkChange(
  { codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante }: ManufacturerLink,
  isLinked: boolean,
): MemberChange {
  const text = `${codigoPais} ${codigoOperadorEstrangeiro ?? cpfCnpjFabricante ?? 'desconhecido'}`;
  return {
    member: 'vinculo',
    heading: 'Vínculo',
    ...(isLinked ? { before: null, after: text } : { before: text, after: null }),
  };
}

/** The only order of a page of links, with the types of the values at its end: the product, and the link. */
export const LINK_ORDERS = { codigoProduto: ['number', 'number'] } as const;
export type LinkOrder = keyof typeof LINK_ORDERS;
