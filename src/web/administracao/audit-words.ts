/** Words the audit entries (contract section 16) for people. */
import type { ChangeAction } from '../../change.ts';
import { emptyText } from '../../validation/not-recorded.ts';
import type { AuditEntry } from '../api/answers.ts';
import { labelOf } from '../sentences.ts';
import { RIGHT_WORDS } from './kinds.tsx';
import { dayText, momentText, numberText } from '../words.ts';

/** The changed members of an account. */
type Members = Readonly<Record<string, string | number | boolean | null>>;

export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  api: 'API',
  cli: 'comando',
  import: 'importação',
  remote: 'trazido de um remoto',
  system: 'sistema',
};

/**
 * Words for the way in which a person opened the session. Any other `key` is a Client-Id or a serial number.
 */
const OPENER_WORDS: Readonly<Record<string, string>> = {
  senha: 'por senha',
  oidc: 'pelo provedor',
  convite: 'por convite',
};

export const openerText = (key: string): string => OPENER_WORDS[key] ?? `chave ${key}`;

const ACTION_WORDS: Readonly<Record<ChangeAction | 'ILEGIVEL', string>> = {
  ILEGIVEL: 'Entrada ilegível',
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
  CONCLUSAO: 'Conclusão',
  FALHA: 'Falha',
  COPIA: 'Cópia de segurança',
  RESTAURACAO: 'Restauração',
  SUBSTITUICAO: 'Substituição',
  REVOGACAO: 'Revogação',
  LEITURA: 'Leitura dos segredos',
  ENCERRAMENTO: 'Encerramento de sessões',
  AGENDAMENTO: 'Agendamento',
  CANCELAMENTO: 'Cancelamento',
  ESQUECIMENTO: 'Resultados apagados',
  PROPOSTA: 'Proposta',
  APROVACAO: 'Proposta aprovada',
  RECUSA: 'Proposta recusada',
  RETIRADA: 'Proposta retirada',
  BUSCA: 'Busca em um remoto',
  ENVIO: 'Envio a um remoto',
  PARADA: 'Parada',
  CONTINUACAO: 'Continuação',
  COMPARACAO: 'Comparação',
  PAREAMENTO: 'Par decidido',
  DISPENSA: 'Aviso dispensado',
};

/** Returns the words of an action. An action that only a newer version knows is shown unchanged. */
export const actionText = (action: string): string =>
  (ACTION_WORDS as Readonly<Record<string, string>>)[action] ?? action;

/** Labels of members that are not fields of a form. */
const MEMBER_WORDS: Readonly<Record<string, string>> = {
  state: 'Estado',
  kind: 'Origem',
  modo: 'Modo',
  simular: 'Só conferência',
  fileName: 'Arquivo',
  created: 'Incluídos',
  newVersion: 'Novas versões',
  deactivated: 'Desativados',
  unchanged: 'Inalterados',
  failed: 'Com erro',
  count: 'Quantos',
  papel: 'Papel',
  group: 'Grupo',
  companies: 'Empresas',
  issuer: 'Emissor',
  sub: 'Identificador',
  convite: 'Convite até',
};

/** Words of the values of a member that has few. */
const VALUE_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  papel: RIGHT_WORDS,
  state: {
    queued: 'na fila',
    running: 'em andamento',
    done: 'concluída',
    failed: 'falhou',
    cancelled: 'cancelada',
    awaiting: 'à espera',
    approved: 'aprovada',
    rejected: 'recusada',
    withdrawn: 'retirada',
  },
};

/** Describes the change of an entry: its versions, or each changed member. */
export function changeText(entry: Pick<AuditEntry, 'before' | 'after' | 'notRecorded'>): string {
  const { before, after } = entry;
  const names = [...new Set([before, after].flatMap((side) => Object.keys(membersOf(side) ?? {})))];
  if (names.length > 0)
    return names
      .map(
        (name) =>
          `${MEMBER_WORDS[name] ?? labelOf(name)}: ${beforeAndAfter(wordsOfValue(membersOf(before)?.[name], name), wordsOfValue(membersOf(after)?.[name], name))}`,
      )
      .join('; ');
  return emptyText(entry, 'after', beforeAndAfter(wordsOfValue(before), wordsOfValue(after)));
}

const membersOf = (side: AuditEntry['before']): Members | undefined =>
  typeof side === 'object' && side !== null ? (side as Members) : undefined;

/** Returns a value in words. `member`: the member that has the value. */
function wordsOfValue(
  value: AuditEntry['before'] | number | boolean | undefined,
  member = '',
): string | undefined {
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? (VALUE_WORDS[member]?.[value] ?? readableValue(value)) : undefined;
}

/** Formats a number, a day or a moment for people. The last instant of a day is shown as that day. */
function readableValue(value: string): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(value))
    return value.includes('T23:59:59.999') ? dayText(value) : momentText(value);
  return /\d/.test(value) ? numberText(value) : value; // eight capital letters are a name, not a number
}

/**
 * Formats a subject: `produto 12345678/7` as `produto 12.345.678/7`. A profile consists of letters and is no
 * number.
 */
export const subjectText = (subject: string): string =>
  subject.replaceAll(/(?<=[ /])(?=[A-Z]*\d)[\dA-Z]{8,14}(?=\/|$)/g, numberText);

const beforeAndAfter = (before: string | undefined, after: string | undefined): string =>
  before === undefined || after === undefined || before === after
    ? (after ?? before ?? '–')
    : `${before} → ${after}`;
