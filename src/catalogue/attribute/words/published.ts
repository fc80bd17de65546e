/** Address from which the public service publishes the attribute table (contract section 19). */
export const PUBLISHED_TABLE =
  'https://portalunico.siscomex.gov.br/cadatributos/api/atributo-ncm/download/json?perfil=PUBLICO';
