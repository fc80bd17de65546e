/** Declarations of companies, users, representations and access keys: columns, fields and actions. */
import { emptyText } from '../../validation/not-recorded.ts';
import type { AccessKey, Company, Invitation, NewAccessKey, Representation, User } from '../api/answers.ts';
import { DEFAULT_RIGHT, RIGHTS, type Right } from '../../right.ts';
import { api } from '../api/api.ts';
import { type Result, resultOf } from '../api/result.ts';
import type { FieldSpec } from '../kit/record-list/fields.tsx';
import type { RecordForm, RecordListKind, RowAction } from '../kit/record-list/record-list.tsx';
import { companyOptions } from '../ui/company-options.ts';
import { momentText, numberText, PROFILE_OPTIONS, hasDayForm } from '../words.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { type NumberKind, numberFault, plainNumber } from './numbers.ts';

export const COMPANIES = '/appliance/api/companies';
export const USERS = '/appliance/api/users';
export const REPRESENTATIONS = '/appliance/api/representations';
export const KEYS = '/appliance/api/keys';

/** Returns a check of a typed number. `isValid` accepts a number without a check. */
const numberCheck =
  (kind: NumberKind, isValid: (plain: string) => boolean = () => false) =>
  (typedText: string) =>
    isValid(plainNumber(typedText)) ? undefined : numberFault(kind, typedText);

export const kindInWords = (tipo: User['tipo']): string => (tipo === 'PUBL' ? 'Agente público' : 'Privado');

type CompanyValues = Record<'cpfCnpjRaiz' | 'nome' | 'cnpj' | 'samePeople', string> & {
  readonly isNew: boolean;
};

/** Gives each person of `from` the same right and profile over `to`. Stops at the first refusal. */
async function copyPeople(
  from: string,
  to: string,
  representations: readonly Representation[],
): Promise<Result<unknown>> {
  let answer: Result<unknown> = resultOf(undefined);
  for (const { documento, cpfCnpjRaiz, perfil, papel } of representations) {
    if (cpfCnpjRaiz !== from || !answer.ok) continue;
    const values = { documento, cpfCnpjRaiz: to, perfil, ...(papel !== null && { papel }) };
    answer = await api.post(REPRESENTATIONS, values);
  }
  return answer;
}

/** A new company can take over the people of one of `companies`, as `representations` lists them. */
export const companyKind = (
  companies: readonly Company[],
  representations: readonly Representation[],
): RecordListKind<Company, CompanyValues, Company> => ({
  title: 'Empresas',
  words: ['empresa', 'empresas'],
  empty: 'Nenhuma empresa ainda. Inclua a primeira com “Nova empresa”.',
  rowKey: ({ cpfCnpjRaiz }) => cpfCnpjRaiz,
  columns: [
    { title: 'Raiz', code: true, text: ({ cpfCnpjRaiz }) => numberText(cpfCnpjRaiz) },
    { title: 'Nome', text: ({ nome }) => nome },
    {
      title: 'CNPJ',
      code: true,
      text: ({ cnpj }) => numberText(cnpj ?? '–'),
      cell: ({ cnpj }) => <bdi class="administration-word">{numberText(cnpj ?? '–')}</bdi>,
    },
  ],
  form: {
    add: 'Nova empresa',
    change: ({ nome }) => `Alterar ${nome}`,
    fields: [
      {
        name: 'cpfCnpjRaiz',
        label: 'CPF/CNPJ raiz',
        kind: 'code',
        required: true,
        fixed: true,
        help: 'Os 8 primeiros do CNPJ, ou um CPF inteiro.',
        faultOf: numberCheck('raiz'),
      },
      { name: 'nome', label: 'Nome', required: true, max: 150 },
      {
        name: 'cnpj',
        label: 'CNPJ da matriz',
        kind: 'code',
        help: 'Opcional; 14 posições, começando pela raiz.',
        faultOf: numberCheck('cnpj', (plain) => plain === ''),
      },
      {
        name: 'samePeople',
        label: 'As mesmas pessoas que',
        kind: 'choice',
        help: 'Cada uma recebe na nova empresa o papel e o perfil que tem naquela.',
        options: [
          { value: '', label: 'Ninguém por enquanto' },
          ...companies
            .filter(({ cpfCnpjRaiz }) =>
              representations.some((representation) => representation.cpfCnpjRaiz === cpfCnpjRaiz),
            )
            .map(({ cpfCnpjRaiz, nome }) => ({
              value: cpfCnpjRaiz,
              label: `${nome} · ${numberText(cpfCnpjRaiz)}`,
            })),
        ],
        isVisible: ({ isNew }) => isNew,
      },
    ],
    valuesOf: (company) => ({
      cpfCnpjRaiz: company?.cpfCnpjRaiz ?? '',
      nome: company?.nome ?? '',
      cnpj: company?.cnpj ?? '',
      samePeople: '',
      isNew: company === undefined,
    }),
    send: async ({ cpfCnpjRaiz, nome, cnpj, samePeople }) => {
      const saved = await api.post<Company>(COMPANIES, {
        cpfCnpjRaiz: plainNumber(cpfCnpjRaiz),
        nome: nome.trim(),
        ...(cnpj.trim() !== '' && { cnpj: plainNumber(cnpj) }),
      });
      if (!saved.ok || samePeople === '') return saved;
      const copied = await copyPeople(samePeople, saved.value.cpfCnpjRaiz, representations);
      return copied.ok ? saved : copied;
    },
    saved: ({ nome }) => `Empresa ${nome} salva.`,
  },
  rowActions: [
    {
      label: 'Excluir',
      danger: true,
      send: ({ cpfCnpjRaiz }) => api.delete(`${COMPANIES}/${encodeURIComponent(cpfCnpjRaiz)}`),
      confirmation: ({ cpfCnpjRaiz, nome }) => ({
        title: `Excluir ${nome}?`,
        about: `A empresa ${numberText(cpfCnpjRaiz)} sai da lista. Uma que tem registros no catálogo, ou que alguém representa, não pode ser excluída.`,
        doneText: `${nome} foi excluída.`,
      }),
    },
  ],
});

