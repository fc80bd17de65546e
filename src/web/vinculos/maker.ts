/** The link of a product with who makes it (contract section 4), and the rules about which fields say who that is. */
import type { ManufacturerLink } from '../api/answers.ts';
import { numberText } from '../words.ts';

export type LinkRequest = Omit<ManufacturerLink, 'cpfCnpjRaiz'>;

export const LINKS = '/catp/api/ext/fabricante';
export const LINK_PAGES = '/appliance/api/manufacturer-links';

/** A manufacturer as the form has it. */
export interface Maker {
  readonly conhecido: 'true' | 'false';
  readonly codigoPais: string;
  readonly codigoOperadorEstrangeiro: string;
  readonly cpfCnpjFabricante: string;
}

export const NO_MAKER: Maker = {
  conhecido: 'true',
  codigoPais: '',
  codigoOperadorEstrangeiro: '',
  cpfCnpjFabricante: '',
};

const BRAZIL = 'BR';

/** Which field names the manufacturer: of a known one in Brazil its number, elsewhere the operator, of an unknown one none. */
export function namedBy({
  conhecido,
  codigoPais,
}: Maker): 'cpfCnpjFabricante' | 'codigoOperadorEstrangeiro' | undefined {
  if (conhecido === 'false' || codigoPais === '') return undefined;
  return codigoPais === BRAZIL ? 'cpfCnpjFabricante' : 'codigoOperadorEstrangeiro';
}

/** What the field that is not seen contains is not sent. */
export function requestOf(codigoProduto: string, maker: Maker): LinkRequest {
  const name = namedBy(maker);
  const number = maker.cpfCnpjFabricante.replaceAll(/[.\-/\s]/g, '').toUpperCase();
  return {
    codigoProduto: Number(codigoProduto),
    conhecido: maker.conhecido === 'true',
    codigoPais: maker.codigoPais,
    codigoOperadorEstrangeiro:
      name === 'codigoOperadorEstrangeiro' ? orNull(maker.codigoOperadorEstrangeiro) : null,
    cpfCnpjFabricante: name === 'cpfCnpjFabricante' ? orNull(number) : null,
  };
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Who that is, in few words. */
export function makerText(
  link: Pick<LinkRequest, 'conhecido' | 'codigoOperadorEstrangeiro' | 'cpfCnpjFabricante'> & {
    readonly nome?: string | null;
  },
): string {
  if (!link.conhecido) return 'Desconhecido';
  if (link.cpfCnpjFabricante !== null) return numberText(link.cpfCnpjFabricante);
  return [link.codigoOperadorEstrangeiro, link.nome].filter(Boolean).join(' · ');
}

/** No two links in force have the same. */
export const keyOf = (link: LinkRequest): string =>
  [
    link.codigoProduto,
    link.conhecido,
    link.codigoPais,
    link.codigoOperadorEstrangeiro,
    link.cpfCnpjFabricante,
  ].join(' ');
