/**
 * Declares two lists about the identity provider (contract section 27): the companies that each of its groups
 * gives access to, and the identities of a person at the provider.
 */
import type { Company, Group, Identity, ListedSetting, NewGroup, User } from '../api/answers.ts';
import { RIGHTS, type Right } from '../../right.ts';
import { api } from '../api/api.ts';
import { useResource } from '../api/use-resource.ts';
import type { RecordListKind } from '../kit/record-list/record-list.tsx';
import { companyOptions } from '../ui/company-options.ts';
import { companyName, RIGHT_HELP, RIGHT_WORDS, USERS } from './kinds.tsx';

export const GROUPS = '/appliance/api/groups';
export const identitiesOf = ({ documento }: Pick<User, 'documento'>): string =>
  `${USERS}/${encodeURIComponent(documento)}/identities`;

/** Returns the value of a setting in force. `undefined`: the settings are not loaded yet. */
export function useSetting(name: string): string | undefined {
  const settings = useResource<readonly ListedSetting[]>('/appliance/api/settings');
  return settings.value?.find((setting) => setting.name === name)?.value;
}

interface GroupValues {
  readonly group: string;
  readonly papel: Right;
  readonly scope: 'todas' | 'algumas';
  readonly companies: readonly string[];
}

/** Declares the groups of the provider, each with the companies that it gives access to. */
export const groupKind = (companies: readonly Company[]): RecordListKind<Group, GroupValues, NewGroup> => ({
  title: 'Empresas por grupo do provedor',
  words: ['grupo', 'grupos'],
  empty: 'Nenhum grupo ainda. Comece por “Novo grupo”.',
  rowKey: ({ id }) => String(id),
  columns: [
    { title: 'Grupo', text: ({ group }) => group },
    {
      title: 'Empresas',
      text: ({ companies: groupCompanies }) =>
        Array.isArray(groupCompanies)
          ? groupCompanies.map((raiz: string) => companyName(raiz, companies)).join(', ')
          : 'Todas',
    },
    { title: 'Papel', text: ({ papel }) => RIGHT_WORDS[papel] },
  ],
  form: {
    add: 'Novo grupo',
    fields: [
      {
        name: 'group',
        label: 'Grupo',
        required: true,
        max: 300,
        help: 'Letra por letra como o provedor o envia.',
      },
      {
        name: 'scope',
        label: 'Empresas',
        kind: 'choice',
        options: [
          { value: 'todas', label: 'Todas' },
          { value: 'algumas', label: 'Só algumas' },
        ],
        help: ({ scope }) =>
          scope === 'todas' ? 'As que existem em cada entrada da pessoa.' : 'Escolha-as abaixo.',
      },
      {
        name: 'companies',
        label: 'Quais',
        kind: 'records',
        options: companyOptions(companies),
        isVisible: ({ scope }) => scope === 'algumas',
      },
      {
        name: 'papel',
        label: 'Papel',
        kind: 'choice',
        options: RIGHTS.map((value) => ({ value, label: RIGHT_WORDS[value] })),
        help: ({ papel }) => RIGHT_HELP[papel],
      },
    ],
    valuesOf: () => ({ group: '', papel: 'leitura', scope: 'todas', companies: [] }),
    send: ({ group, papel, scope, companies: selected }) =>
      api.post<NewGroup>(GROUPS, {
        group: group.trim(),
        papel,
        companies: scope === 'todas' ? scope : selected,
      }),
    saved: () => 'Grupo salvo. Vale na próxima entrada de cada pessoa.',
  },
  rowActions: [
    {
      label: 'Excluir',
      danger: true,
      send: ({ id }) => api.delete(`${GROUPS}/${id}`),
      confirmation: ({ group }) => ({
        title: `Excluir o acesso do grupo ${group}?`,
        about: 'Quem tem empresas só por ele as perde já na próxima requisição. O que foi dado à mão fica.',
        doneText: `O acesso do grupo ${group} foi excluído.`,
      }),
    },
  ],
});

/**
 * Declares the identities of a person. `issuer` is the issuer that this instance uses, or empty if it uses
 * none.
 */
export const identityKind = (user: User, issuer: string): RecordListKind<Identity, Identity, Identity> => ({
  title: 'Identidades no provedor',
  words: ['identidade', 'identidades'],
  empty:
    'Nenhuma. A pessoa entra pelo CPF que o provedor envia; se ele não o envia, ligue a identidade dela.',
  rowKey: ({ issuer: provider, sub }) => `${provider} ${sub}`,
  columns: [
    { title: 'Identificador', code: true, text: ({ sub }) => sub },
    { title: 'Emissor', code: true, text: ({ issuer: provider }) => provider },
  ],
  form: {
    add: 'Ligar identidade',
    fields: [
      {
        name: 'sub',
        label: 'Identificador',
        kind: 'code',
        required: true,
        max: 255,
        help: 'O da pessoa no provedor (sub). A página que recusa a entrada de um desconhecido o mostra.',
      },
      {
        name: 'issuer',
        label: 'Emissor',
        kind: 'code',
        required: true,
        max: 500,
        help: 'O endereço do provedor (iss), letra por letra.',
      },
    ],
    valuesOf: () => ({ issuer, sub: '' }),
    send: ({ issuer: provider, sub }) =>
      api.post<Identity>(identitiesOf(user), { issuer: provider.trim(), sub: sub.trim() }),
    saved: () => `Identidade ligada a ${user.nome}.`,
  },
  rowActions: [
    {
      label: 'Desligar',
      danger: true,
      send: ({ issuer: provider, sub }) => api.delete(identitiesOf(user), { issuer: provider, sub }),
      confirmation: ({ sub }) => ({
        title: `Desligar a identidade ${sub}?`,
        about: `As sessões que ${user.nome} abriu pelo provedor terminam já. Se o provedor envia o CPF desta pessoa, ela ainda entra por ele.`,
        doneText: 'Identidade desligada.',
      }),
    },
  ],
});
