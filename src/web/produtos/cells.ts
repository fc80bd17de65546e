/**
 * Text of a product's members and attributes in a cell, as a sheet has it: sent back unchanged, it changes
 * nothing (contract section 24).
 */
import { cellOf, codesCell } from '../../catalogue/members/cell-text.ts';
import { PRODUCT } from '../../catalogue/members/product.ts';
import type { PagedProduct } from '../api/answers.ts';
import type { Fill } from '../kit/each/cells.ts';
import { ncmText } from '../words.ts';
import { MODALIDADES } from './product.ts';
import { type AttributeName, type AttributeNames, plainText } from './produto/reading.ts';

/** Value that a user can fill in for each product, with its current text. */
export interface ProductFill extends Fill {
  readonly currentText: (product: PagedProduct) => string;
}

/** Members without a list to choose from. */
const TEXTS: Readonly<Record<string, (product: PagedProduct) => string>> = {
  denominacao: ({ denominacao }) => denominacao,
  descricao: ({ descricao }) => descricao ?? '',
  ncm: ({ ncm }) => ncmText(ncm ?? ''),
  codigosInterno: ({ codigosInterno }) => codesCell(codigosInterno) ?? '',
};

const MODALIDADE: ProductFill = {
  target: 'modalidade',
  heading: PRODUCT.modalidade.heading,
  accepted: Object.values(MODALIDADES),
  currentText: ({ modalidade }) => MODALIDADES[modalidade ?? ''] ?? '',
};

/** Returns the members, then the attributes with a name. */
export function productFills(names: AttributeNames): readonly ProductFill[] {
  const subattributes = new Set([...names.values()].flatMap(({ parts }) => parts));
  return [
    ...Object.entries(TEXTS).map(([target, currentText]) => ({
      target,
      heading: PRODUCT[target as keyof typeof PRODUCT].heading,
      accepted: null,
      currentText,
    })),
    MODALIDADE,
    ...[...names]
      .filter(([codigo]) => !subattributes.has(codigo))
      .flatMap(([codigo, attribute]) =>
        attribute.parts.length === 0
          ? [attributeFill(codigo, attribute)]
          : attribute.parts.map((part) => partFill([codigo, attribute], [part, names.get(part)])),
      ),
  ];
}

function attributeFill(codigo: string, attribute: AttributeName): ProductFill {
  const textOf = (valor: string): string => plainText(attribute, valor);
  return {
    target: `atributo:${codigo}`,
    heading: attribute.name,
    accepted: acceptedOf(attribute),
    currentText: ({ atributos, atributosMultivalorados }) => {
      const several = atributosMultivalorados.find(({ atributo }) => atributo === codigo);
      if (several !== undefined) return cellOf(several.valores.map(textOf)) ?? '';
      const single = atributos.find(({ atributo }) => atributo === codigo);
      return single === undefined ? '' : textOf(single.valor);
    },
  };
}

function partFill(
  [codigo, { name }]: readonly [string, AttributeName],
  [part, attribute]: readonly [string, AttributeName | undefined],
): ProductFill {
  const valueIn = (group: readonly { readonly atributo: string; readonly valor: string }[]): string => {
    const valor = group.find(({ atributo }) => atributo === part)?.valor;
    return valor === undefined ? '' : plainText(attribute, valor);
  };
  return {
    target: `atributo:${codigo}/${part}`,
    heading: `${name}: ${attribute?.name ?? part}`,
    accepted: acceptedOf(attribute),
    currentText: ({ atributosCompostos, atributosCompostosMultivalorados }) => {
      const several = atributosCompostosMultivalorados.find(({ atributo }) => atributo === codigo);
      if (several !== undefined) return cellOf(several.valores.map(valueIn)) ?? '';
      const single = atributosCompostos.find(({ atributo }) => atributo === codigo);
      return single === undefined ? '' : valueIn(single.valores);
    },
  };
}

function acceptedOf(attribute: AttributeName | undefined): readonly string[] | null {
  if (attribute?.forma === 'BOOLEANO') return ['Sim', 'Não'];
  const codes = [...(attribute?.domain.keys() ?? [])];
  return codes.length === 0 ? null : codes.map((codigo) => plainText(attribute, codigo));
}
