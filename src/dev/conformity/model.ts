/**
 * The rules of the public service that this instance does not enforce, and the report in the API document
 * (contract section 21).
 */
import { choice, form, nullable, text, integerForm } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { t } from '../../validation/type.ts';

/** The rules, each with its finding in words. */
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

/**
 * The fix per rule, as in the first lines of the help page, for reports that are read without a running
 * instance.
 */
export const FIXES: Readonly<Record<RuleName, string>> = {
  tamanho:
    'Corte a denominação em 120 caracteres antes de enviar, e ponha o texto completo em descricao, que aceita 3700 nos dois.',
  modalidade: 'Inclua dois produtos, um com IMPORTACAO e outro com EXPORTACAO, e guarde os dois códigos.',
  digitos: 'Confira os dígitos no seu cadastro, antes de enviar; um número inválido está errado na origem.',
  identico: 'Antes de incluir, consulte pelo seu codigoInterno.',
  evento: 'Use os nomes de Notificações e de GET /appliance/api/event-types.',
  'autenticacao-60s':
    'Guarde os tokens e use-os enquanto valem (60 minutos), em todos os processos do mesmo usuário; autentique de novo só depois de um 401.',
  'limite-horario':
    'Conte os acessos por operação. Leia o catálogo pela exportação, uma requisição por empresa, em vez de produto a produto. Se for bloqueado, espere até a hora que a mensagem diz e continue com as outras operações.',
  'operacao-descontinuada':
    'Envie registro por registro: POST e PUT de produtos e de operadores, POST de vínculos.',
  'membro-desconhecido':
    'O diário diz o nome e o lugar de cada um (notices). Retire-o do corpo, ou corrija o nome.',
  repeticao:
    'Dê a cada produto um codigosInterno único antes de enviar. Sem resposta, consulte por ele; repita só se não está lá.',
  csrf: 'Depois de cada resposta, também das de erro, guarde X-CSRF-Token e envie-o na seguinte.',
  download:
    'Peça …/download/json?perfil=PUBLICO, sem Accept, ou com application/zip ou */*; nunca com Accept: application/json.',
};

/** Returns the help page that explains the rule, the public service's answer and the fix. */
export const remedyOf = (rule: RuleName): string => `/ajuda/conformidade#${rule}`;

export const REQUESTS_MAX = 10;

const ConformityFinding = form('ConformityFinding', 'Uma regra que o serviço público teria aplicado.', {
  rule: choice(RULE_NAMES, 'A regra.', 'tamanho'),
  title: text('O que foi encontrado.', RULES.tamanho),
  remedy: text(
    'A página da ajuda que diz por quê, o que o serviço público responde e como consertar o programa.',
    '/ajuda/conformidade#tamanho',
  ),
  count: integerForm('Quantas vezes; de um lote, item por item.', 3, { minimum: 1 }),
  users: t.Array(text('Documento.', '00000000191'), {
    description: 'De quem; vazia onde ninguém entrou (download público).',
  }),
  firstAt: momentOf('Quando, pela primeira vez.'),
  lastAt: momentOf('Quando, pela última vez.'),
  until: nullable(
    momentOf('De limite-horario: quando o bloqueio mais longo teria terminado; null nas demais.'),
  ),
  requests: t.Array(integerForm('Número da requisição no diário.', 7, { minimum: 1 }), {
    description: `As requisições, no máximo as últimas ${REQUESTS_MAX}; o diário guarda as últimas 1000.`,
  }),
});
export type ConformityFinding = typeof ConformityFinding.static;

export const ConformityReport = form(
  'ConformityReport',
  'O que o serviço público teria recusado, ou estranhado.',
  { findings: t.Array(ConformityFinding, { description: 'Vazia onde nada foi encontrado.' }) },
);
export type ConformityReport = typeof ConformityReport.static;
