/**
 * The known events (contract section 10), each with an invented sample of its body. The catalogue publishes
 * its own events. The events of other modules are published manually, to test a receiver.
 */

export interface EventType {
  readonly evento: string;
  /** Portuguese. */
  readonly title: string;
  /** True when this product publishes it automatically. */
  readonly automatic: boolean;
  /**
   * The invented part of the sample: only its values, or also its form when the body is that of another
   * module and not public.
   */
  readonly invented: 'values' | 'form and values';
  readonly sample: object;
}

const CHANGED = {
  cpfCnpjRaiz: '12345678',
  codigo: 1,
  versao: '2',
  situacao: 'ATIVADO',
  operacao: 'NOVA_VERSAO',
};
const CHANGED_AT = { dataHora: '2026-01-15T09:00:00' };
/** A time in the format of the other modules: no colon in the offset. */
const DATA_EVENTO = '2026-01-15T09:00:00-0300';
const LPCO = {
  numeroLPCO: 'I2600000001',
  codigoModelo: 'I00001',
  cpfCnpj: ['12345678000195'],
  dataEvento: DATA_EVENTO,
};
const EXIGENCIA = 'Apresente o certificado de origem.';

export const EVENT_TYPES: readonly EventType[] = [
  catalogueEvent('catp-prod-desativado', 'Produtos desativados pelo sistema', {
    titulo: 'Produtos desativados no catálogo da empresa 12345678000195',
    mensagem:
      'Os produtos catalogados para o código NCM 39269090 foram desativados pelo gestor do sistema em função da criação de novos atributos obrigatórios. Inclua uma nova versão de cada um com os atributos que faltam para reativá-lo.',
    cpfCnpjRaiz: '12345678',
    ncm: '39269090',
    codigosProduto: ['1', '2'],
  }),
  catalogueEvent(
    'catp-prazo',
    'Atributo que vai ser exigido de produtos a que falta, ou NCM deles que termina',
    {
      cpfCnpjRaiz: '12345678',
      data: '2026-02-01',
      tipo: 'ANUNCIADO',
      atributo: 'ATT_90001',
      modalidade: 'IMPORTACAO',
      ncms: [{ ncm: '39269090', codigosProduto: ['1', '2'] }],
    },
  ),
  catalogueEvent('catp-remoto-divergente', 'Catálogo que passou a diferir do de um remoto', {
    cpfCnpjRaiz: '12345678',
    remoto: 'portal',
    contagens: { produto: { igual: 120, mudouLa: 1 }, operador: { igual: 8 }, vinculo: { soLa: 2 } },
  }),
  catalogueEvent('catp-proposta', 'Proposta feita, aprovada, recusada ou retirada', {
    cpfCnpjRaiz: '12345678',
    id: 12,
    situacao: 'RECUSADA',
    itens: 3,
    autor: '11111111111',
    decisor: '00000000191',
    motivo: 'A NCM de duas linhas não é a da nota.',
  }),
  catalogueEvent('catp-prod-alterado', 'Produto incluído, alterado ou desativado', {
    ...CHANGED,
    ...CHANGED_AT,
  }),
  catalogueEvent('catp-oper-alterado', 'Operador estrangeiro incluído, alterado ou desativado', {
    cpfCnpjRaiz: '12345678',
    codigo: 'OPE_1',
    codigoPais: 'DE',
    versao: '1',
    situacao: 'ATIVADO',
    operacao: 'INCLUSAO',
    ...CHANGED_AT,
  }),
  catalogueEvent('catp-vinc-alterado', 'Fabricante vinculado a um produto ou desvinculado dele', {
    cpfCnpjRaiz: '12345678',
    codigo: 1,
    codigoPais: 'DE',
    codigoOperadorEstrangeiro: 'OPE_1',
    cpfCnpjFabricante: null,
    operacao: 'VINCULACAO',
    ...CHANGED_AT,
  }),

  publicEvent('duex-historico', 'DU-E: novo registro no histórico', {
    tipo: 'DESEMBARACO',
    descricao: 'Declaração desembaraçada',
    data: '15/01/2026 09:00:32:613',
    due: { numero: '26BR0000000019', ruc: '6BR12345678000000000000000000000001' },
  }),
  publicEvent(
    'dimp-diag-import',
    'Duimp: diagnóstico concluído',
    duimp('0001', 'DIAGNOSTICO_SEM_ERROS', 'Solicitação de Diagnóstico'),
  ),
  publicEvent('dimp-registro-import', 'Duimp: registrada', duimp('0002', 'REGISTRADA')),
  publicEvent('dimp-retifica-import', 'Duimp: retificada', duimp('0003', 'RETIFICADA')),
  publicEvent('dimp-situacao-import', 'Duimp: mudança de situação', duimp('0004', 'DESEMBARACADA')),
  publicEvent('dimp-icms-import', 'Duimp: situação do ICMS', duimp('0005', 'DESEMBARACADA')),
  inventedEvent('cctr-carga-liberada', 'CCT: carga liberada', { ...cargo('LIBERADA'), ...CHANGED_AT }),
  inventedEvent('cctr-carga-bloqueio', 'CCT: carga bloqueada', {
    ...cargo('BLOQUEADA'),
    motivo: 'Conferência física',
    ...CHANGED_AT,
  }),
  inventedEvent('cctr-canal-vermelho', 'CCT: carga em canal vermelho', {
    ...cargo('CANAL_VERMELHO'),
    ...CHANGED_AT,
  }),
  publicEvent('cctr-resultado-recepcao', 'CCT: resultado da recepção', {
    protocolo: '202600000000191',
    situacao: 'CONCLUÍDO COM SUCESSO',
    data: DATA_EVENTO,
  }),
  publicEvent('ccti-bloq-crt', 'CCT Importação: CRT bloqueado', [roadDocument()]),
  publicEvent('ccti-desbloq-crt', 'CCT Importação: CRT desbloqueado', [roadDocument()]),
  publicEvent('ccti-vinc-docto-saida', 'CCT Importação: documento de saída vinculado', {
    tipoDocumentoSaida: 'DUIMP',
    numeroDocumentoSaida: '26BR00000000191',
    identificacaoCarga: 'BR000000001',
    dataEmissaoCarga: '2026-01-10',
    cnpjResponsavelArquivoCarga: '12345678000195',
    dataHoraVinculacao: DATA_EVENTO,
  }),
  publicEvent('talp-altsit-lpco-anu', 'LPCO: situação alterada pelo anuente', {
    numeroLPCO: LPCO.numeroLPCO,
    codigoModelo: LPCO.codigoModelo,
    novaSituacao: { id: 'DEFERIDO', descricao: 'Deferido' },
    justificativa: 'Documentação conferida.',
    cpfCnpj: LPCO.cpfCnpj,
    dataEvento: DATA_EVENTO,
  }),
  publicEvent('talp-inclusao-exig', 'LPCO: exigência incluída', { ...LPCO, exigencia: EXIGENCIA }),
  publicEvent('talp-cancela-exig', 'LPCO: exigência cancelada', { ...LPCO, exigencia: EXIGENCIA }),
  publicEvent('talp-analise-prorrog', 'LPCO: prorrogação analisada', LPCO),
  publicEvent('talp-analise-retif', 'LPCO: retificação analisada', LPCO),
  publicEvent('talp-analise-compat', 'LPCO: compatibilidade analisada', LPCO),
  publicEvent('talp-msg-lpco-anu', 'LPCO: mensagem do anuente', LPCO),
  publicEvent('talp-retif-automat', 'LPCO: retificado automaticamente', LPCO),
  publicEvent('talp-falha-pagamento', 'LPCO: pagamento que falhou', LPCO),
];

