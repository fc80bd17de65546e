/**
 * Schemas of the event bodies whose form is public (contract section 10): receivers generate classes from
 * them.
 */
import type { TSchema } from '@sinclair/typebox';
import { choice, form, nullable } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

const text = (description: string) => t.String({ description });
const texts = (description: string) => t.Array(t.String(), { description });
const textOrNull = (description: string) => nullable(t.String(), { description });

const cpfCnpjRaiz = text('Raiz do CNPJ da empresa, ou o CPF.');
const ncm = text('NCM, com 8 dígitos.');
const dataHora = text('Quando mudou, em horário de Brasília: yyyy-MM-ddTHH:mm:ss.');
const moment = (description: string) => text(`${description} Com o deslocamento sem dois-pontos: -0300.`);

const PRODUCT_OPERATIONS = [
  'INCLUSAO',
  'INCLUSAO_RETROATIVA',
  'NOVA_VERSAO',
  'RETIFICACAO',
  'ATIVACAO',
  'DESATIVACAO',
  'DESATIVACAO_SISTEMA',
] as const;
const operacao = choice(PRODUCT_OPERATIONS, 'O que foi feito.');
const versao = text('A versão, depois da mudança.');
const situacao = text('A situação, depois da mudança.');
const productCode = t.Integer({ description: 'Código do produto.', minimum: 1, maximum: 9_999_999_999 });
const codigosProduto = texts('Códigos dos produtos, em decimal e sem zeros à esquerda.');

const Deactivated = form('ProdutosDesativados', 'Produtos que o sistema desativou.', {
  titulo: text('De que empresa são.'),
  mensagem: text('O que aconteceu, e o que fazer.'),
  cpfCnpjRaiz,
  ncm: nullable(t.String(), { description: 'NCM, com 8 dígitos.' }),
  codigosProduto: nullable(t.Array(t.String()), {
    description: 'Códigos dos produtos, em decimal e sem zeros à esquerda.',
  }),
});

const Deadline = form('PrazoProximo', 'O que vai ser exigido de produtos a que falta.', {
  cpfCnpjRaiz,
  data: text('A partir de que dia: yyyy-MM-dd.'),
  tipo: choice(['ANUNCIADO', 'CERTO'], 'ANUNCIADO: a tabela pública ainda pode não confirmar.'),
  atributo: textOrNull('Código do atributo; null: a NCM deles termina.'),
  modalidade: textOrNull('Modalidade em que é exigido; null: qualquer uma.'),
  ncms: t.Array(form('PrazoDaNcm', 'Produtos de uma NCM.', { ncm, codigosProduto }), {
    description: 'Os produtos a que falta, por NCM.',
  }),
});

const counts = t.Record(t.String(), t.Integer({ description: 'Quantos.', minimum: 0 }), {
  description: 'Quantos registros há em cada situação.',
});
const Diverged = form('RemotoDivergente', 'Um catálogo que passou a diferir do de um remoto.', {
  cpfCnpjRaiz,
  remoto: text('Nome do remoto.'),
  contagens: t.Record(t.String(), counts, { description: 'Por espécie de registro.' }),
});

const ChangedProduct = form('ProdutoAlterado', 'Um produto que foi incluído, alterado ou desativado.', {
  cpfCnpjRaiz,
  codigo: productCode,
  versao,
  situacao,
  operacao,
  dataHora,
});

const ChangedOperator = form('OperadorAlterado', 'Um operador que foi incluído, alterado ou desativado.', {
  cpfCnpjRaiz,
  codigo: text('Código do operador estrangeiro.'),
  codigoPais: text('País do operador, duas letras.'),
  versao,
  situacao,
  operacao,
  dataHora,
});

const ChangedLink = form('VinculoAlterado', 'Um fabricante vinculado a um produto, ou desvinculado dele.', {
  cpfCnpjRaiz,
  codigo: productCode,
  codigoPais: text('País do fabricante, duas letras.'),
  codigoOperadorEstrangeiro: textOrNull('Código do operador; null: um fabricante no Brasil ou desconhecido.'),
  cpfCnpjFabricante: textOrNull('CPF ou CNPJ do fabricante no Brasil; null: um de fora.'),
  operacao: choice(['VINCULACAO', 'DESVINCULACAO'], 'O que foi feito.'),
  dataHora,
});

const ProposalState = form(
  'PropostaDecidida',
  'Uma proposta que foi feita, aprovada, recusada ou retirada.',
  {
    cpfCnpjRaiz,
    id: t.Integer({ description: 'Número da proposta: o da importação que a simulou.' }),
    situacao: choice(['AGUARDANDO', 'APROVADA', 'RECUSADA', 'RETIRADA'], 'Em que pé está.'),
    itens: t.Integer({ description: 'Quantas linhas ela tem.' }),
    autor: text('O CPF ou CNPJ de quem a fez.'),
    decisor: textOrNull('O CPF ou CNPJ de quem a decidiu; null: espera, ou o sistema a retirou.'),
    motivo: textOrNull('Por que foi recusada, ou retirada pelo sistema; null: não há motivo.'),
  },
);

const DueHistory = form('HistoricoDue', 'Um novo registro no histórico de uma DU-E.', {
  tipo: text('Tipo do registro.'),
  descricao: text('O que aconteceu.'),
  data: text('Quando: dd/MM/yyyy HH:mm:ss:SSS.'),
  due: form('IdentificacaoDue', 'A DU-E.', { numero: text('Número da DU-E.'), ruc: text('RUC da DU-E.') }),
});

