/** The table of contents of `/ajuda`: every page in reading order. Loaded with the first requested page. */
import acompanhar from './pages/acompanhar.md' with { type: 'text' };
import alem from './pages/alem-de-uma-maquina.md' with { type: 'text' };
import aprovar from './pages/aprovar.md' with { type: 'text' };
import antes from './pages/antes-e-depois.md' with { type: 'text' };
import avisos from './pages/avisos-por-email.md' with { type: 'text' };
import atualizar from './pages/atualizar.md' with { type: 'text' };
import atributos from './pages/atributos.md' with { type: 'text' };
import auditoria from './pages/auditoria.md' with { type: 'text' };
import clientes from './pages/clientes.md' with { type: 'text' };
import codigos from './pages/codigos.md' with { type: 'text' };
import comandos from './pages/comandos.md' with { type: 'text' };
import configuracoes from './pages/configuracoes.md' with { type: 'text' };
import conformidade from './pages/conformidade.md' with { type: 'text' };
import controle from './pages/controle-de-testes.md' with { type: 'text' };
import copias from './pages/copias.md' with { type: 'text' };
import duas from './pages/duas-maquinas.md' with { type: 'text' };
import entrarDiretorio from './pages/entrar-com-diretorio.md' with { type: 'text' };
import envios from './pages/envios.md' with { type: 'text' };
import falhas from './pages/falhas.md' with { type: 'text' };
import sorteadas from './pages/falhas-sorteadas.md' with { type: 'text' };
import garantias from './pages/garantias.md' with { type: 'text' };
import glossario from './pages/glossario.md' with { type: 'text' };
import interfaceWeb from './pages/interface-web.md' with { type: 'text' };
import leve from './pages/leve-seu-programa.md' with { type: 'text' };
import mudanca from './pages/mudanca.md' with { type: 'text' };
import notificacoes from './pages/notificacoes.md' with { type: 'text' };
import prazos from './pages/prazos.md' with { type: 'text' };
import papeis from './pages/papeis.md' with { type: 'text' };
import plataformas from './pages/plataformas.md' with { type: 'text' };
import primeiros from './pages/primeiros-passos.md' with { type: 'text' };
import importar from './pages/importar.md' with { type: 'text' };
import integracao from './pages/integracao-continua.md' with { type: 'text' };
import rede from './pages/rede.md' with { type: 'text' };
import remotos from './pages/remotos.md' with { type: 'text' };
import servidor from './pages/servidor.md' with { type: 'text' };
import suites from './pages/suites-de-teste.md' with { type: 'text' };
import vizinhos from './pages/vizinhos.md' with { type: 'text' };
import velocidade from './pages/velocidade.md' with { type: 'text' };
import windows from './pages/windows.md' with { type: 'text' };
import conteiner from './pages/conteiner.md' with { type: 'text' };
import dadosPessoais from './pages/dados-pessoais.md' with { type: 'text' };
import duvidas from './pages/duvidas.md' with { type: 'text' };
import passagem from './pages/passagem.md' with { type: 'text' };
import quinze from './pages/quinze-minutos.md' with { type: 'text' };
import requisitos from './pages/requisitos.md' with { type: 'text' };

export interface PageSource {
  /** Name in its address `/ajuda/{name}`. */
  readonly name: string;
  /** Label in the list of pages. */
  readonly label: string;
  readonly about: string;
  readonly markdown: string;
}

export interface Chapter {
  readonly title: string;
  readonly pages: readonly PageSource[];
}