export const EVENT_NAMES: readonly string[] = EVENT_TYPES.map(({ evento }) => evento);

/**
 * Returns the sample, about the company that it is addressed to. For an unknown event, returns a body that
 * marks a test.
 */
export function sampleBody(evento: string, destinatarioId: string): string {
  const sample = EVENT_TYPES.find((one) => one.evento === evento)?.sample ?? { teste: true };
  return JSON.stringify('cpfCnpjRaiz' in sample ? { ...sample, cpfCnpjRaiz: destinatarioId } : sample);
}

function catalogueEvent(evento: string, title: string, sample: object): EventType {
  return { evento, title, automatic: true, invented: 'values', sample };
}

function inventedEvent(evento: string, title: string, sample: object): EventType {
  return { evento, title, automatic: false, invented: 'form and values', sample };
}

/** Defines an event of another module whose form is public. */
function publicEvent(evento: string, title: string, sample: object): EventType {
  return { evento, title, automatic: false, invented: 'values', sample };
}

function duimp(numero: string, situacaoDuimp: string, evento = 'Solicitação de Registro') {
  return {
    registroIniciado: false,
    code: `DIMP-IN${numero}`,
    message: 'Operação realizada com sucesso.',
    identificacao: { numero: '26BR00000000191', versao: '1' },
    niImportador: '12345678000195',
    situacaoDuimp,
    evento: [evento],
    dataEvento: DATA_EVENTO,
    diagnostico: {
      situacao: 'CONCLUIDO',
      dataGeracao: DATA_EVENTO,
      resultado: [
        {
          tipo: 'INFORMATIVO',
          item: '1',
          mensagem: { codigo: 'DIMP-MS0001', texto: 'Nada a corrigir.' },
          sistemaOrigem: 'DUIMP',
        },
      ],
    },
    canal: 'VERDE',
    linkConsulta: { method: 'GET', url: '/duimp-api/api/ext/duimp/26BR00000000191/1' },
  };
}

function cargo(situacao: string) {
  return { identificadorCarga: 'RUC-EXEMPLO-0001', recinto: '0000001', situacao };
}

function roadDocument() {
  return {
    numeroCarga: 'BR000000001',
    dataEmissao: '2026-01-10',
    motivoBloqueio: 'Conferência documental',
    tipoBloqueio: 'TOTAL',
  };
}