const Diagnosis = form('DiagnosticoDuimp', 'O diagnóstico de uma Duimp.', {
  situacao: text('Em que pé está.'),
  dataGeracao: moment('Quando foi gerado.'),
  resultado: t.Array(
    form('ResultadoDiagnosticoDuimp', 'Uma linha do diagnóstico.', {
      tipo: text('Gravidade.'),
      item: text('Número do item da Duimp.'),
      mensagem: form('MensagemDiagnosticoDuimp', 'O que se diz dele.', {
        codigo: text('Código da mensagem.'),
        texto: text('A mensagem.'),
      }),
      sistemaOrigem: text('Que sistema o diz.'),
    }),
    { description: 'O que foi encontrado.' },
  ),
});

const Duimp = form('EventoDuimp', 'Uma Duimp registrada, retificada, diagnosticada ou em outra situação.', {
  registroIniciado: t.Boolean({ description: 'Se o registro já começou.' }),
  code: text('Código do resultado, DIMP-INnnnn.'),
  message: text('O resultado, em palavras.'),
  identificacao: form('IdentificacaoDuimp', 'A Duimp.', {
    numero: text('Número da Duimp.'),
    versao: text('Versão da Duimp.'),
  }),
  niImportador: text('CPF ou CNPJ do importador.'),
  situacaoDuimp: text('A situação da Duimp.'),
  evento: texts('Eventos da Duimp.'),
  dataEvento: moment('Quando aconteceu.'),
  diagnostico: Diagnosis,
  canal: choice(['VERDE', 'AMARELO', 'VERMELHO', 'CINZA'], 'Canal de conferência.'),
  linkConsulta: form('LinkConsultaDuimp', 'Como se consulta a Duimp.', {
    method: text('Método HTTP.'),
    url: text('Caminho, no Portal Único.'),
  }),
});

const Reception = form('ResultadoRecepcao', 'O resultado da recepção de um arquivo.', {
  protocolo: text('Protocolo da recepção.'),
  situacao: choice(['CONCLUÍDO COM SUCESSO', 'CONCLUÍDO COM FALHA'], 'Como terminou.'),
  data: moment('Quando terminou.'),
});

const Crts = t.Array(
  form('BloqueioCrt', 'Um conhecimento de transporte rodoviário que foi bloqueado ou desbloqueado.', {
    numeroCarga: text('Número da carga.'),
    dataEmissao: text('Dia da emissão: yyyy-MM-dd.'),
    motivoBloqueio: text('Por que está bloqueado.'),
    tipoBloqueio: text('Tipo do bloqueio.'),
  }),
);

const ExitDocument = form('DocumentoSaida', 'Um documento de saída que foi vinculado a uma carga.', {
  tipoDocumentoSaida: text('Tipo do documento.'),
  numeroDocumentoSaida: text('Número do documento.'),
  identificacaoCarga: text('Identificação da carga.'),
  dataEmissaoCarga: text('Dia da emissão da carga: yyyy-MM-dd.'),
  cnpjResponsavelArquivoCarga: text('CNPJ de quem enviou o arquivo da carga.'),
  dataHoraVinculacao: moment('Quando foi vinculado.'),
});

const licence = {
  numeroLPCO: text('Número da LPCO.'),
  codigoModelo: text('Código do modelo da LPCO.'),
};
const ofLicence = {
  cpfCnpj: texts('CPF ou CNPJ dos interessados.'),
  dataEvento: moment('Quando aconteceu.'),
};

const LicenceState = form('SituacaoLpco', 'Uma LPCO cuja situação o anuente alterou.', {
  ...licence,
  novaSituacao: form('NovaSituacaoLpco', 'A situação nova.', {
    id: text('Código da situação.'),
    descricao: text('A situação, em palavras.'),
  }),
  justificativa: text('Por quê.'),
  ...ofLicence,
});
const Licence = form('EventoLpco', 'Uma LPCO em que algo aconteceu.', { ...licence, ...ofLicence });
const Demand = form('ExigenciaLpco', 'Uma exigência que foi incluída em uma LPCO, ou cancelada.', {
  ...licence,
  ...ofLicence,
  exigencia: text('O que se exige.'),
});

const FORMS: readonly (readonly [names: RegExp, form: TSchema])[] = [
  [/^dimp-/, Duimp],
  [/^duex-historico$/, DueHistory],
  [/^cctr-resultado-recepcao$/, Reception],
  [/^ccti-(?:des)?bloq-crt$/, Crts],
  [/^ccti-vinc-docto-saida$/, ExitDocument],
  [/^talp-altsit-lpco-anu$/, LicenceState],
  [/^talp-.*-exig$/, Demand],
  [/^talp-/, Licence],
  [/^catp-prod-desativado$/, Deactivated],
  [/^catp-prazo$/, Deadline],
  [/^catp-remoto-divergente$/, Diverged],
  [/^catp-proposta$/, ProposalState],
  [/^catp-prod-alterado$/, ChangedProduct],
  [/^catp-oper-alterado$/, ChangedOperator],
  [/^catp-vinc-alterado$/, ChangedLink],
];

/** Returns the form of an event's body; `undefined`: the form is not public. */
export const bodyFormOf = (evento: string): TSchema | undefined =>
  FORMS.find(([names]) => names.test(evento))?.[1];
