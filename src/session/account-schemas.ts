/** Schemas of users, companies, representations and keys, for the API and the command line (contract section 13). */
import { withNotRecorded } from '../validation/not-recorded.ts';
import { RIGHTS, type Right } from '../right.ts';
import { type CatalogueRules, companySchema } from '../validation/company.ts';
import { type AccessKey, PROFILES, type PartyKind, type Profile } from './model.ts';
import { instantOf, isDay, momentText } from '../validation/calendar.ts';
import { choice, closedForm, form, notRecordedOf, nullable, text } from '../validation/forms.ts';
import { momentOf } from '../validation/moment.ts';
import { EMAIL, EMAIL_DOMAIN } from '../validation/email.ts';
import { ONE_LINE, ONE_LINE_DOMAIN } from '../validation/text.ts';
import { t } from '../validation/type.ts';

const ON_ONE_LINE = { pattern: ONE_LINE, 'x-domain': ONE_LINE_DOMAIN } as const;
const Nome = text('Nome.', 'Maria Exemplo', { minLength: 1, maxLength: 150, ...ON_ONE_LINE });
const ORGAO_TEXT = 'Órgão de um agente público.';

const EMAIL_TEXT = 'Endereço para mensagens, de um usuário só.';

const EXPIRES = 'Quando a chave vence, e com ela as sessões que abriu.';
const USED = 'A hora cheia em que a chave abriu a última sessão.';

