/** Serves the account of the signed-in person (contract section 27). */
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import { EMAIL, EMAIL_DOMAIN } from '../validation/email.ts';
import { choice, closedForm, form, nullable, text } from '../validation/forms.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './model.ts';
import { NOTICE_TIMES } from './notices/model.ts';
import type { OwnAccount, OwnAccountState } from './own-account.ts';
import { SessionCompany, visibleCompanies } from './session-routes.ts';
import { t } from '../validation/type.ts';

const ME = '/appliance/api/me';

const operation = operationsIn({
  tag: 'Autenticação',
  source: 'contract, section 27',
  needsUser: true,
  right: 'none',
});

const when = (description: string) =>
  choice(
    NOTICE_TIMES,
    `${description} imediato: assim que acontece; diario: na mensagem do dia; nunca.`,
    'diario',
  );

const CHOICES = {
  prazos: when('Produtos a que falta o que vai ser exigido.'),
  desativados: when('Produtos que o sistema desativou.'),
  importacoes: when('Importações com erros.'),
  propostas: when('Propostas a decidir, e as próprias que foram decididas.'),
  assinaturas: when('As próprias assinaturas cujas entregas falham.'),
  remotos: when('Diferenças com um remoto, e envios parados.'),
};

const EMAIL_TEXT = 'Endereço para mensagens.';
const Email = text(EMAIL_TEXT, 'maria@exemplo.com.br', {
  maxLength: 254,
  pattern: EMAIL,
  'x-domain': EMAIL_DOMAIN,
  'x-printed': { pattern: undefined, format: 'email' },
});

const Me = form('Me', 'A conta de quem está autenticado.', {
  documento: text('CPF ou CNPJ.', '00000000191'),
  nome: text('Nome.', 'Maria Demonstração'),
  email: nullable(t.String({ description: EMAIL_TEXT }), { description: `${EMAIL_TEXT} null onde não há.` }),
  avisos: form('NoticeChoices', 'O que vem por e-mail, e quando.', CHOICES),
  companies: t.Array(SessionCompany, { description: 'Empresas cujo catálogo pode ver.' }),
});

const Change = closedForm('MeChange', 'O que muda; o que não é informado continua como está.', {
  email: t.Optional({
    ...Email,
    description: `${EMAIL_TEXT} Vazio: retira o endereço.`,
    'x-keeps-empty': true,
  }),
  avisos: t.Optional(
    closedForm(
      'NoticeChoicesChange',
      'O que vem por e-mail, e quando; o que não é informado continua como está.',
      {
        prazos: t.Optional(CHOICES.prazos),
        desativados: t.Optional(CHOICES.desativados),
        importacoes: t.Optional(CHOICES.importacoes),
        propostas: t.Optional(CHOICES.propostas),
        assinaturas: t.Optional(CHOICES.assinaturas),
        remotos: t.Optional(CHOICES.remotos),
      },
    ),
  ),
});

export function meRoutes(
  ownAccount: OwnAccount,
  accounts: Pick<Accounts, 'listCompanies' | 'companiesNamed'>,
): Operation<Caller>[] {
  const printed = (caller: Caller, { email, avisos }: OwnAccountState) => {
    const { documento, nome } = caller;
    return ok({ documento, nome, email, avisos, companies: visibleCompanies(accounts, caller) });
  };
  return [
    operation('GET', ME, {
      id: 'getMe',
      summary: 'A própria conta: endereço e avisos por e-mail',
      success: Me,
      handle: ({ caller }) => printed(caller, ownAccount.get(caller)),
    }),
    operation('PUT', ME, {
      id: 'changeMe',
      summary: 'Muda o próprio endereço e os avisos por e-mail',
      description: 'Cada endereço é de um só usuário; o de outro é recusado (422).',
      body: Change,
      success: Me,
      example: { avisos: { importacoes: 'imediato' } },
      handle: async ({ caller, body }) => printed(caller, await ownAccount.change(caller, body)),
    }),
  ];
}
