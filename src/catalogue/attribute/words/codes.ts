/** Codes of the attribute rules (contract sections 3 and 8), CATP-ER1100..1199; published codes never change their meaning. */

export interface RuleCode {
  readonly code: string;
  readonly meaning: string;
}

/** What a product may violate. */
export const ATTRIBUTE_CODES = {
  unknownNcm: { code: 'CATP-ER1100', meaning: 'A NCM não está na tabela de atributos em vigor.' },
  requiredMissing: { code: 'CATP-ER1101', meaning: 'Falta um atributo obrigatório da NCM.' },
  notOfNcm: { code: 'CATP-ER1102', meaning: 'O atributo não é da NCM, da modalidade e da data do produto.' },
  wrongList: {
    code: 'CATP-ER1103',
    meaning: 'O atributo foi informado na lista errada (simples, multivalorado, composto).',
  },
  notInDomain: { code: 'CATP-ER1104', meaning: 'O valor não está no domínio do atributo.' },
  wrongType: { code: 'CATP-ER1105', meaning: 'O valor não é do tipo do atributo (número, data, booleano).' },
  tooLong: { code: 'CATP-ER1106', meaning: 'O valor é maior que o tamanho máximo do atributo.' },
  tooManyDecimals: {
    code: 'CATP-ER1107',
    meaning: 'O valor tem mais casas decimais do que o atributo aceita.',
  },
  maskMismatch: { code: 'CATP-ER1108', meaning: 'O valor não segue a máscara do atributo.' },
  conditionalMissing: {
    code: 'CATP-ER1109',
    meaning: 'Falta um atributo condicionado cuja condição foi satisfeita.',
  },
  conditionNotMet: {
    code: 'CATP-ER1110',
    meaning: 'O atributo condicionado foi informado sem que a condição valha.',
  },
  subattributeMissing: {
    code: 'CATP-ER1111',
    meaning: 'Falta um subatributo obrigatório do atributo composto.',
  },
  unknownSubattribute: { code: 'CATP-ER1112', meaning: 'O subatributo não é do atributo composto.' },
  tooManyGroups: { code: 'CATP-ER1113', meaning: 'O atributo composto multivalorado tem mais de 5 grupos.' },
  attributeTwice: { code: 'CATP-ER1114', meaning: 'O mesmo atributo foi informado mais de uma vez.' },
  subattributeTwice: {
    code: 'CATP-ER1115',
    meaning: 'O mesmo subatributo foi informado mais de uma vez no grupo.',
  },
  valueTwice: { code: 'CATP-ER1116', meaning: 'O mesmo valor foi repetido no atributo multivalorado.' },
  valueMissing: { code: 'CATP-ER1117', meaning: 'O atributo foi informado sem valor.' },
} as const satisfies Readonly<Record<string, RuleCode>>;

/** What a table file may violate. */
export const TABLE_CODES = {
  notJson: { code: 'CATP-ER1190', meaning: 'O arquivo da tabela não é um JSON válido em UTF-8.' },
  layout: { code: 'CATP-ER1191', meaning: 'O arquivo não tem o leiaute da tabela de atributos por NCM.' },
  duplicate: { code: 'CATP-ER1192', meaning: 'Um código aparece mais de uma vez na tabela.' },
  cycle: { code: 'CATP-ER1193', meaning: 'Um atributo condiciona ou contém a si mesmo.' },
  unknownAttribute: { code: 'CATP-ER1194', meaning: 'A tabela cita um atributo que ela não descreve.' },
  text: { code: 'CATP-ER1195', meaning: 'Um texto da tabela é grande demais ou tem caracteres não aceitos.' },
  otherContent: {
    code: 'CATP-ER1196',
    meaning: 'Já existe uma tabela com essa versão e outro conteúdo.',
  },
  dayIsOver: { code: 'CATP-ER1197', meaning: 'O dia em que a tabela entraria em vigor já passou.' },
} as const satisfies Readonly<Record<string, RuleCode>>;
