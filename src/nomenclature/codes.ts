/**
 * Rules that a nomenclature file may violate (contract section 20); published codes never change their
 * meaning.
 */
import { rulesOf } from '../errors.ts';

export const NOMENCLATURE_CODES = rulesOf({
  notJson: 'CATP-ER1180 O arquivo da nomenclatura não é um JSON válido em UTF-8.',
  layout: 'CATP-ER1181 O arquivo não tem o leiaute da nomenclatura pública.',
  text: 'CATP-ER1182 Um texto da nomenclatura é grande demais ou tem caracteres não aceitos.',
});
