/**
 * Lists every error code with its meaning and remedy. Most come from the lists that the server uses; this file
 * adds the codes that are in no such list.
 */
import { ATTRIBUTE_CODES, TABLE_CODES } from '../catalogue/attribute/words/codes.ts';
import { CATALOGUE_CODES } from '../catalogue/codes.ts';
import { EMAIL_CODES } from '../email/codes.ts';
import { NOMENCLATURE_CODES } from '../nomenclature/codes.ts';
import type { RefusalKind } from '../errors.ts';
import { STATUS_OF, codeOf } from '../http/answers.ts';
import { NOTIFICATION_CODES } from '../notification/codes.ts';
import { PROVIDER_CODES } from '../oidc/codes.ts';
import { REMOTE_CODES } from '../remote/codes.ts';
import { ACCOUNT_CODES, AUTHENTICATION_FAILURES } from '../session/codes.ts';
import { FAULT_REMEDY, KIND_REMEDIES, REMEDIES } from './remedies/codes.ts';

interface CodeMeaning {
  readonly code: string;
  readonly meaning: string;
}

/** A code with its cause and remedy. */
interface CodeRow extends CodeMeaning {
  readonly remedy: string;
}

export interface CodeList {
  readonly title: string;
  readonly codes: readonly CodeRow[];
}

const KIND_MEANINGS: Readonly<Record<RefusalKind, string>> = {
  malformed: 'Requisição malformada; `detail` traz todos os problemas.',
  unauthenticated: 'Credencial ausente, inválida ou expirada.',
  forbidden: 'O usuário não tem direito sobre o que pediu.',
  notFound: 'O registro ou o caminho não existe.',
  methodNotAllowed: 'O caminho não aceita o método; `Allow` diz quais aceita.',
  notAcceptable: 'O `Accept` da requisição não admite o que a operação responde.',
  tooSlow: 'Nenhum byte do corpo chegou por `servidor.segundosCorpo` segundos.',
  tooLarge: 'Corpo maior que o limite.',
  unsupportedMediaType: 'Tipo de conteúdo que a operação não lê.',
  misdirected: 'Só em `catp dev`: `/appliance/api` foi pedido sob um nome (`Host`) que não é desta máquina.',
  unprocessable: 'Regra de negócio violada; `detail` traz todas.',
  headersTooLarge: 'Linha da requisição e cabeçalhos maiores que o limite.',
  unavailable: 'Sobrecarga ou disco em falha; tente de novo depois.',
};

/** One path of each module. The module determines the prefix of a status code. */
const MODULE_PATHS = ['/catp', '/portal', '/cadatributos', '/'];

/** Refusals whose code depends on the reason and not on the status. They are in the list of the authentication. */
const NAMED_STATUSES: readonly RefusalKind[] = ['unauthenticated'];

export const statusRows: readonly (CodeRow & { readonly status: number })[] = [
  ...Object.entries(STATUS_OF)
    .filter(([kind]) => !NAMED_STATUSES.includes(kind as RefusalKind))
    .map(([kind, status]) =>
      row(status, KIND_MEANINGS[kind as RefusalKind], KIND_REMEDIES[kind as RefusalKind]),
    ),
  row(500, 'Erro interno; nada da requisição foi gravado.', FAULT_REMEDY),
].toSorted((one, other) => one.status - other.status);

function row(status: number, meaning: string, remedy: string): CodeRow & { readonly status: number } {
  const codes = new Set(MODULE_PATHS.map((path) => codeOf(status, path)));
  return { status, code: [...codes].join(', '), meaning, remedy };
}

const LISTS: readonly { readonly title: string; readonly codes: readonly CodeMeaning[] }[] = [
  {
    title: 'Sessão e limites',
    codes: [
      { code: 'APPL-ER0400', meaning: 'HTTP sem TLS na porta de HTTPS (400).' },
      { code: 'PUCX-ER0201', meaning: '`Authorization` ausente, inválido ou expirado (401).' },
      { code: 'PUCX-ER0202', meaning: '`X-CSRF-Token` ausente, inválido ou expirado (401).' },
      { code: 'PUCX-ER1001', meaning: 'Limite horário da operação atingido (422).' },
      {
        code: 'PUCX-ER0401',
        meaning: 'Parada diária do Portal Único (422); aqui só como falha sob encomenda, em `catp dev`.',
      },
      {
        code: 'PUCX-ER0014',
        meaning:
          'Indisponibilidade do Portal Único; daqui nunca vem, mas um remoto que a responde é deixado em paz.',
      },
    ],
  },
  {
    title: 'Autenticação',
    codes: Object.entries(AUTHENTICATION_FAILURES).map(([code, meaning]) => ({ code, meaning })),
  },
  { title: 'Entrada pelo provedor', codes: Object.values(PROVIDER_CODES) },
  { title: 'Catálogo', codes: Object.values(CATALOGUE_CODES) },
  { title: 'Atributos de um produto', codes: Object.values(ATTRIBUTE_CODES) },
  { title: 'Arquivo da tabela de atributos', codes: Object.values(TABLE_CODES) },
  { title: 'Arquivo da nomenclatura', codes: Object.values(NOMENCLATURE_CODES) },
  { title: 'Usuários e empresas', codes: Object.values(ACCOUNT_CODES) },
  { title: 'Remotos e comparações', codes: Object.values(REMOTE_CODES) },
  { title: 'E-mails', codes: Object.values(EMAIL_CODES) },
  { title: 'Assinaturas, eventos e entregas', codes: Object.values(NOTIFICATION_CODES) },
];

export const CODE_LISTS: readonly CodeList[] = LISTS.map(({ title, codes }) => ({
  title,
  codes: codes.map((codeMeaning) => ({ ...codeMeaning, remedy: REMEDIES[codeMeaning.code] ?? '' })),
}));

/** All lists of codes, in the order of the OpenAPI document. */
export const PROBLEM_LISTS: readonly CodeList[] = [
  {
    title: 'Códigos de status',
    codes: statusRows.map(({ status, code, meaning, remedy }) => ({
      code,
      meaning: `${meaning} (${status})`,
      remedy,
    })),
  },
  ...CODE_LISTS,
];
