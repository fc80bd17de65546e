/** Defines the operations of proposals (contract section 27). */
import { ACCEPTED, type Operation, accepted, operationsIn } from '../../http/operation.ts';
import { type Idempotency, KEY_HEADER } from '../../idempotency/service.ts';
import type { Reads } from '../../reading/pool.ts';
import { represents } from '../../session/guard.ts';
import type { Caller } from '../../session/model.ts';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, closedForm, limitOf, text } from '../../validation/forms.ts';
import { catalogueAccess } from '../access.ts';
import { ExpectedMember, expectedIn } from '../brake.ts';
import { IMPORT_KINDS, ImportId, ImportStarted } from '../import/model.ts';
import { requireImporter } from '../import/service.ts';
import { pageAnswer } from '../paging/answers.ts';
import {
  Note,
  PROPOSAL_STATES,
  type ProposalsRead,
  WORDS_MAX,
  listedProposalForm,
  recordProposalForm,
} from './model.ts';
import type { RecordProposals } from './record-proposals.ts';
import type { ProposalService } from './service.ts';
import { t } from '../../validation/type.ts';

export interface ProposalRoutesParts {
  readonly proposals: ProposalService;
  readonly records: RecordProposals;
  readonly rules: CatalogueRules;
  readonly idempotency: Idempotency;
  readonly reads: Reads<ProposalsRead>;
  readonly find: (caller: Caller, id: number) => unknown;
}

const PATH = '/appliance/api/proposals';
const IMPORT = '/appliance/api/imports/:id';
const operation = operationsIn({ tag: 'Importações', source: 'contract, section 27' });

const Id = t.Object({ id: ImportId });
const LIST = { max: 1000, default: 100 };
const CODE_MAX = 35;

/** A rejection needs a reason that is not blank: the author of the proposal reads it. */
const NOT_BLANK = String.raw`\S`;
const NOT_BLANK_DOMAIN = `um motivo de 1 a ${WORDS_MAX} caracteres, que não seja só de espaços`;

const ProposeRequest = closedForm('ProposeRequest', 'A mensagem a quem decide.', { note: Note });

const ApproveRequest = closedForm('ApproveRequest', 'A confirmação que a aprovação pode exigir.', {
  expected: ExpectedMember,
});

const RejectRequest = closedForm('RejectRequest', 'Por que a proposta é recusada.', {
  reason: text('O motivo, para o autor.', 'A NCM de duas linhas não é a da nota.', {
    minLength: 1,
    maxLength: WORDS_MAX,
    pattern: NOT_BLANK,
    'x-domain': NOT_BLANK_DOMAIN,
  }),
});

