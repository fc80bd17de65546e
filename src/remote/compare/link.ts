/** Compares links. A link has no content besides its key. */
import { linkOf, type ManufacturerLink } from '../../catalogue/manufacturer-link/model.ts';
import { integerOf } from '../../validation/json-number.ts';
import { foreignText } from '../../validation/text.ts';
import { type Received, codeIn } from './received.ts';

export type LinkKey = readonly [
  codigoProduto: number,
  conhecido: boolean,
  codigoPais: string,
  codigoOperadorEstrangeiro: string | null,
  cpfCnpjFabricante: string | null,
];

export const keyOfLink = (link: ManufacturerLink): string => {
  const { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
  return JSON.stringify([
    codigoProduto,
    conhecido,
    codigoPais,
    codigoOperadorEstrangeiro,
    cpfCnpjFabricante,
  ] satisfies LinkKey);
};

export function linkOfKey(key: string): ManufacturerLink {
  const [codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante] = JSON.parse(
    key,
  ) as LinkKey;
  return linkOf({ codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante });
}

/** Returns the link of a file item. `undefined`: the item names no product. */
export function linkIn(item: Received): ManufacturerLink | undefined {
  const codigoProduto = integerOf(item['codigoProduto']);
  if (codigoProduto === undefined) return undefined;
  return linkOf({
    codigoProduto,
    conhecido: item['conhecido'] === true || codeIn(item['conhecido'])?.toLowerCase() === 'true',
    codigoPais: foreignText(codeIn(item['codigoPais']) ?? ''),
    codigoOperadorEstrangeiro: unlessZeros(codeIn(item['codigoOperadorEstrangeiro'])),
    cpfCnpjFabricante: unlessZeros(codeIn(item['cpfCnpjFabricante'])),
  });
}

/** Returns `null` for a value of zeros only, which means absent (contract section 4). */
const unlessZeros = (text: string | null): string | null =>
  text === null || /^0+$/.test(text) ? null : foreignText(text);

/** Returns the name that people know, for example `DE OPE_1`. */
export const nameOfLink = ({
  codigoPais,
  codigoOperadorEstrangeiro,
  cpfCnpjFabricante,
}: ManufacturerLink): string =>
  `${codigoPais} ${codigoOperadorEstrangeiro ?? cpfCnpjFabricante ?? 'desconhecido'}`;