export function accountSchemas(rules: CatalogueRules) {
  const cpfCnpjRaiz = companySchema(rules);
  const cnpj = rules.alphanumericCnpj ? '[0-9A-Z]{12}[0-9]{2}' : '[0-9]{14}';
  const Documento = text('CPF de uma pessoa ou CNPJ de um certificado de empresa.', '00000000191', {
    pattern: `^([0-9]{11}|${cnpj})$`,
    'x-domain': 'CPF com 11 ou CNPJ com 14 posições',
  });
  const Cnpj = text('CNPJ da matriz.', '12345678000195', {
    pattern: `^${cnpj}$`,
    'x-domain': 'CNPJ com 14 posições',
  });
  const Perfil = t.Unsafe<Profile>({
    type: 'string',
    enum: Object.keys(PROFILES),
    description: 'Perfil (Role-Type) em que o usuário atua pela empresa.',
    examples: ['IMPEXP'],
  });
  const Email = text(EMAIL_TEXT, 'maria@exemplo.com.br', {
    maxLength: 254,
    pattern: EMAIL,
    'x-domain': EMAIL_DOMAIN,
    'x-printed': { pattern: undefined, format: 'email' },
  });
  const Company = closedForm(
    'CompanyRequest',
    'Uma empresa a incluir ou alterar. Uma nova precisa de nome.',
    { cpfCnpjRaiz, nome: t.Optional(Nome), cnpj: t.Optional(Cnpj) },
  );
  const User = closedForm('UserRequest', 'Um usuário a incluir ou alterar. Um novo precisa de nome e tipo.', {
    documento: Documento,
    nome: t.Optional(Nome),
    tipo: t.Optional(choice<PartyKind>(['PRIV', 'PUBL'], 'PRIV: privado; PUBL: agente público.')),
    orgao: t.Optional(text(ORGAO_TEXT, 'RECEITA', { maxLength: 40, ...ON_ONE_LINE })),
    email: t.Optional({ ...Email, 'x-keeps-empty': true }),
    administrador: t.Optional(
      t.Boolean({ description: 'true: administra esta instalação.', examples: [false] }),
    ),
  });
  // Forms of answers: every member is present, `null` when empty.
  const StoredCompany = form('Company', 'Uma empresa.', {
    cpfCnpjRaiz,
    nome: Nome,
    cnpj: nullable(Cnpj),
  });
  const StoredUser = form('User', 'Um usuário.', {
    ...t.Required(User).properties,
    orgao: nullable(t.String({ description: `${ORGAO_TEXT} null onde não há.` })),
    email: nullable(t.String({ description: `${EMAIL_TEXT} null onde não há.` })),
  });
  const Papel = choice<Right>(
    RIGHTS,
    'O que pode no catálogo da empresa: leitura consulta e simula; preenchimento também grava rascunhos e propõe; aprovacao também grava o que fica ativo.',
  );
  const Representation = closedForm(
    'RepresentationRequest',
    'Um usuário que atua por uma empresa. Sem papel, fica o que já tem; uma nova no perfil IMPEXP fica com aprovacao.',
    { documento: Documento, cpfCnpjRaiz, perfil: Perfil, papel: t.Optional(Papel) },
  );
  const StoredRepresentation = form('Representation', 'Um usuário que atua por uma empresa.', {
    ...Representation.properties,
    papel: nullable(Papel, { description: 'O papel; null em um perfil que não é IMPEXP.' }),
  });
  const Access = closedForm(
    'AccessRequest',
    'O acesso de uma pessoa a empresas, em um passo: o usuário, as representações e, se pedida, uma chave.',
    {
      documento: Documento,
      nome: Nome,
      email: t.Optional(Email),
      companies: t.Unsafe<unknown>({
        description: 'Lista das raízes das empresas, ou o texto todas: as que existem neste momento.',
        examples: [['12345678']],
        'x-printed': { not: { type: 'null' } },
      }),
      papel: t.Optional(Papel),
      perfil: t.Optional(Perfil),
      key: t.Optional(t.Boolean({ description: 'true: cria também uma chave de acesso.', examples: [true] })),
    },
  );
  const KeyRequest = closedForm('KeyRequest', 'A quem a chave pertence, e até quando vale.', {
    documento: Documento,
    expiresAt: t.Optional(
      text(`${EXPIRES} Instante ISO 8601; sem fuso, o de Brasília.`, '2036-12-31T23:59:59-03:00', {
        maxLength: 40,
        'x-check': (text: string) => !isDay(text) && instantOf(text) !== undefined,
        'x-domain': 'um instante ISO 8601 (2027-01-15T12:00:00Z; sem fuso, o de Brasília)',
        'x-printed': { format: 'date-time' },
      }),
    ),
  });
  const NewKey = form('NewAccessKey', 'Uma chave de acesso nova.', {
    clientId: ClientId,
    clientSecret: text('O segredo, mostrado só aqui.', 'segredo'),
  });
  const GivenAccess = form('GivenAccess', 'O acesso que foi dado.', {
    documento: Documento,
    representations: t.Array(StoredRepresentation, { description: 'As representações resultantes.' }),
    key: nullable(NewKey, {
      description: 'A chave nova, com o segredo que só aparece aqui; null se não foi pedida.',
    }),
  });
  const ListedKey = form('AccessKey', 'Uma chave de acesso, sem o segredo.', {
    clientId: ClientId,
    documento: Documento,
    createdAt: momentOf('Quando foi criada.'),
    expiresAt: nullable(momentOf(EXPIRES), { description: `${EXPIRES} null onde não vence.` }),
    lastUsedAt: nullable(momentOf(USED), { description: `${USED} null se nunca abriu uma.` }),
    notRecorded: notRecordedOf(['lastUsedAt']),
  });
  return {
    Company,
    User,
    StoredCompany,
    StoredUser,
    Representation,
    StoredRepresentation,
    Access,
    GivenAccess,
    Documento,
    KeyRequest,
    NewKey,
    ListedKey,
  };
}

export const ClientId = text('Identificador da chave de acesso.', 'demo', { minLength: 1, maxLength: 100 });

/** Returns a key as lists print it. */
export const listedKey = ({
  clientId,
  documento,
  createdAt,
  expiresAt,
  lastUsedAt,
  isUseUnrecorded,
}: AccessKey) => ({
  clientId,
  documento,
  createdAt: momentText(createdAt),
  expiresAt: expiresAt === null ? null : momentText(expiresAt),
  lastUsedAt: lastUsedAt === null ? null : momentText(lastUsedAt),
  ...withNotRecorded({ lastUsedAt: isUseUnrecorded === 1 }),
});
