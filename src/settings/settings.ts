/** The list of settings. `/ajuda/configuracoes` and the catp.toml of `catp init` are generated from it. */
import { parseHost } from '../system/ipaddr.ts';
import {
  type Setting,
  choice,
  duration,
  durations,
  flag,
  headerName,
  hostNames,
  inPortal,
  integer,
  label,
  list,
  mailSender,
  mailServer,
  networks,
  numbersOfDays,
  optional,
  origin,
  path,
  paths,
  proxy,
  publicAddress,
  scopes,
  text,
  timeOfDay,
  webOrigins,
} from './setting-kinds.ts';

const MIB = 1024 * 1024;

export const SETTINGS = {
  ambiente: choice('Ambiente servido por esta instância.', 'validacao', [
    'homologacao',
    'validacao',
    'producao',
  ]),
  perfil: choice('Predefinições de limites e regras: as da especificação ou as do portal.', 'especificacao', [
    'especificacao',
    'portal',
  ]),

  'servidor.endereco': publicAddress(
    'Endereço por que as pessoas chegam a esta instância, para os links que saem dela e a volta do provedor (https e o nome do servidor, sem caminho); vazio = nenhum.',
  ),
  host: { ...text('Endereço em que o servidor escuta.', '127.0.0.1'), parse: parseHost },
  porta: integer('Porta HTTP (0 = qualquer livre).', '8080', 0, 65535),
  'tls.porta': optional(integer('Porta HTTPS com certificado de cliente; vazia = sem TLS.', '', 0, 65535)),
  'tls.certificado': path('Arquivo PEM do certificado do servidor.'),
  'tls.chave': path('Arquivo PEM da chave do certificado do servidor.'),
  'tls.clientes': path('Arquivo PEM com as autoridades dos certificados de cliente.'),
  'tls.revogados': paths('Arquivos PEM ou DER de certificados revogados (LCR), separados por vírgula.'),
  'proxy.confiavel': networks(
    'Proxies cujos X-Forwarded-For e X-Forwarded-Proto são aceitos: endereços ou CIDR, separados por vírgula.',
    '',
  ),
  'proxy.segredo': path(
    'Arquivo com o segredo que um proxy confiável envia em X-Proxy-Secret; sem ele, os cabeçalhos do proxy são ignorados.',
  ),
  'proxy.certificado': optional(
    headerName(
      'Cabeçalho em que um proxy confiável traz o certificado do cliente; vazio = nenhum. Pede tls.clientes.',
      '',
    ),
  ),
  'proxy.administradores': flag(
    'Se um certificado trazido por um proxy abre também a sessão de um administrador.',
    'false',
  ),

  'oidc.emissor': origin(
    'Emissor (issuer) do provedor OpenID Connect com que as pessoas entram, https://servidor/caminho; vazio = nenhum. Pede oidc.clienteId e servidor.endereco.',
    '',
  ),
  'oidc.clienteId': text('Identificador (client_id) desta instância no provedor.', ''),
  'oidc.segredo': path(
    'Arquivo com o segredo (client_secret) desta instância no provedor; vazio = cliente público, sem segredo.',
  ),
  'oidc.documento': text('Claim que traz o CPF da pessoa; sub no gov.br.', 'cpf'),
  'oidc.grupos': text('Claim que traz os grupos da pessoa, que dão acesso a empresas; vazio = nenhum.', ''),
  'oidc.criar': flag(
    'Se é cadastrada quem entra pelo provedor com um CPF de dígitos certos e ainda não está; sem empresa, não entra.',
    'false',
  ),
  'oidc.rotulo': label('Texto do botão que leva ao provedor.', 'Entrar com a conta da empresa'),
  'oidc.escopos': scopes('Escopos pedidos ao provedor, separados por espaço.', 'openid profile email'),
  'oidc.ca': paths('Arquivos PEM com raízes de confiança adicionais para o provedor.'),

  'limite.denominacao': inPortal('120', integer('Tamanho máximo de denominacao.', '3700', 1, 3700)),
  'limite.nome': inPortal('150', integer('Tamanho máximo do nome do operador estrangeiro.', '70', 1, 150)),
  'cnpj.alfanumerico': inPortal('true', flag('Aceita a raiz alfanumérica do CNPJ.', 'false')),
  'cnpj.digitos': inPortal('true', flag('Confere os dígitos verificadores de cpfCnpjFabricante.', 'false')),
  'produto.modalidadeAmbos': inPortal('false', flag('Aceita AMBOS como modalidade de um produto.', 'true')),
  'produto.recusarIdentico': inPortal('true', flag('Recusa produto idêntico a um já ativo.', 'false')),
  'autenticacao.intervalo': inPortal(
    '60s',
    duration('Tempo mínimo entre autenticações de um usuário.', '0s'),
  ),
  'senha.permitida': flag('Se as pessoas podem entrar com senha, que definem por um convite.', 'true'),
  'assinatura.recusarDesconhecido': inPortal(
    'true',
    flag('Recusa assinatura de evento desconhecido.', 'false'),
  ),
  limiteHorario: inPortal(
    '1000',
    integer('Requisições por usuário e operação em uma hora (0 = sem limite).', '0', 0, 1_000_000),
  ),
  operacoesDescontinuadas: inPortal(
    'false',
    flag('Mantém as três operações em lote descontinuadas.', 'true'),
  ),
  'replica.socket': path(
    'Soquete de controle do Litestream que leva o log desta pasta à réplica; vazio = nenhum.',
  ),
  'replica.confirmar': choice(
    'Se uma gravação só é respondida quando também está na réplica (sempre), ou já quando está neste disco (nunca).',
    'nunca',
    ['nunca', 'sempre'],
  ),
  'replica.espera': duration('Quanto uma gravação espera pela réplica.', '2s'),
  'replica.falta': choice(
    'O que acontece quando a réplica não confirma: as gravações são recusadas com 503, ou respondidas com um alarme.',
    'recusar',
    ['recusar', 'alarme'],
  ),
  'replica.par': origin(
    'Endereço da outra máquina (https://b:8443): perguntada no início e a cada segundo se já tomou o lugar desta; vazio = nenhuma.',
    '',
  ),
  'corpo.maximo': integer(
    'Tamanho máximo do corpo de uma requisição, em bytes.',
    String(10 * MIB),
    1024,
    1024 * MIB,
  ),
  'corpo.memoria': integer(
    'Memória dos corpos recebidos e ainda não respondidos, em bytes; de um usuário até um quarto, de uma empresa até a metade; acima disso a resposta é 503.',
    String(256 * MIB),
    1024,
    1024 * 1024 * MIB,
  ),
  'corpo.desconhecidos': choice(
    'Membros desconhecidos no corpo de um registro: recusar, ou anotar no log e deixar de lado; um nome com erro de digitação é sempre recusado.',
    'recusar',
    ['recusar', 'anotar'],
  ),
  'importacao.maximo': integer(
    'Tamanho máximo de um arquivo de importação, em bytes, também depois de descompactado.',
    String(200 * MIB),
    1024,
    4096 * MIB,
  ),
  'importacao.esperando': integer(
    'Bytes que os arquivos enviados por um usuário ocupam no disco enquanto chegam, esperam ou são importados; os de uma empresa, o dobro.',
    String(2048 * MIB),
    1024,
    1024 * 1024 * MIB,
  ),
  'trabalho.memoria': integer(
    'Memória de um trabalho cujo custo depende do que foi enviado (ler uma planilha, comparar, carregar uma tabela), em bytes; o que passa disso é encerrado, e o servidor segue.',
    String(512 * MIB),
    128 * MIB,
    64 * 1024 * MIB,
  ),
  'importacao.falhas': integer(
    'Itens recusados de uma importação cujos motivos são guardados; os demais são contados.',
    '10000',
    1,
    1_000_000,
  ),
  'importacao.dias': integer('Dias em que importações e seus resultados são guardados.', '90', 1, 3650),
  'planilha.guardadas': integer(
    'Bytes que as linhas das planilhas importadas de uma empresa ocupam no disco, para correções; as importações mais antigas perdem as suas primeiro.',
    String(2048 * MIB),
    1024,
    1024 * 1024 * MIB,
  ),
  'servidor.simultaneas': integer(
    'Requisições em andamento ao mesmo tempo; de um usuário até um quarto, de uma empresa até a metade; acima disso a resposta é 503 com Retry-After.',
    '2000',
    1,
    100_000,
  ),
  'servidor.conexoes': integer(
    'Conexões HTTPS abertas ao mesmo tempo; acima disso uma nova é fechada. As de HTTP são limitadas pelo sistema.',
    '10000',
    1,
    1_000_000,
  ),
  'servidor.segundosCabecalho': integer(
    'Segundos que uma conexão HTTPS pode levar até o primeiro cabeçalho inteiro; o runtime fecha antes, aos 12, também em HTTP, e aos 120 uma já usada.',
    '30',
    1,
    3600,
  ),
  'servidor.segundosCorpo': integer(
    'Segundos em que nenhum byte de um corpo pode chegar; depois a resposta é 408.',
    '30',
    1,
    3600,
  ),
  'servidor.listas': integer(
    'Listas, exportações e impactos longos em andamento ao mesmo tempo; de um usuário até um quarto, de uma empresa até a metade.',
    '64',
    1,
    10_000,
  ),
  'servidor.listasEspera': duration('Quanto uma lista espera por sua vez, antes de 503.', '10s'),
  'servidor.listasParada': duration(
    'Tempo sem que nada de uma lista seja recebido, depois do qual ela é cortada; aos 20s já, enquanto outras esperam.',
    '2m',
  ),
  'cors.origens': webOrigins(
    'Origens de navegador aceitas, separadas por vírgula: local = as páginas desta máquina (o padrão de catp dev); * = também qualquer outra, só nas operações da especificação (/catp, /portal, /cadatributos).',
    '',
  ),
  'servidor.nomes': hostNames(
    'Nomes sob os quais catp dev atende /appliance/api, além de localhost e dos endereços de loopback.',
    'portalunico.siscomex.gov.br,val.portalunico.siscomex.gov.br,hom.pucomex.serpro.gov.br',
  ),

  'atributos.exigirPerfil': inPortal(
    'true',
    flag(
      'Pede perfil=PUBLICO no download público da tabela de atributos (307 sem ele), e um Accept que admita zip (406).',
      'false',
    ),
  ),
  'atributos.arquivo': path('Tabela de atributos carregada no primeiro início.'),

  'atributos.origem': origin(
    'Endereço https de que a tabela de atributos é buscada todo dia (http só em loopback); vazio = de nenhum.',
    '',
  ),
  'atributos.horario': timeOfDay(
    'Hora em que as tabelas são buscadas de suas origens, em Brasília, ou nunca; depois de uma falha, de novo a cada hora.',
    '00:30',
  ),
  'atributos.ativar': choice(
    'O que se faz da tabela buscada: conferir = uma pessoa a põe em vigor; sozinha = o sistema.',
    'conferir',
    ['conferir', 'sozinha'],
  ),
  'atributos.idade': integer(
    'Dias sem uma busca bem-sucedida da tabela de atributos, ou da nomenclatura, depois dos quais se alerta.',
    '7',
    1,
    3650,
  ),
  'atributos.ca': paths('Arquivos PEM com raízes de confiança adicionais para as origens.'),
  'atributos.proxy': proxy(
    'Proxy das buscas nas origens, http://servidor:porta; vazio = o de HTTPS_PROXY, menos o que NO_PROXY diz.',
    '',
  ),
  'ncm.origem': origin(
    'Endereço https de que a nomenclatura é buscada todo dia, à hora e pelo caminho da tabela de atributos; vazio = de nenhum.',
    '',
  ),

  'prazos.avisos': numbersOfDays(
    'Com quantos dias de antecedência se avisa, por catp-prazo, do que vai ser exigido de produtos a que falta, ou none.',
    '30,7,1',
  ),

  'remoto.horario': timeOfDay(
    'Hora, em Brasília, em que cada dia se comparam os catálogos com os dos remotos que têm endereço, ou nunca.',
    'nunca',
  ),

  'entrega.repeticoes': inPortal(
    'none',
    durations('Esperas antes de repetir uma entrega que falhou, ou none.', '1m,10m,1h,6h,24h'),
  ),
  'entrega.mapa': list('Endereços de receptores locais: HOST:PORTA=ENDEREÇO:PORTA.', ''),
  'entrega.ca': paths('Arquivos PEM com autoridades certificadoras adicionais para entregas.'),
  'entrega.redes': {
    ...text('Redes privadas permitidas para entregas: todas, nenhuma ou uma lista de CIDR.', 'todas'),
    isList: true,
  },
  'entrega.simultaneas': integer('Entregas simultâneas ao todo.', '128', 1, 10_000),
  'entrega.porReceptor': integer('Entregas simultâneas por endereço e porta.', '8', 1, 1000),
  'entrega.standardWebhooks': flag('Envia também os três cabeçalhos Standard Webhooks.', 'false'),

  'email.servidor': mailServer(
    'Servidor que leva os e-mails: smtps://servidor:porta, ou smtp://servidor:porta, que exige STARTTLS (sem ele só nesta máquina, e sem senha); vazio = nenhum e-mail. Pede email.remetente e servidor.endereco.',
  ),
  'email.usuario': text('Usuário no servidor de e-mail; vazio = sem senha.', ''),
  'email.segredo': path('Arquivo com a senha de email.usuario, em uma linha.'),
  'email.remetente': mailSender('Remetente dos e-mails: Nome <nome@empresa.exemplo>.'),
  'email.ca': paths('Arquivos PEM com raízes de confiança adicionais para o servidor de e-mail.'),
  'email.horario': timeOfDay('Hora, em Brasília, da mensagem diária a cada pessoa, ou nunca.', '07:00'),

  'backup.horario': timeOfDay(
    'Hora da cópia de segurança de cada dia, em Brasília, ou nunca; o teste de restauração vem meia hora depois.',
    '02:30',
  ),
  'backup.pasta': path('Pasta das cópias de segurança; vazia = backups na pasta de dados.'),
  'backup.manter': integer('Quantas cópias de segurança a tarefa diária mantém.', '7', 1, 3650),

  'log.nivel': choice('Menor nível registrado no log.', 'info', ['debug', 'info', 'warning', 'error']),
  'log.arquivo': path('Arquivo do log de um servidor; vazio = erro padrão.'),
  'log.tamanho': integer(
    'Tamanho em bytes a partir do qual o arquivo do log é posto de lado.',
    String(50 * MIB),
    1024,
    4096 * MIB,
  ),
  'log.manter': integer('Quantos arquivos de log postos de lado são mantidos.', '5', 0, 1000),
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = { [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['parse']> };
