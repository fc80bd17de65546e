/**
 * The fidelity ledger (contract section 12): everything that the specification does not show, and everything that we
 * decided ourselves: what this product does, why, how sure it is, and which setting changes it.
 */

export const CERTAINTIES = ['specification', 'public interface', 'ours'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export interface LedgerEntry {
  readonly topic: string;
  /** Section of the specification, or of the contract where the specification has no word of it. */
  readonly section: string;
  /** Words of the specification or the contract that the entry answers; a test looks them up. */
  readonly quotes: string;
  readonly behaviour: string;
  readonly reason: string;
  readonly certainty: Certainty;
  readonly setting: string | null;
}

const PUBLIC = 'Comportamento publicado do Portal Único Siscomex, versão de novembro de 2025.';

/** Stands before what the contract has fixed and this version does not do yet. */
const DECIDED_ONLY = 'Decidido, e ainda não atendido por esta versão:';

export const LEDGER: readonly LedgerEntry[] = [
  shown(
    'Registro do produto',
    'Resources, Product',
    'Fields of the product record',
    'Membros e ordem da interface pública; limites da especificação.',
    'perfil',
  ),
  shown(
    'Registro do operador estrangeiro',
    'Resources, Foreign operator',
    'Fields of the foreign-operator record',
    'Membros e ordem da interface pública; o código OPE_n é feito pelo servidor; dataReferencia é sempre null na saída.',
    'limite.nome',
  ),
  shown(
    'Registro do vínculo',
    'Resources, Manufacturer-producer link',
    'Fields of the link record',
    'conhecido=true significa fabricante conhecido, como nos clientes e arquivos que funcionam.',
    null,
  ),
  shown(
    'Resultado de lote',
    'Resources, Batch validation result',
    'Fields of the batch result records',
    'seq, codigo ("0" em erro), erros, sucesso e, onde há, versao.',
    null,
  ),
  shown(
    'Rascunhos e reativação',
    'States and transitions',
    'Transitions of drafts (state 2) and any reactivation',
    'Rascunhos nascem e mudam por lote; PUT ativa o rascunho como versão 1; uma nova versão reativa um produto desativado.',
    null,
  ),
  shown(
    'Detalhe do operador',
    'Endpoints, Foreign operators',
    'response body of this detail operation',
    'A mesma forma das demais respostas de operador.',
    null,
  ),
  shown(
    'Atos concessórios',
    'Endpoints, Other',
    'operation that includes concession acts',
    'POST /ext/regime-especial, como na interface pública de 2021 a 2023.',
    null,
  ),
  shown(
    'Conteúdo dos zips de exportação',
    'Endpoints, Other',
    'The internal structure of the zip files',
    'Um membro JSON, lista legível, na forma de lista dos registros.',
    null,
  ),
  shown(
    'Status do detalhe de versão',
    'Endpoints, Other',
    'The status codes of the product version detail',
    'Os mesmos de todas as operações.',
    null,
  ),
  shown(
    'Autenticação',
    'Authentication, 5',
    'Path and payload of the authentication operation',
    'POST /portal/api/autenticar e /autenticar/chave-acesso; cabeçalhos Set-Token, X-CSRF-Token e X-CSRF-Expiration.',
    'autenticacao.intervalo',
  ),
  ours(
    'Validade dos tokens',
    'Authentication, 6',
    'Lifetime of the tokens',
    'JWT e token CSRF valem 60 minutos; o CSRF é renovado em cada resposta.',
    null,
  ),
  shown(
    'Cabeçalhos das assinaturas',
    'Authentication, 7',
    'Headers required by the subscription endpoints',
    'Os mesmos dois do catálogo.',
    null,
  ),
  shown(
    'Identificadores de eventos',
    'Events',
    'The identifiers of the subscribable events',
    'Os nomes públicos dos módulos, e três nossos para mudanças do catálogo.',
    'assinatura.recusarDesconhecido',
  ),
  shown(
    'Corpo das notificações',
    'Events',
    'The body of the notification for each event',
    'catp-prod-desativado como o público; os de outros módulos são exemplos inventados, com os membros que receptores conhecidos leem, publicados à mão.',
    null,
  ),
  shown(
    'Corpo de erro',
    'Errors',
    'Shape of the error body',
    'O corpo do Portal Único, com todos os problemas em detail.',
    null,
  ),
  ours(
    'Códigos de regras de negócio',
    'Errors',
    'Catalogue of business validation error codes',
    'CATP-ER1nnn, listados no README.',
    null,
  ),
  shown(
    'Status das assinaturas',
    'Errors',
    'Status codes of the subscription endpoints',
    '200, 204 ao excluir, 400, 401, 404 e 422 PLAT-ER9100.',
    null,
  ),
  shown(
    'Limites de uso',
    'Limits',
    'Rate limits: not shown',
    'Sem limite, ou 1000 por usuário, operação e hora no perfil portal.',
    'limiteHorario',
  ),
  shown('Itens por lote', 'Limits', 'Maximum number of items of a batch request', 'Até 100.', null),

  decided(
    'Barras repetidas',
    '1',
    'Repeated slashes in a path count as one',
    'Barras repetidas em um caminho contam como uma.',
    'Clientes públicos enviam //catp/api/….',
    null,
  ),
  decided(
    'Caminhos próprios',
    '1',
    'Everything that we add lives under',
    'Tudo o que acrescentamos está sob /appliance/api.',
    'Nunca colide com um caminho do serviço público.',
    null,
  ),
  decided(
    'Validade do JWT',
    '2',
    'Lifetime 60 min',
    'O JWT vale 60 minutos.',
    'Igual ao token CSRF; curto o bastante para revogar, longo o bastante para um lote.',
    null,
  ),
  decided(
    'Bloqueio de chaves',
    '2',
    'a success resets the count',
    'Dez falhas em um minuto bloqueiam a chave ou o endereço por um minuto, em tempo real também com relógio de teste.',
    'Torna inútil adivinhar segredos, e mover um relógio não desfaz o bloqueio nem o prolonga.',
    null,
  ),
  decided(
    'Código do CSRF inválido',
    '3',
    'PUCX-ER0202 [ours]',
    'X-CSRF-Token ausente ou inválido responde 401 PUCX-ER0202.',
    'Distingue qual dos dois tokens falhou.',
    null,
  ),
  decided(
    'Códigos de regras em detail',
    '3',
    'CATP-ER1nnn [ours]',
    'Cada regra violada tem um código CATP-ER1nnn em detail.',
    'Um cliente reage a códigos, não a textos.',
    null,
  ),
  decided(
    'Inteiros como texto',
    '4',
    'also take their digits as text',
    'Membros inteiros do corpo aceitam também seus dígitos como texto ("12").',
    'Clientes públicos devolvem o codigo do resultado de um lote como o receberam.',
    null,
  ),
  decided(
    'Valores de atributos',
    '4',
    'accepted and stored as its text',
    'Número ou booleano JSON é aceito e guardado como o texto enviado.',
    'Planilhas e linguagens tipadas os produzem assim.',
    null,
  ),
  decided(
    'Consulta de atos concessórios',
    '4',
    'GET `/appliance/api/concession-acts',
    'GET /appliance/api/concession-acts lista os atos incluídos.',
    'A interface pública inclui, mas não mostra.',
    null,
  ),
  decided(
    'Operações descontinuadas',
    '4',
    'makes them 404',
    'As três operações em lote continuam, com cabeçalhos Deprecation e Sunset.',
    'Programas antigos ainda as chamam.',
    'operacoesDescontinuadas',
  ),
  decided(
    'Nomes das exportações',
    '7',
    '`OPERADORES_ESTRANGEIROS_…` [ours]',
    'OPERADORES_ESTRANGEIROS_… e VINCULOS_FABRICANTES_…, pelo padrão de CATALOGO_PRODUTOS_….',
    'O serviço público só publica o primeiro.',
    null,
  ),
  decided(
    'Máscaras de atributos',
    '8',
    'all else itself [ours]',
    'Em uma máscara 9 é dígito, A letra, X qualquer caractere; o resto é ele mesmo.',
    'É o uso corrente em formulários brasileiros.',
    null,
  ),
  decided(
    'Arquivo de tabela recusado',
    '8',
    'is 422 with every problem in `detail` [ours]',
    'Um arquivo de tabela ilegível, ou fora do formato, é 422 com cada problema em detail, e nada muda.',
    'Quem carrega um arquivo de 16 MB quer saber de todos os defeitos de uma vez.',
    null,
  ),
  decided(
    'Segredos em PUT de assinatura',
    '9',
    'removes it **[ours]**',
    'Segredo ausente é mantido; "" ou null o remove.',
    'Quem edita o endereço não precisa repetir o segredo.',
    null,
  ),
  decided(
    'Redes privadas',
    '10',
    'narrows or closes them **[ours]**',
    'Entregas a redes privadas são permitidas, e podem ser limitadas.',
    'Receptores locais vivem ali.',
    'entrega.redes',
  ),
  decided(
    'Eventos próprios do catálogo',
    '10',
    'without one nothing is kept',
    'catp-prod-alterado, catp-oper-alterado e catp-vinc-alterado são guardados só quando existe assinatura do evento no momento da mudança.',
    'Sem quem os leia, só encheriam o disco.',
    null,
  ),
  decided(
    'Tudo o que o produto acrescenta',
    'segunda parte',
    'what the appliance adds [ours]',
    'As seções 14 a 17 do contrato são inteiramente nossas; uma entrada para cada uma diz o que está decidido.',
    'O serviço público não tem nada do que está nelas.',
    null,
  ),
  decided(
    'Histórico e páginas',
    '14',
    'every version, oldest first',
    `${DECIDED_ONLY} todas as versões de um registro com sua vigência e autor, e listas em páginas.`,
    'As listas da especificação não têm páginas nem mostram versões anteriores.',
    null,
  ),
  decided(
    'Controle de testes',
    '15',
    '(`dev` only; `serve` answers 404)',
    `Há o relógio de teste e a volta aos dados iniciais, só em dev. ${DECIDED_ONLY} diário de requisições, falhas simuladas, cópias do estado, catálogos gerados e receptores locais sem --map.`,
    'Um integrador precisa provocar o que o serviço público só mostra por acaso.',
    null,
  ),
  decided(
    'Em um servidor',
    '16',
    'reloaded at once on SIGHUP',
    `Há HTTPS com certificado e chave em arquivos PEM. ${DECIDED_ONLY} a troca do certificado sem parar, a autenticação por certificado, o proxy, catp init, cópias de segurança, catp doctor, auditoria e serviço do sistema.`,
    'Uma empresa o mantém como seu catálogo de registro, por anos.',
    'tls.porta',
  ),
  decided(
    'Interface web',
    '17',
    'are labelled `Client-Id`, `Client-Secret`',
    `Há a página inicial e a referência da API em /docs. ${DECIDED_ONLY} uma página para cada recurso do catálogo, nos endereços e com as palavras fixados no contrato.`,
    'Pessoas e testes encontram as mesmas palavras nos mesmos lugares.',
    null,
  ),
];

/** Not shown by the specification, and known from the public service. */
function shown(
  topic: string,
  section: string,
  quotes: string,
  behaviour: string,
  setting: string | null,
): LedgerEntry {
  return {
    topic,
    section: `especificação, ${section}`,
    quotes,
    behaviour,
    reason: PUBLIC,
    certainty: 'public interface',
    setting,
  };
}

/** Not shown by the specification, nor by the public service. */
function ours(
  topic: string,
  section: string,
  quotes: string,
  behaviour: string,
  setting: string | null,
): LedgerEntry {
  const reason = 'O serviço público não o documenta; a escolha está no contrato.';
  return {
    topic,
    section: `especificação, ${section}`,
    quotes,
    behaviour,
    reason,
    certainty: 'ours',
    setting,
  };
}

/** Decided by the contract, beside the specification. */
function decided(
  topic: string,
  section: string,
  quotes: string,
  behaviour: string,
  reason: string,
  setting: string | null,
): LedgerEntry {
  return { topic, section: `contrato, ${section}`, quotes, behaviour, reason, certainty: 'ours', setting };
}
