/** A link in its forms, members in the order of contract section 4. */
import type { ManufacturerLink, StoredLink } from './model.ts';

/** The response form. */
export function responseRecord(cpfCnpjRaiz: string, link: ManufacturerLink): object {
  return { cpfCnpjRaiz, ...members(link) };
}

/**
 * The batch form of a link in force: sent in again it makes the same link, from the same day on. The public form types the day as a
 * moment, and its readers want one (contract section 4).
 */
export function exportRecord(cpfCnpjRaiz: string, seq: number, link: StoredLink): object {
  return {
    seq,
    cpfCnpjRaiz,
    ...members(link),
    vincular: true,
    dataReferencia: `${link.startsOn}T00:00:00-03:00`,
  };
}

function members(link: ManufacturerLink): ManufacturerLink {
  const { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante } = link;
  return { codigoProduto, conhecido, codigoPais, codigoOperadorEstrangeiro, cpfCnpjFabricante };
}
