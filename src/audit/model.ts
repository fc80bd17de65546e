/** The audit (contract section 16): who changed which record, when and how. */
import { type Members, type Proposed, SUBJECT_KINDS } from '../change.ts';
import type { EpochMs } from '../clock.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { momentOf } from '../validation/moment.ts';
import { type CatalogueRules, companySchema } from '../validation/company.ts';
import { COMMAND_LINE, SYSTEM } from '../session/model.ts';
import { choice, form, limitOf, notRecordedOf, nullable, text, integerForm } from '../validation/forms.ts';
import { withNotRecorded } from '../validation/not-recorded.ts';
import { t } from '../validation/type.ts';

export const CHANNELS = ['api', 'cli', 'import', 'remote', 'system'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A stored change. */
export interface StoredChange {
  readonly actor: string;
  /** Client-Id, certificate serial, `senha` or `oidc`: what opened the actor's session. `null`: no session. */
  readonly key: string | null;
  readonly channel: Channel;
  readonly action: string;
  readonly subject: string;
  readonly before: string | Members | null;
  readonly after: string | Members | null;
  /** The approved proposal that it carries out. `null`: none. */
  readonly proposal: Proposed | null;
}

export interface AuditEntry extends StoredChange {
  readonly seq: number;
  readonly at: EpochMs;
}

const LIMIT = { max: 1000, default: 100 };

export const SINCE_DOMAIN =
  'um instante ISO 8601 (2026-01-15T12:00:00Z; sem fuso, o de Brasília) ou um dia yyyy-MM-dd';

const ACTOR_MAX = 40;
const SUBJECT_MAX = 200;

const AUDIT_FILTERS = {
  since: t.Optional(
    text(
      'Só as mudanças desde este instante ISO 8601 (sem fuso, o de Brasília), ou desde este dia yyyy-MM-dd.',
      '2026-01-15T12:00:00Z',
      { maxLength: 40, 'x-check': (text: string) => instantOf(text) !== undefined, 'x-domain': SINCE_DOMAIN },
    ),
  ),
  actor: t.Optional(
    text('Só as de quem: um documento, "sistema" ou "linha de comando".', '00000000191', {
      minLength: 1,
      maxLength: ACTOR_MAX,
    }),
  ),
  subject: t.Optional(
    text(
      `Só as deste assunto: tipo e chave (produto 12345678/7), ou só o começo, até um espaço ou barra (produto, produto 12345678). Tipos: ${SUBJECT_KINDS.join(', ')}.`,
      'produto 12345678/7',
      { minLength: 1, maxLength: SUBJECT_MAX },
    ),
  ),
  proposal: t.Optional(
    integerForm('Só as do que esta proposta aprovada gravou: o número dela.', 12, {
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
};

const AUDIT_PAGE = {
  limit: t.Optional(limitOf('Quantas entradas, no máximo.', LIMIT.max, LIMIT.default)),
  after: t.Optional(
    integerForm('A página seguinte: o next da resposta anterior.', 101, {
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
};

export const auditFilters = (rules: CatalogueRules) => ({
  cpfCnpjRaiz: t.Optional(companySchema(rules)),
  ...AUDIT_FILTERS,
});
export const auditQuery = (rules: CatalogueRules) => t.Object({ ...auditFilters(rules), ...AUDIT_PAGE });
export type AuditQuery = ReturnType<typeof auditQuery>['static'];

/** Described in words: from a union of text and map, a common generator builds Java that does not compile. */
const state = (description: string) => t.Unsafe<string | Members | null>({ description, examples: ['1'] });

const ListedEntry = form('AuditEntry', 'Uma mudança na trilha de auditoria.', {
  seq: integerForm('Número da entrada, sem falhas desde 1.', 1),
  at: momentOf('Quando a mudança foi gravada.'),
  actor: text('Quem: um documento, "sistema" ou "linha de comando".', '00000000191'),
  key: nullable(t.String({ examples: ['4f1c2a'] }), {
    description:
      'O que abriu a sessão de quem fez: a chave de acesso (Client-Id), o número de série do certificado, senha ou oidc (o provedor); null onde não havia sessão.',
  }),
  channel: choice(
    CHANNELS,
    'Por onde: api, cli (linha de comando), import (item de um arquivo), system.',
    'api',
  ),
  action: text('O que foi feito.', 'INCLUSAO'),
  subject: text('A que: tipo e chave.', 'produto 12345678/7'),
  before: state(
    'Versão antes da mudança (um texto), ou de uma conta, um remoto ou uma assinatura os membros que mudaram (um objeto, com textos, números, booleanos e null; um segredo como "mudado"); null onde não havia, ou onde não há versões.',
  ),
  after: state(
    'Versão que a mudança fez, ou os membros que mudaram, como em before; de uma comparação, um envio ou um par a empresa e o número; null onde não há.',
  ),
  proposedBy: nullable(t.String({ examples: ['11111111111'] }), {
    description: 'Quem propôs o que actor aprovou; null do que não veio de uma proposta.',
  }),
  proposal: nullable(integerForm('A proposta aprovada.', 12), {
    description: 'A proposta aprovada, pelo número da importação que a simulou; null onde não há.',
  }),
  notRecorded: notRecordedOf(['key', 'before', 'after']),
  actorName: nullable(t.String({ examples: ['Maria Demonstração'] }), {
    description: 'O nome de quem fez; null de quem não é, ou não é mais, usuário.',
  }),
});

export const AuditPage = form('AuditPage', 'Uma página da trilha de auditoria.', {
  items: t.Array(ListedEntry, { description: 'As entradas, da mais nova para a mais antiga.' }),
  next: nullable(integerForm('after da página seguinte.', 101), {
    description: 'after da página seguinte; null na última.',
  }),
});

/**
 * Actions that change no member. An older version, which recorded no changes, wrote all other such entries.
 */
const CHANGE_NOTHING: ReadonlySet<string> = new Set(['LEITURA', 'ENCERRAMENTO', 'ILEGIVEL']);

/** Actors that have no session. The last one, `''`, is the actor of an unreadable page. */
const WITHOUT_SESSION: ReadonlySet<string> = new Set([SYSTEM, COMMAND_LINE, '']);

/** Returns the members in the order that the contract prints. */
export function toListed(entry: AuditEntry) {
  const { seq, at, actor, key, channel, action, subject, before, after, proposal } = entry;
  const isUnrecorded = before === null && after === null && !CHANGE_NOTHING.has(action);
  const members = { seq, at: momentText(at), actor, key, channel, action, subject, before, after };
  return {
    ...members,
    proposedBy: proposal?.by ?? null,
    proposal: proposal?.id ?? null,
    ...withNotRecorded({
      key: key === null && !WITHOUT_SESSION.has(actor),
      before: isUnrecorded,
      after: isUnrecorded,
    }),
  };
}

/** A filter of the audit. An absent member does not filter. */
export interface AuditFilter {
  readonly since?: EpochMs | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** The number of an approved proposal. */
  readonly proposal?: number | undefined;
  /** Only changes of the records of this company, of its imports, and of its work with remotes. */
  readonly cpfCnpjRaiz?: string | undefined;
}

/** The message to the Worker that reads the audit. */
export interface AuditRead {
  readonly kind: 'audit';
  readonly filter: AuditFilter;
  readonly limit: number;
  /** Only entries before this one. */
  readonly after: number | undefined;
}

export const toRead = ({ limit = LIMIT.default, after, ...filters }: AuditQuery): AuditRead => ({
  kind: 'audit',
  filter: toFilter(filters),
  limit,
  after,
});

export const toFilter = ({
  since,
  actor,
  subject,
  proposal,
  cpfCnpjRaiz,
}: Omit<AuditQuery, 'limit' | 'after'>): AuditFilter => ({
  cpfCnpjRaiz,
  since: since === undefined ? undefined : instantOf(since),
  actor,
  subject,
  proposal,
});