export type UserValues = Omit<User, 'orgao' | 'email'> & { readonly orgao: string; readonly email: string };

export const NO_USER: UserValues = {
  documento: '',
  nome: '',
  tipo: 'PRIV',
  orgao: '',
  email: '',
  administrador: false,
};

export const sendUser = ({ documento, nome, tipo, orgao, email, administrador }: UserValues) =>
  api.post<User>(USERS, {
    documento: plainNumber(documento),
    nome: nome.trim(),
    tipo,
    administrador,
    ...(tipo === 'PUBL' && orgao.trim() !== '' && { orgao: orgao.trim() }),
    email: email.trim(),
  });

const isPublic = ({ tipo }: Pick<User, 'tipo'>): boolean => tipo === 'PUBL';

export const DOCUMENT_FIELD = {
  name: 'documento',
  label: 'CPF ou CNPJ',
  kind: 'code',
  required: true,
  fixed: true,
  help: 'CPF de uma pessoa, ou CNPJ do certificado de uma empresa.',
  faultOf: numberCheck('documento'),
} as const satisfies FieldSpec<UserValues>;

/** Fields of a user without the number. */
export const USER_FIELDS: readonly FieldSpec<UserValues>[] = [
  { name: 'nome', label: 'Nome', required: true, max: 150 },
  { name: 'email', label: 'E-mail', max: 254, help: 'Para mensagens; pode faltar.' },
  {
    name: 'tipo',
    label: 'Tipo',
    kind: 'choice',
    options: (['PRIV', 'PUBL'] as const).map((value) => ({ value, label: kindInWords(value) })),
    help: (values) =>
      isPublic(values) ? 'Só lê, em todas as empresas.' : 'Atua pelas empresas que representa.',
  },
  {
    name: 'orgao',
    label: 'Órgão',
    required: true,
    max: 40,
    isVisible: isPublic,
    help: 'Sigla, como RECEITA.',
  },
  {
    name: 'administrador',
    label: 'Administrador',
    kind: 'check',
    help: 'Cuida desta instalação: contas, chaves, tabelas, cópias.',
  },
];

export const USER_FORM: RecordForm<User, UserValues, User> = {
  add: 'Novo usuário',
  change: ({ nome }) => `Alterar ${nome}`,
  fields: [DOCUMENT_FIELD, ...USER_FIELDS],
  valuesOf: (user) => ({ ...NO_USER, ...user, orgao: user?.orgao ?? '', email: user?.email ?? '' }),
  send: sendUser,
  saved: ({ nome }) => `Usuário ${nome} salvo.`,
};

