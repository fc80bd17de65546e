/** Ledger entries for the decisions of contract section 27: sign-in, rights, proposals, messages. */
import { type LedgerEntry, decided } from './entry.ts';

export const PEOPLE_ENTRIES: readonly LedgerEntry[] = [
  decided(
    'Começo da entrada pelo provedor',
    'entrar-com-diretorio',
    'A sign-in that began comes back within 10 minutes',
    'A entrada pelo provedor volta em 10 minutos, uma vez. O segredo vai no corpo se o provedor o aceita ali, senão em um cabeçalho. O documento de descoberta é lido de novo depois de 10 minutos.',
    'Nem todo provedor decodifica um segredo que vai no cabeçalho.',
  ),
  decided(
    'Quem entra pelo provedor',
    'entrar-com-diretorio',
    'a number has lost its zeros',
    'Só um texto é um CPF. Quem é cadastrado por oidc.criar tem o nome do claim name e nenhum e-mail.',
    'Um endereço que a própria pessoa escreve no diretório não serve para recuperar uma senha.',
  ),
  decided(
    'O que um convite encerra',
    'servidor',
    'Using an invitation ends every session of that person opened by password or provider',
    'Quem usa um convite sai de todas as sessões que abriu por senha ou pelo provedor; a auditoria diz convite em key.',
    'Quem perdeu a senha para outra pessoa a tira de dentro com o convite.',
  ),
  decided(
    'E-mails de uma vez só',
    'avisos-por-email',
    'Notices at once of one kind within a minute come in one message to a person',
    'Os avisos imediatos de um tipo que vêm no mesmo minuto chegam em um e-mail, de até 100 itens; o que é de uma empresa que a pessoa já não representa fica de fora.',
    'Uma importação de milhares de linhas não enche a caixa de ninguém.',
  ),
  decided(
    'Propostas recusadas',
    'aprovar',
    '`recusadas`, each with its `id`, for the author of a rejected one',
    'O que pede atenção tem, para o autor, cada proposta sua que foi recusada, até que ele a dispense ou apague os resultados.',
    'Quem preenche vê no painel o que voltou, ao lado do que ainda tem a fazer.',
  ),
  decided(
    'Proxy até o provedor',
    'entrar-com-diretorio',
    'the way to the provider is the proxy of `HTTPS_PROXY`, but for what `NO_PROXY` names',
    'As requisições ao provedor passam pelo proxy de HTTPS_PROXY, menos o que NO_PROXY diz, como as buscas da tabela de atributos.',
    'Um servidor que só sai por um proxy também alcança o diretório; as entregas de eventos, que escolhem o endereço, não passam por ele.',
  ),
  decided(
    'Mensagens a quem tem empresas por grupo',
    'entrar-com-diretorio',
    'messages and events go to their people too, until 30 days after it',
    'Quem tem empresas por um grupo do provedor recebe os e-mails e os eventos delas, até 30 dias depois da última entrada.',
    'O provedor não diz quando alguém sai: quem não entra mais deixa de receber.',
  ),
  decided(
    'Endereço de um convite',
    'servidor',
    'the secret is its fragment, which no proxy logs',
    'O segredo de um convite é o fragmento do endereço (/convite#…).',
    'O navegador não envia o fragmento: nenhum proxy, log ou cabeçalho Referer o guarda.',
  ),
  decided(
    'Identidade desligada',
    'entrar-com-diretorio',
    'unbinding one ends the sessions that the provider opened for its user',
    'Desligar uma identidade encerra as sessões que o provedor abriu para o usuário, e o código que ainda não virou sessão deixa de valer; as de chave, certificado e senha seguem.',
    'Quem perdeu o direito de entrar pelo diretório não continua dentro até a noite.',
  ),
  decided(
    'Empresas por grupo',
    'entrar-com-diretorio',
    'A removed group takes its companies at the next request',
    'Um grupo que é retirado leva suas empresas na próxima requisição; uma importação ou um envio que a sessão começou segue com o que os grupos deram.',
    'O que um administrador retira termina como uma representação; um trabalho aceito não para no meio.',
  ),
  decided(
    'Motivo de uma recusa',
    'aprovar',
    '`…/reject` `{reason 1..500}`, of blanks only 400',
    'Um motivo só de espaços é recusado com 400. O recado de quem propõe é opcional, e vazio é o mesmo que nenhum.',
    'O autor de uma proposta recusada sempre lê por quê.',
  ),
  decided(
    'Fim de um direito',
    'papeis',
    'A right that ends counts in the same commit',
    'Uma decisão ou uma mudança de administrador que espera atrás do fim do próprio direito, na mesma gravação, é recusada com 403 e não deixa nada.',
    'Depois da resposta que retira um direito, nada mais é gravado por ele.',
  ),
];
