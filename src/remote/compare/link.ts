/** Links as they are compared: what one says is all that it is, so that its key is what it says. */
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

/** An item of a file; `undefined` where it names no product. */
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

/** A value of zeros only means absent (contract section 4). */
const unlessZeros = (text: string | null): string | null =>
  text === null || /^0+$/.test(text) ? null : foreignText(text);

/** `DE OPE_1`, as people know it. */
export const nameOfLink = ({
  codigoPais,
  codigoOperadorEstrangeiro,
  cpfCnpjFabricante,
}: ManufacturerLink): string =>
  `${codigoPais} ${codigoOperadorEstrangeiro ?? cpfCnpjFabricante ?? 'desconhecido'}`;