/** Creates an invitation to set a password. An older invitation becomes invalid. */
export const invite = ({ documento }: User): Promise<Result<Invitation>> =>
  api.post(`${USERS}/${encodeURIComponent(documento)}/invite`);

/** `own`: number of the signed-in administrator. */
export const endSessions = (ownNumber: string): RowAction<User> => ({
  label: 'Encerrar sessões',
  send: ({ documento }) => api.delete(`${USERS}/${encodeURIComponent(documento)}/sessions`),
  confirmation: ({ documento, nome }) => ({
    title: `Encerrar as sessões de ${nome}?`,
    about: `Quem está dentro como ${numberText(documento)} precisa entrar de novo, já na próxima requisição. As chaves ficam: se uma está em mãos alheias, exclua-a.${documento === ownNumber ? ' É a sua própria conta: esta sessão termina também.' : ''}`,
    doneText: `As sessões de ${nome} foram encerradas.`,
  }),
});

export const removeUser = (ownNumber: string): RowAction<User> => ({
  label: 'Excluir',
  danger: true,
  send: ({ documento }) => api.delete(`${USERS}/${encodeURIComponent(documento)}`),
  confirmation: ({ documento, nome }) => ({
    title: `Excluir ${nome}?`,
    about: `As chaves, as representações e as assinaturas de ${numberText(documento)} vão junto. O que gravou no catálogo fica.${documento === ownNumber ? ' É a sua própria conta: esta sessão termina com ela.' : ''}`,
    doneText: `${nome} foi excluído.`,
  }),
});

export const PROFILE_FIELD = {
  name: 'perfil',
  label: 'Perfil',
  kind: 'choice',
  options: PROFILE_OPTIONS,
  help: 'Com IMPEXP o usuário cuida do catálogo da empresa.',
} as const;

interface RightValues {
  readonly perfil: string;
  readonly papel: Right;
}

export const RIGHT_WORDS: Readonly<Record<Right, string>> = {
  leitura: 'Leitura',
  preenchimento: 'Preenchimento',
  aprovacao: 'Aprovação',
};

export const RIGHT_HELP: Readonly<Record<Right, string>> = {
  leitura: 'Consulta, baixa e confere sem gravar.',
  preenchimento: 'Também grava rascunhos.',
  aprovacao: 'Também grava o que fica ativo, desfaz e envia.',
};

/** Only a representation in the profile of the catalogue has a right. */
export const RIGHT_FIELD = {
  name: 'papel',
  label: 'Papel',
  kind: 'choice',
  options: RIGHTS.map((value) => ({ value, label: RIGHT_WORDS[value] })),
  help: ({ papel }) => RIGHT_HELP[papel],
  isVisible: ({ perfil }) => perfil === 'IMPEXP',
} as const satisfies FieldSpec<RightValues>;

/** Sends a representation with its right. */
export const sendRepresentation = (documento: string, cpfCnpjRaiz: string, { perfil, papel }: RightValues) =>
  api.post<Representation>(REPRESENTATIONS, {
    documento,
    cpfCnpjRaiz,
    perfil,
    ...(perfil === 'IMPEXP' && { papel }),
  });

interface RepresentationValues extends RightValues {
  readonly cpfCnpjRaiz: string;
}

