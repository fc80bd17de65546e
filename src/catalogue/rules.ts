import type { Settings } from '../settings/config.ts';
import type { CatalogueRules } from '../validation/company.ts';

/** Rules that the settings select. */
export const catalogueRules = (settings: Settings): CatalogueRules => ({
  denominacaoMax: settings['limite.denominacao'],
  nomeMax: settings['limite.nome'],
  alphanumericCnpj: settings['cnpj.alfanumerico'],
  checkDigits: settings['cnpj.digitos'],
  modalidadeAmbos: settings['produto.modalidadeAmbos'],
  refuseIdentical: settings['produto.recusarIdentico'],
});
