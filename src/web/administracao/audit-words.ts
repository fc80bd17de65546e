/** The words of the audit (contract section 16) as people read them. */

export interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly channel: string;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  api: 'API',
  cli: 'comando',
  import: 'importação',
  system: 'sistema',
};

export const ACTION_WORDS: Readonly<Record<string, string>> = {
  INCLUSAO: 'Inclusão',
  ALTERACAO: 'Alteração',
  NOVA_VERSAO: 'Nova versão',
  RETIFICACAO: 'Retificação',
  ATIVACAO: 'Ativação',
  DESATIVACAO: 'Desativação',
  EXCLUSAO: 'Exclusão',
  INCLUSAO_RETROATIVA: 'Inclusão retroativa',
  DESATIVACAO_SISTEMA: 'Desativação pelo sistema',
  VINCULACAO: 'Vinculação',
  DESVINCULACAO: 'Desvinculação',
  IMPORTACAO: 'Importação',
  CONCLUSAO: 'Conclusão',
  FALHA: 'Falha',
  COPIA: 'Cópia de segurança',
  RESTAURACAO: 'Restauração',
  SUBSTITUICAO: 'Substituição',
  REVOGACAO: 'Revogação',
  ENCERRAMENTO: 'Encerramento de sessões',
  AGENDAMENTO: 'Agendamento',
  CANCELAMENTO: 'Cancelamento',
  ESQUECIMENTO: 'Resultados apagados',
};
