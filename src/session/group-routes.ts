/** Serves the administration of access by groups of a provider (contract section 27). */
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import { RIGHTS, type Right } from '../right.ts';
import { choice, closedForm, form, text } from '../validation/forms.ts';
import { ONE_LINE, ONE_LINE_DOMAIN } from '../validation/text.ts';
import { rootsIn } from './account-roots.ts';
import type { Groups } from './groups.ts';
import type { Caller } from './model.ts';
import { t } from '../validation/type.ts';

const operation = operationsIn({
  tag: 'Administração',
  source: 'contract, section 27',
  access: 'administrator',
  right: 'none',
});
const PATH = '/appliance/api/groups';

const members = {
  group: text('O grupo, letra por letra como o provedor o envia.', 'comex-analistas', {
    minLength: 1,
    maxLength: 300,
    pattern: ONE_LINE,
    'x-domain': ONE_LINE_DOMAIN,
  }),
  companies: t.Unsafe<unknown>({
    description: 'Lista das raízes das empresas, ou o texto todas: as que existem em cada entrada.',
    examples: [['12345678']],
    'x-printed': { not: { type: 'null' } },
  }),
  papel: choice<Right>(RIGHTS, 'O papel que o grupo dá nessas empresas.', 'leitura'),
};
const GroupRequest = closedForm('GroupRequest', 'O acesso que um grupo do provedor dá.', members);
const Id = t.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Número do grupo.',
  examples: [1],
});
const NewGroup = form('NewGroup', 'O número de um grupo novo.', { id: Id });
const StoredGroup = form('Group', 'O acesso que um grupo do provedor dá.', { id: Id, ...members });

export function groupRoutes(groups: Groups): Operation<Caller>[] {
  return [
    operation('GET', PATH, {
      id: 'listGroups',
      summary: 'Lista o acesso por grupos do provedor OpenID Connect',
      success: t.Array(StoredGroup),
      handle: () => ok(groups.list()),
    }),
    operation('POST', PATH, {
      id: 'addGroup',
      summary: 'Dá acesso a quem o provedor põe em um grupo',
      description:
        'Vale nas sessões abertas pelo provedor, a partir da próxima entrada da pessoa; o mesmo grupo pode ter vários acessos. De vários papéis vale o maior, e o que um administrador deu nunca diminui.',
      body: GroupRequest,
      success: NewGroup,
      handle: async ({ body: { group, companies, papel }, caller }) => {
        const roots = companies === 'todas' ? companies : rootsIn(companies);
        return ok({ id: await groups.add({ group, companies: roots, papel }, caller) });
      },
    }),
    operation('DELETE', `${PATH}/:id`, {
      id: 'removeGroup',
      summary: 'Retira o acesso de um grupo do provedor',
      description: 'Quem tinha empresas só por ele deixa de tê-las na próxima requisição.',
      params: t.Object({ id: Id }),
      otherSuccess: [204],
      handle: ({ params, caller }) => groups.remove(params.id, caller),
    }),
  ];
}