/** Representations of one user. */
export const representationsOf = (
  { documento, nome }: User,
  companies: readonly Company[],
): RecordListKind<Representation, RepresentationValues, Representation> => ({
  title: 'Empresas que representa',
  words: ['representação', 'representações'],
  empty: 'Não representa empresa alguma. Comece por “Nova representação”.',
  rowKey: ({ cpfCnpjRaiz, perfil }) => `${cpfCnpjRaiz} ${perfil}`,
  columns: [
    { title: 'Raiz', code: true, text: ({ cpfCnpjRaiz }) => numberText(cpfCnpjRaiz) },
    { title: 'Empresa', text: ({ cpfCnpjRaiz }) => companyName(cpfCnpjRaiz, companies) },
    { title: 'Perfil', code: true, text: ({ perfil }) => perfil },
    { title: 'Papel', text: ({ papel }) => (papel === null ? '–' : RIGHT_WORDS[papel]) },
  ],
  form: {
    add: 'Nova representação',
    change: ({ cpfCnpjRaiz }) => `Papel em ${numberText(cpfCnpjRaiz)}`,
    fields: [
      {
        name: 'cpfCnpjRaiz',
        label: 'CPF/CNPJ raiz',
        kind: 'record',
        required: true,
        fixed: true,
        options: companyOptions(companies),
        faultOf: numberCheck('raiz', (plain) => companies.some(({ cpfCnpjRaiz }) => cpfCnpjRaiz === plain)),
      },
      { ...PROFILE_FIELD, fixed: true },
      RIGHT_FIELD,
    ],
    valuesOf: (representation) => ({
      cpfCnpjRaiz: representation?.cpfCnpjRaiz ?? '',
      perfil: representation?.perfil ?? 'IMPEXP',
      papel: representation?.papel ?? DEFAULT_RIGHT,
    }),
    send: ({ cpfCnpjRaiz, ...values }) => sendRepresentation(documento, plainNumber(cpfCnpjRaiz), values),
    saved: ({ cpfCnpjRaiz }) => `Representação de ${numberText(cpfCnpjRaiz)} salva.`,
  },
  rowActions: [
    {
      label: 'Excluir',
      danger: true,
      send: (representation) => api.delete(REPRESENTATIONS, representation),
      confirmation: ({ cpfCnpjRaiz, perfil }) => ({
        title: `Excluir a representação de ${numberText(cpfCnpjRaiz)}?`,
        about: `${nome} deixa de atuar por ${numberText(cpfCnpjRaiz)} como ${perfil}, já na próxima requisição.`,
        doneText: 'Representação excluída.',
      }),
    },
  ],
});

export const companyName = (raiz: string, companies: readonly Company[]): string =>
  companies.find(({ cpfCnpjRaiz }) => cpfCnpjRaiz === raiz)?.nome ?? numberText(raiz);

export interface KeyValues {
  readonly expiresAt: string;
}

export const sendKey = (documento: string, { expiresAt }: KeyValues) =>
  api.post<NewAccessKey>(KEYS, {
    documento,
    // The end of the day in Brasília.
    ...(expiresAt !== '' && { expiresAt: `${expiresAt}T23:59:59.999` }),
  });

export const LAST_DAY_FIELD = {
  name: 'expiresAt',
  label: 'Último dia',
  kind: 'day',
  help: 'Vale até o fim deste dia, e as sessões abertas com ela também. Vazio: não vence.',
  faultOf: (typedText: string) =>
    typedText === '' || hasDayForm(typedText)
      ? undefined
      : { message: `Recebido “${typedText}”; escreva o dia como dd/mm/aaaa.` },
} as const;

/** Access keys of one user. */
export const keysOf = ({ documento, nome }: User): RecordListKind<AccessKey, KeyValues, NewAccessKey> => ({
  title: 'Chaves de acesso',
  words: ['chave', 'chaves'],
  empty: 'Nenhuma chave ainda. Crie a primeira com “Nova chave”.',
  rowKey: ({ clientId }) => clientId,
  columns: [
    { title: 'Client-Id', code: true, text: ({ clientId }) => clientId },
    { title: 'Criada em', text: ({ createdAt }) => momentText(createdAt) },
    {
      title: 'Vence em',
      text: ({ expiresAt }) => (expiresAt === null ? 'não vence' : momentText(expiresAt)),
    },
    {
      title: 'Último uso',
      text: (key) =>
        key.lastUsedAt === null ? emptyText(key, 'lastUsedAt', 'nenhum') : momentText(key.lastUsedAt),
    },
  ],
  form: {
    add: 'Nova chave',
    fields: [LAST_DAY_FIELD],
    valuesOf: () => ({ expiresAt: '' }),
    send: (values) => sendKey(documento, values),
    saved: (key) => (onClose) => <NewKeyDialog {...key} onClose={onClose} />,
  },
  rowActions: [
    {
      label: 'Excluir',
      danger: true,
      send: ({ clientId }) => api.delete(`${KEYS}/${encodeURIComponent(clientId)}`),
      confirmation: ({ clientId }) => ({
        title: `Excluir a chave ${clientId}?`,
        about: `Ninguém mais entra com ela. ${nome} continua a existir, com as outras chaves que tiver.`,
        doneText: `A chave ${clientId} foi revogada.`,
      }),
    },
  ],
});
