/**
 * The link of a product with its manufacturer (contract section 4), and the rules about the fields that
 * identify it.
 */
import type { ManufacturerLink } from '../api/answers.ts';
import { numberText } from '../words.ts';

export type LinkRequest = Omit<ManufacturerLink, 'cpfCnpjRaiz'>;

export const LINKS = '/catp/api/ext/fabricante';
export const LINK_PAGES = '/appliance/api/manufacturer-links';

/** The manufacturer in the form. */
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

/**
 * Returns the field that names the manufacturer: the number for a known one in Brazil, the operator for a
 * foreign one, none for an unknown one.
 */
export function identifyingField({
  conhecido,
  codigoPais,
}: Maker): 'cpfCnpjFabricante' | 'codigoOperadorEstrangeiro' | undefined {
  if (conhecido === 'false' || codigoPais === '') return undefined;
  return codigoPais === BRAZIL ? 'cpfCnpjFabricante' : 'codigoOperadorEstrangeiro';
}

/** Builds the request. Hidden fields are not sent. */
export function requestOf(codigoProduto: string, maker: Maker): LinkRequest {
  const name = identifyingField(maker);
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

/** Describes the manufacturer briefly. */
export function makerText(
  link: Pick<LinkRequest, 'conhecido' | 'codigoOperadorEstrangeiro' | 'cpfCnpjFabricante'> & {
    readonly nome?: string | null;
  },
): string {
  if (!link.conhecido) return 'Desconhecido';
  if (link.cpfCnpjFabricante !== null) return numberText(link.cpfCnpjFabricante);
  return [link.codigoOperadorEstrangeiro, link.nome].filter(Boolean).join(' · ');
}

/** Returns the key of a link, which is unique among the links in force. */
export const keyOf = (link: LinkRequest): string =>
  [
    link.codigoProduto,
    link.conhecido,
    link.codigoPais,
    link.codigoOperadorEstrangeiro,
    link.cpfCnpjFabricante,
  ].join(' ');
