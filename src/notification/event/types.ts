/**
 * The events that are known (contract section 10), each with an invented sample of its body. The catalogue publishes its
 * own; those of other modules are published by hand, to try a receiver against.
 */

export interface EventType {
  readonly evento: string;
  /** Portuguese. */
  readonly title: string;
  /** Whether this product publishes it by itself. */
  readonly automatic: boolean;
  /** What of the sample we made up: its values only, or, for other modules, whose bodies are not public, its form too. */
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
const WHEN = { dataHora: '2026-01-15T09:00:00' };

export const EVENT_TYPES: readonly EventType[] = [
  ofCatalogue('catp-prod-desativado', 'Produtos desativados pelo sistema', {
    titulo: 'Produtos desativados pelo sistema',
    mensagem: '2 produto(s) do NCM 39269090 foram desativados porque os atributos do NCM mudaram.',
    cpfCnpjRaiz: '12345678',
    ncm: '39269090',
    codigosProduto: ['1', '2'],
  }),
  ofCatalogue('catp-prod-alterado', 'Produto incluído, alterado ou desativado', { ...CHANGED, ...WHEN }),
  ofCatalogue('catp-oper-alterado', 'Operador estrangeiro incluído, alterado ou desativado', {
    cpfCnpjRaiz: '12345678',
    codigo: 'OPE_1',
    codigoPais: 'DE',
    versao: '1',
    situacao: 'ATIVADO',
    operacao: 'INCLUSAO',
    ...WHEN,
  }),
  ofCatalogue('catp-vinc-alterado', 'Fabricante vinculado a um produto ou desvinculado dele', {
    cpfCnpjRaiz: '12345678',
    codigo: 1,
    codigoPais: 'DE',
    codigoOperadorEstrangeiro: 'OPE_1',
    cpfCnpjFabricante: null,
    operacao: 'VINCULACAO',
    ...WHEN,
  }),

  ofOtherModule('duex-historico', 'DU-E: novo registro no histórico', {
    due: { numero: '26BR0000000019' },
    tipo: 'DESEMBARACO',
    descricao: 'Declaração desembaraçada',
    data: '2026-01-15T09:00:00',
  }),
  ofOtherModule('dimp-diag-import', 'Duimp: diagnóstico concluído', duimp('0001', 'DIAGNOSTICO_SEM_ERROS')),
  ofOtherModule('dimp-registro-import', 'Duimp: registrada', duimp('0001', 'REGISTRADA')),
  ofOtherModule('dimp-retifica-import', 'Duimp: retificada', duimp('0002', 'RETIFICADA')),
  ofOtherModule('dimp-situacao-import', 'Duimp: mudança de situação', duimp('0001', 'DESEMBARACADA')),
  ofOtherModule('cctr-carga-liberada', 'CCT: carga liberada', { ...cargo('LIBERADA'), ...WHEN }),
  ofOtherModule('cctr-carga-bloqueio', 'CCT: carga bloqueada', {
    ...cargo('BLOQUEADA'),
    motivo: 'Conferência física',
    ...WHEN,
  }),
  ofOtherModule('cctr-canal-vermelho', 'CCT: carga em canal vermelho', {
    ...cargo('CANAL_VERMELHO'),
    ...WHEN,
  }),
  ofOtherModule('cctr-resultado-recepcao', 'CCT: resultado da recepção', {
    ...cargo('RECEPCIONADA'),
    resultado: 'SEM_DIVERGENCIAS',
    ...WHEN,
  }),
  ofOtherModule('ccti-bloq-crt', 'CCT Importação: CRT bloqueado', { ...roadDocument('BLOQUEADO'), ...WHEN }),
  ofOtherModule('ccti-desbloq-crt', 'CCT Importação: CRT desbloqueado', {
    ...roadDocument('DESBLOQUEADO'),
    ...WHEN,
  }),
  ofOtherModule('ccti-vinc-docto-saida', 'CCT Importação: documento de saída vinculado', {
    ...roadDocument('VINCULADO'),
    documentoSaida: '26BR00000000191',
    ...WHEN,
  }),
  ofOtherModule('talp-altsit-lpco-anu', 'LPCO: situação alterada pelo anuente', {
    numeroLPCO: 'I2600000001',
    codigoModelo: 'I00001',
    novaSituacao: { id: 1, descricao: 'Deferido' },
    cpfCnpj: ['12345678000195'],
  }),
  ofOtherModule('talp-inclusao-exig', 'LPCO: exigência incluída', { ...licence(), exigencia: 1, ...WHEN }),
  ofOtherModule('talp-cancela-exig', 'LPCO: exigência cancelada', { ...licence(), exigencia: 1, ...WHEN }),
];

export const EVENT_NAMES: readonly string[] = EVENT_TYPES.map(({ evento }) => evento);

function ofCatalogue(evento: string, title: string, sample: object): EventType {
  return { evento, title, automatic: true, invented: 'values', sample };
}

function ofOtherModule(evento: string, title: string, sample: object): EventType {
  return { evento, title, automatic: false, invented: 'form and values', sample };
}

/** The members that receivers of `dimp-*` are known to read. */
function duimp(versao: string, situacaoDuimp: string) {
  return {
    identificacao: { numero: '26BR00000000191', versao },
    situacaoDuimp,
    dataEvento: '2026-01-15T09:00:00',
  };
}

function cargo(situacao: string) {
  return { identificadorCarga: 'RUC-EXEMPLO-0001', recinto: '0000001', situacao };
}

function roadDocument(situacao: string) {
  return { numeroCrt: 'BR000000001', situacao };
}

function licence() {
  return { numeroLpco: 'I2600000001', orgaoAnuente: 'EXEMPLO' };
}
