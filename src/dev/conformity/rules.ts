/** What the public service minds and this instance let pass, by name (contract section 21). */

/** Each with what was found, in words. */
export const RULES = {
  tamanho: 'Texto maior do que o serviço público aceita',
  modalidade: 'Modalidade AMBOS, que o serviço público não tem',
  digitos: 'Dígitos verificadores do fabricante que não conferem',
  identico: 'Produto idêntico a um já ativo',
  evento: 'Assinatura de um evento que o serviço público não conhece',
  'autenticacao-60s': 'Nova autenticação menos de 60 segundos depois da anterior',
  'limite-horario': 'Mais acessos a uma operação, em uma hora, do que o serviço público permite',
  'operacao-descontinuada': 'Operação em lote que o serviço público descontinuou',
  'membro-desconhecido': 'Membro desconhecido no corpo, que aqui foi deixado de lado',
  repeticao: 'A mesma inclusão outra vez, sem consultar, depois de uma resposta que não se pôde ler',
  csrf: 'Sessão que nunca usou um X-CSRF-Token renovado',
  download: 'Download público da tabela de atributos que seria 307 ou 406',
} as const satisfies Readonly<Record<string, string>>;

export type RuleName = keyof typeof RULES;

export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];

/** Where the pages of help say why, what the public service answers, and how to mend the program. */
export const remedyOf = (rule: RuleName): string => `/ajuda/conformidade#${rule}`;