export function proposalRoutes(parts: ProposalRoutesParts): Operation<Caller>[] {
  const { proposals, records, rules, idempotency, reads } = parts;
  const repeatableRequest = (caller: Caller, request: Request, content: readonly unknown[]) => ({
    caller,
    request,
    content,
    find: (id: number) => parts.find(caller, id),
  });
  return [
    operation('GET', PATH, {
      id: 'listProposals',
      summary: 'Lista as propostas, da mais nova para a mais antiga',
      description:
        'As das empresas que o usuário logado representa, ou só as de cpfCnpjRaiz; para agentes públicos a lista é vazia. As linhas, com o que havia e o que haveria, estão em /appliance/api/imports/{id}/results. Com codigo, só as que mudariam esse registro; de um vínculo o código é o do produto.',
      query: t.Object({
        cpfCnpjRaiz: t.Optional(companySchema(rules)),
        id: t.Optional(ImportId),
        state: t.Optional(choice(PROPOSAL_STATES, 'Só as que estão assim.')),
        tipo: t.Optional(choice(IMPORT_KINDS, 'Só as de linhas deste tipo.')),
        codigo: t.Optional(
          text('Só as que mudariam o registro deste código.', '7', { minLength: 1, maxLength: CODE_MAX }),
        ),
        limit: t.Optional(limitOf('Quantas propostas, no máximo.', LIST.max, LIST.default)),
      }),
      success: t.Array(listedProposalForm(rules)),
      guard: catalogueAccess(rules).readsQueryCompany,
      handle: ({ caller, quotaOwner, query }) => {
        const { cpfCnpjRaiz, id, state, tipo, codigo, limit = LIST.default } = query;
        const represented = [...caller.companies.keys()].filter((company) => represents(caller, company));
        const companies = represented.filter(
          (company) => cpfCnpjRaiz === undefined || company === cpfCnpjRaiz,
        );
        const list = { companies, id, state, tipo, codigo, limit };
        return pageAnswer(reads, quotaOwner, { kind: 'proposals', choice: list });
      },
    }),

    operation('POST', PATH, {
      id: 'proposeRecord',
      right: 'preenchimento',
      summary: 'Propõe a mudança de um registro',
      description:
        'É conferida como a própria operação a conferiria, e recusada com os mesmos erros; nada é gravado até que outra pessoa a aprove. É uma importação de uma linha: o que mudaria está em /appliance/api/imports/{id}/results.',
      body: recordProposalForm(rules),
      example: {
        cpfCnpjRaiz: '12345678',
        kind: 'vinculo',
        operation: 'link',
        content: { codigoProduto: 1, conhecido: false, codigoPais: 'CN' },
      },
      success: ImportStarted,
      successStatus: ACCEPTED,
      headers: KEY_HEADER,
      handle: async ({ caller, body, request }) => {
        const id = await idempotency.once(
          repeatableRequest(caller, request, ['proposeRecord', body]),
          (alsoWrite) => records.propose(caller, body, alsoWrite),
        );
        return accepted({ id });
      },
    }),

    operation('POST', `${IMPORT}/propose`, {
      id: 'proposeImport',
      right: 'preenchimento',
      summary: 'Propõe uma simulação, para que outra pessoa a aprove',
      description:
        'Só quem pediu a simulação pode propô-la. Ela precisa ter terminado, ter linhas de uma só empresa e mudar algo. Enquanto a proposta espera, as linhas não são gravadas nem apagadas, e não vencem; depois de 90 dias o sistema a retira.',
      params: Id,
      body: ProposeRequest,
      bodyForm: 'optional-json',
      example: { note: 'Conferido com a nota fiscal 1234.' },
      success: ImportStarted,
      successStatus: ACCEPTED,
      guard: requireImporter,
      headers: KEY_HEADER,
      handle: async ({ caller, params: { id }, body, request }) => {
        const repeatable = repeatableRequest(caller, request, ['proposeImport', id, body?.note]);
        return accepted({
          id: await idempotency.once(repeatable, (alsoWrite) =>
            proposals.propose(caller, id, body?.note, alsoWrite),
          ),
        });
      },
    }),

    operation('POST', `${IMPORT}/approve`, {
      id: 'approveProposal',
      right: 'aprovacao',
      summary: 'Aprova uma proposta de outra pessoa',
      description:
        'Grava exatamente as linhas da simulação, em uma importação que se acompanha pelo id. Um registro que mudou desde então fica como está, e sua linha tem o erro mudouDepois. Uma proposta que desativaria muitos registros, ou que transformaria muitos produtos em outros, é recusada (422 APPL-ER0451, APPL-ER0450) até que expected diga quantos são; ela continua à espera.',
      params: Id,
      body: ApproveRequest,
      bodyForm: 'optional-json',
      example: { expected: 12 },
      success: ImportStarted,
      successStatus: ACCEPTED,
      guard: requireImporter,
      headers: KEY_HEADER,
      handle: async ({ caller, quotaOwner, params, body, request }) => {
        const expected = expectedIn(body?.expected);
        const repeatable = repeatableRequest(caller, request, ['approveProposal', params.id, expected]);
        const id = await idempotency.once(repeatable, (alsoWrite) =>
          proposals.approve(caller, quotaOwner, params.id, expected, alsoWrite),
        );
        return accepted({ id });
      },
    }),

    operation('POST', `${IMPORT}/reject`, {
      id: 'rejectProposal',
      right: 'aprovacao',
      summary: 'Recusa uma proposta de outra pessoa',
      description: 'Nada é gravado. O autor lê o motivo, corrige e propõe de novo.',
      params: Id,
      body: RejectRequest,
      example: { reason: 'A NCM de duas linhas não é a da nota.' },
      otherSuccess: [204],
      guard: requireImporter,
      handle: ({ caller, params, body }) => proposals.reject(caller, params.id, body.reason),
    }),

    operation('POST', `${IMPORT}/withdraw`, {
      id: 'withdrawProposal',
      right: 'leitura',
      summary: 'Retira uma proposta própria',
      description: 'Só quem a fez, com qualquer papel. Nada é gravado.',
      params: Id,
      otherSuccess: [204],
      guard: requireImporter,
      handle: ({ caller, params }) => proposals.withdraw(caller, params.id),
    }),
  ];
}
