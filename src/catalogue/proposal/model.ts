/** Defines proposals (contract section 27): dry runs whose author asks another person to approve them. */
import type { EpochMs } from '../../clock.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, closedForm, form, nullable, text } from '../../validation/forms.ts';
import { momentOf } from '../../validation/moment.ts';
import { IMPORT_KINDS, IMPORT_SOURCES, type ImportKind, type ImportSource } from '../import/model.ts';
import { t } from '../../validation/type.ts';

export const PROPOSAL_STATES = ['awaiting', 'approved', 'rejected', 'withdrawn'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];
export type Decision = Exclude<ProposalState, 'awaiting'>;

/** Days after which the system withdraws a proposal that nobody decided. */
export const DECISION_DAYS = 90;

export const WORDS_MAX = 500;
const CODE_MAX = 35;

export const Note = t.Optional(
  text('O que quem decide deve saber.', 'Conferido com a nota fiscal 1234.', {
    minLength: 1,
    maxLength: WORDS_MAX,
  }),
);

export const RECORD_KINDS = ['produto', 'operador', 'vinculo'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export const RECORD_OPERATIONS = [
  'include',
  'newVersion',
  'rectify',
  'deactivate',
  'link',
  'unlink',
] as const;
export type RecordOperation = (typeof RECORD_OPERATIONS)[number];

export const TIPO_OF: Readonly<Record<RecordKind, ImportKind>> = {
  produto: 'produto',
  operador: 'operador-estrangeiro',
  vinculo: 'fabricante',
};

export const recordProposalForm = (rules: CatalogueRules) =>
  closedForm('RecordProposal', 'A mudança de um registro, para que outro a aprove.', {
    cpfCnpjRaiz: companySchema(rules),
    kind: choice(RECORD_KINDS, 'O tipo do registro.'),
    operation: choice(
      RECORD_OPERATIONS,
      'O que se propõe: include, newVersion, rectify e deactivate de produtos e operadores; link e unlink de vínculos. newVersion de um rascunho o ativa.',
    ),
    codigo: t.Optional(
      text('O código do registro; não em include, link e unlink.', '7', {
        minLength: 1,
        maxLength: CODE_MAX,
        'x-code': true,
      }),
    ),
    versao: t.Optional(
      text('A versão que rectify retifica, ou deactivate desativa.', '2', { minLength: 1, maxLength: 8 }),
    ),
    content: t.Optional(
      t.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'O corpo que a própria operação recebe; de um operador também codigoPais. Em deactivate não há.',
        examples: [{ codigoProduto: 1, conhecido: false, codigoPais: 'CN' }],
      }),
    ),
    note: Note,
  });
export type RecordProposal = ReturnType<typeof recordProposalForm>['static'];

const userText = (description: string) => text(description, '00000000191');
const nameText = (description: string) => nullable(text(description, 'Maria Demonstração'));
const count = (description: string) => t.Integer({ minimum: 0, description });

export const listedProposalForm = (rules: CatalogueRules) =>
  form('Proposal', 'Uma proposta e sua situação.', {
    id: t.Integer({
      minimum: 1,
      description: 'O número da proposta, que é o da importação que a simulou e que guarda suas linhas.',
    }),
    cpfCnpjRaiz: companySchema(rules),
    tipo: choice(IMPORT_KINDS, 'O tipo dos registros das linhas.'),
    kind: choice(IMPORT_SOURCES, 'A origem das linhas: um arquivo, uma planilha, um registro…'),
    fileName: text('O nome do arquivo, ou o que se propõe.', 'produtos.xlsx'),
    by: userText('Quem a fez.'),
    byName: nameText('O nome de quem a fez; null de quem não é mais usuário.'),
    at: momentOf('Quando foi feita.'),
    note: nullable(t.String({ description: 'O que o autor diz a quem decide; null: nada.' })),
    total: count('Linhas.'),
    created: count('Linhas que incluiriam um registro.'),
    newVersion: count('Linhas que mudariam um registro.'),
    deactivated: count('Linhas que desativariam um registro.'),
    failed: count('Linhas com erro, que não seriam gravadas.'),
    state: choice(PROPOSAL_STATES, 'A situação da proposta.'),
    decidedBy: nullable(
      userText('Quem a decidiu ou retirou; null enquanto espera, e se o sistema a retirou.'),
    ),
    decidedByName: nameText('O nome de quem a decidiu; null de quem não é mais usuário.'),
    decidedAt: nullable(momentOf('Quando foi decidida; null enquanto espera.')),
    reason: nullable(
      t.String({ description: 'O motivo da recusa, ou da retirada pelo sistema; null se não há.' }),
    ),
    importId: nullable(
      t.Integer({ minimum: 1, description: 'A importação que a grava; null se não foi aprovada.' }),
    ),
  });
export type ListedProposal = ReturnType<typeof listedProposalForm>['static'];

/** A stored proposal, with the members of its import that its list shows. */
export interface Proposal {
  readonly id: number;
  readonly company: string;
  readonly documento: string;
  readonly note: string | null;
  readonly proposedAt: EpochMs;
  readonly state: ProposalState;
  readonly decidedBy: string | null;
  readonly decidedAt: EpochMs | null;
  readonly reason: string | null;
  readonly tipo: ImportKind;
  readonly kind: ImportSource;
  readonly fileName: string;
  readonly total: number;
  readonly created: number;
  readonly newVersion: number;
  readonly deactivated: number;
  readonly failed: number;
  readonly importId: number | null;
}

export interface ProposalChoice {
  readonly companies: readonly string[];
  /** Limits the result to this proposal. `undefined`: all. */
  readonly id: number | undefined;
  readonly state: ProposalState | undefined;
  readonly tipo: ImportKind | undefined;
  /** The code of a record that a row would change. */
  readonly codigo: string | undefined;
  readonly limit: number;
}

/** The message to the Worker: a record may be looked for in long proposals. */
export interface ProposalsRead {
  readonly kind: 'proposals';
  readonly choice: ProposalChoice;
}