export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Usar',
    pages: [
      page('quinze-minutos', 'Quinze minutos', 'da planilha ao aviso, sem ter nada', quinze),
      page('duvidas', 'Dúvidas', 'o que as pessoas perguntam primeiro', duvidas),
      page(
        'primeiros-passos',
        'Primeiros passos',
        'um passeio pela API com curl, em cinco minutos',
        primeiros,
      ),
      page(
        'interface-web',
        'A interface web',
        'ver, mudar e corrigir o catálogo, administrar a instalação',
        interfaceWeb,
      ),
      page('importar', 'Importar', 'planilhas e arquivos: conferir, gravar, corrigir, desfazer', importar),
      page('aprovar', 'Propor e aprovar', 'um propõe uma mudança, outro a aprova ou recusa', aprovar),
      page(
        'atributos',
        'Atributos por NCM',
        'carregar uma tabela, ver o impacto da troca, pô-la em vigor',
        atributos,
      ),
      page(
        'prazos',
        'O dia em que um atributo passa a ser obrigatório',
        'saber antes o que vai ser exigido, e preencher a tempo',
        prazos,
      ),
      page(
        'remotos',
        'Em dia com o serviço público',
        'comparar o catálogo daqui com o de lá, decidir que registro corresponde a qual',
        remotos,
      ),
      page('envios', 'Enviar e trazer', 'levar ao Portal o que mudou aqui, trazer o que mudou lá', envios),
      page('notificacoes', 'Notificações', 'assinar, receber, ver falhas e reenviar', notificacoes),
      page(
        'controle-de-testes',
        'Desenvolvimento e testes',
        'instância descartável, relógio de teste, reinício',
        controle,
      ),
      page(
        'conformidade',
        'Conformidade',
        'o que o serviço público teria recusado ao seu programa, e como consertá-lo',
        conformidade,
      ),
      page('falhas', 'Dez falhas', 'o que o seu cliente precisa suportar, cada uma sob encomenda', falhas),
      page(
        'falhas-sorteadas',
        'Falhas sorteadas',
        'todas de uma vez, por uma semente que se repete',
        sorteadas,
      ),
      page(
        'antes-e-depois',
        'Antes e depois',
        'um programa corrigido, que passa por todas as falhas, em Python, Node.js e Java',
        antes,
      ),
      page('vizinhos', 'Vizinhos', 'do evento à Duimp e ao produto: outros módulos, por arquivos', vizinhos),
      page(
        'leve-seu-programa',
        'Leve o seu programa até aqui',
        'endereço, confiança, certificado e chave, em Java, .NET, Delphi, PHP, Go, Node.js e Python',
        leve,
      ),
      page(
        'clientes',
        'Clientes',
        'TypeScript, Python, Go, Java, Postman e Bruno, a partir do documento',
        clientes,
      ),
      page('suites-de-teste', 'Suítes de teste', 'Node.js, pytest e JUnit, com um estado por teste', suites),
      page(
        'integracao-continua',
        'Integração contínua',
        'GitHub Actions, GitLab e contêiner, sem rede',
        integracao,
      ),
    ],
  },
  {
    title: 'Operar',
    pages: [
      page('requisitos', 'Requisitos', 'sistemas, navegadores, memória e disco', requisitos),
      page('servidor', 'Em um servidor', 'instalar, iniciar como serviço, criar contas', servidor),
      page('conteiner', 'Em contêiner', 'Docker e Podman, com a raiz só de leitura', conteiner),
      page('rede', 'Rede e certificados', 'TLS, certificados de cliente, proxy, limites', rede),
      page('acompanhar', 'Acompanhar', 'métricas, alarmes, log, diagnóstico e tarefas', acompanhar),
      page('copias', 'Cópias de segurança', 'copiar, restaurar, o disco que falha', copias),
      page('atualizar', 'Atualizar', 'conferir o pacote, instalar, voltar à versão anterior', atualizar),
      page('papeis', 'Quem pode o quê', 'leitura, preenchimento e aprovação, por operação', papeis),
      page(
        'entrar-com-diretorio',
        'Entrar com o diretório',
        'Entra ID, Keycloak, Google e gov.br, passo a passo; empresas por grupo',
        entrarDiretorio,
      ),
      page(
        'avisos-por-email',
        'Avisos por e-mail',
        'o servidor de e-mail, a mensagem diária, o que cada pessoa escolhe',
        avisos,
      ),
      page('windows', 'Windows', 'serviço, PowerShell, de quem é a pasta, o que é diferente', windows),
      page('auditoria', 'Auditoria', 'quem mudou o quê, e como se vê que nada disso foi alterado', auditoria),
      page('dados-pessoais', 'Dados pessoais', 'LGPD: quais, onde, por quanto tempo, quem vê', dadosPessoais),
      page('passagem', 'Passagem', 'entregar a administração a outra pessoa', passagem),
      page('mudanca', 'Mudança do serviço público', 'trazer o catálogo com seus códigos e versões', mudanca),
      page(
        'alem-de-uma-maquina',
        'Além de uma máquina',
        'até onde vai um executável, e o que fazer depois',
        alem,
      ),
      page('duas-maquinas', 'Duas máquinas', 'uma grava, a outra segue: tomar o lugar, e voltar', duas),
      page('garantias', 'Garantias', 'o que se promete, e como se testa', garantias),
      page('plataformas', 'Plataformas', 'em que sistemas foi testado, e como', plataformas),
      page('velocidade', 'Velocidade', 'o que se mediu, e onde a meta não foi alcançada', velocidade),
    ],
  },
  {
    title: 'Consultar',
    pages: [
      page('comandos', 'Comandos', 'cada comando com suas opções', comandos),
      page(
        'configuracoes',
        'Configurações',
        'cada configuração, seu padrão e seu significado',
        configuracoes,
      ),
      page('codigos', 'Códigos de erro', 'o corpo de um erro e o que diz cada código', codigos),
      page('glossario', 'Glossário', 'as palavras da especificação', glossario),
    ],
  },
];

export const PAGES: readonly PageSource[] = CHAPTERS.flatMap(({ pages }) => pages);

function page(name: string, label: string, about: string, markdown: string): PageSource {
  return { name, label, about, markdown };
}
