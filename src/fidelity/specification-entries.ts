/** Ledger entries for gaps of the specification. */
import { type LedgerEntry, ours, publicService } from './entry.ts';

export const SPECIFICATION_ENTRIES: readonly LedgerEntry[] = [
  publicService(
    'Registro do produto',
    'Resources, Product',
    'Fields of the product record',
    'Membros e ordem da interface pública; limites da especificação.',
    'perfil',
  ),
  publicService(
    'Registro do operador estrangeiro',
    'Resources, Foreign operator',
    'Fields of the foreign-operator record',
    'Membros e ordem da interface pública; o código OPE_n é feito pelo servidor; dataReferencia é sempre null na saída.',
    'limite.nome',
  ),
  publicService(
    'Registro do vínculo',
    'Resources, Manufacturer-producer link',
    'Fields of the link record',
    'conhecido=true significa fabricante conhecido, como nos clientes e arquivos que funcionam.',
  ),
  publicService(
    'Resultado de lote',
    'Resources, Batch validation result',
    'Fields of the batch result records',
    'seq, codigo ("0" em erro), erros, sucesso e, onde há, versao.',
  ),
  publicService(
    'Rascunhos e reativação',
    'States and transitions',
    'Transitions of drafts (state 2) and any reactivation',
    'Rascunhos nascem e mudam por lote; PUT ativa o rascunho como versão 1; uma nova versão reativa um produto desativado.',
  ),
  publicService(
    'Detalhe do operador',
    'Endpoints, Foreign operators',
    'response body of this detail operation',
    'A mesma forma das demais respostas de operador.',
  ),
  publicService(
    'Atos concessórios',
    'Endpoints, Other',
    'operation that includes concession acts',
    'POST /ext/regime-especial, como na interface pública de 2021 a 2023.',
  ),
  publicService(
    'Conteúdo dos zips de exportação',
    'Endpoints, Other',
    'The internal structure of the zip files',
    'Um membro JSON, lista legível, na forma de lista dos registros.',
  ),
  publicService(
    'Status do detalhe de versão',
    'Endpoints, Other',
    'The status codes of the product version detail',
    'Os mesmos de todas as operações.',
  ),
  publicService(
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
  ),
  publicService(
    'Cabeçalhos das assinaturas',
    'Authentication, 7',
    'Headers required by the subscription endpoints',
    'Os mesmos dois do catálogo.',
  ),
  publicService(
    'Identificadores de eventos',
    'Events',
    'The identifiers of the subscribable events',
    'Os nomes públicos dos módulos, e três nossos para mudanças do catálogo.',
    'assinatura.recusarDesconhecido',
  ),
  publicService(
    'Corpo das notificações',
    'Events',
    'The body of the notification for each event',
    'catp-prod-desativado como o público; os de outros módulos têm exemplos de valores inventados, nas formas que receptores conhecidos leem, publicados à mão; onde também a forma é inventada, isso está dito.',
  ),
  publicService(
    'Corpo de erro',
    'Errors',
    'Shape of the error body',
    'O corpo do Portal Único, com todos os problemas em detail.',
  ),
  ours(
    'Códigos de regras de negócio',
    'Errors',
    'Catalogue of business validation error codes',
    'CATP-ER1nnn, listados na ajuda, em /ajuda/codigos.',
  ),
  publicService(
    'Status das assinaturas',
    'Errors',
    'Status codes of the subscription endpoints',
    '200, 204 ao excluir, 400, 401, 404 e 422 PLAT-ER9100.',
  ),
  publicService(
    'Limites de uso',
    'Limits',
    'Rate limits: not shown',
    'Sem limite, ou 1000 por usuário, operação e hora no perfil portal; o que está sob /appliance/api não conta.',
    'limiteHorario',
  ),
  publicService('Itens por lote', 'Limits', 'Maximum number of items of a batch request', 'Até 100.'),
];
