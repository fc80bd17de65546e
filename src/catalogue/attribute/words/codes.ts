/**
 * Codes of the attribute rules (contract sections 3 and 8), CATP-ER1100..1199. Published codes never change
 * their meaning.
 */
import { rulesOf } from '../../../errors.ts';

/** Rules that a product may violate. */
export const ATTRIBUTE_CODES = rulesOf({
  unknownNcm: 'CATP-ER1100 A NCM não está na tabela de atributos em vigor.',
  requiredMissing: 'CATP-ER1101 Falta um atributo obrigatório da NCM.',
  notOfNcm: 'CATP-ER1102 O atributo não é da NCM, da modalidade e da data do produto.',
  wrongList: 'CATP-ER1103 O atributo foi informado na lista errada (simples, multivalorado, composto).',
  notInDomain: 'CATP-ER1104 O valor não está no domínio do atributo.',
  wrongType: 'CATP-ER1105 O valor não é do tipo do atributo (número, data, booleano).',
  tooLong: 'CATP-ER1106 O valor é maior que o tamanho máximo do atributo.',
  tooManyDecimals: 'CATP-ER1107 O valor tem mais casas decimais do que o atributo aceita.',
  maskMismatch: 'CATP-ER1108 O valor não segue a máscara do atributo.',
  conditionalMissing: 'CATP-ER1109 Falta um atributo condicionado cuja condição foi satisfeita.',
  conditionNotMet: 'CATP-ER1110 O atributo condicionado foi informado sem que a condição valha.',
  subattributeMissing: 'CATP-ER1111 Falta um subatributo obrigatório do atributo composto.',
  unknownSubattribute: 'CATP-ER1112 O subatributo não é do atributo composto.',
  tooManyGroups: 'CATP-ER1113 O atributo composto multivalorado tem mais de 5 grupos.',
  attributeTwice: 'CATP-ER1114 O mesmo atributo foi informado mais de uma vez.',
  subattributeTwice: 'CATP-ER1115 O mesmo subatributo foi informado mais de uma vez no grupo.',
  valueTwice: 'CATP-ER1116 O mesmo valor foi repetido no atributo multivalorado.',
  valueMissing: 'CATP-ER1117 O atributo foi informado sem valor.',
});

/** Rules that a table file may violate. */
export const TABLE_CODES = rulesOf({
  notJson: 'CATP-ER1190 O arquivo da tabela não é um JSON válido em UTF-8.',
  layout: 'CATP-ER1191 O arquivo não tem o leiaute da tabela de atributos por NCM.',
  duplicate: 'CATP-ER1192 Um código aparece mais de uma vez na tabela.',
  cycle: 'CATP-ER1193 Um atributo condiciona ou contém a si mesmo.',
  unknownAttribute: 'CATP-ER1194 A tabela cita um atributo que ela não descreve.',
  text: 'CATP-ER1195 Um texto da tabela é grande demais ou tem caracteres não aceitos.',
  otherContent: 'CATP-ER1196 Já existe uma tabela com essa versão e outro conteúdo.',
  dayIsOver: 'CATP-ER1197 O dia em que a tabela entraria em vigor já passou.',
});
