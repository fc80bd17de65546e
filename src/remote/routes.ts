/** The operations of remotes (contract section 18, Set up). */
import { type Operation, ok, operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import type { CatalogueRules } from '../validation/company.ts';
import { RemoteName, remoteSchemas } from './model.ts';
import type { RemoteService } from './service.ts';
import { TriedForm } from './wire/model.ts';
import { t } from '../validation/type.ts';

export const REMOTE_PATH = '/appliance/api/remotes';
export const REMOTE_SECTION = { tag: 'Remotos', source: 'contract, section 18' } as const;
const SET_UP = { ...REMOTE_SECTION, access: 'administrator' } as const;

export function remoteRoutes(remotes: RemoteService, rules: CatalogueRules): Operation<Caller>[] {
  const { Request, Change, Stored } = remoteSchemas(rules);
  const Name = t.Object({ name: RemoteName });
  return [
    operation('GET', REMOTE_PATH, {
      ...REMOTE_SECTION,
      id: 'listRemotes',
      summary: 'Lista os remotos',
      description: 'Um administrador vê todos; os outros, os de uma empresa que representam.',
      success: t.Array(Stored),
      handle: ({ caller }) => ok(remotes.list(caller)),
    }),
    operation('POST', REMOTE_PATH, {
      ...SET_UP,
      id: 'addRemote',
      right: 'none',
      summary: 'Inclui um remoto',
      description:
        'Outro servidor desta interface (o serviço público, ou um catp) com que o catálogo é comparado: por rede, se tem url, ou pelos arquivos que lá se exportam. Nada é enviado. Os segredos ficam cifrados e nunca são mostrados.',
      body: Request,
      success: Stored,
      example: { name: 'portal', companies: ['12345678'] },
      handle: async ({ body, caller }) => ok(await remotes.add(body, caller)),
    }),
    operation('GET', `${REMOTE_PATH}/:name`, {
      ...REMOTE_SECTION,
      id: 'getRemote',
      summary: 'Mostra um remoto',
      params: Name,
      success: Stored,
      handle: ({ caller, params }) => ok(remotes.get(caller, params.name)),
    }),
    operation('PUT', `${REMOTE_PATH}/:name`, {
      ...SET_UP,
      id: 'changeRemote',
      right: 'none',
      summary: 'Altera um remoto',
      description:
        'Muda o que é dito e fica o resto. Com outro endereço ou outra ca o segredo é enviado de novo, e a correspondência entre os registros é esquecida.',
      params: Name,
      body: Change,
      success: Stored,
      example: { rules: 'portal' },
      handle: async ({ params, body, caller }) => ok(await remotes.change(params.name, body, caller)),
    }),
    operation('POST', `${REMOTE_PATH}/:name/test`, {
      ...SET_UP,
      id: 'tryRemote',
      right: 'none',
      summary: 'Entra no remoto e mostra o resultado',
      description:
        'Nada é lido nem gravado lá. Ninguém entra duas vezes em 60 segundos: antes disso a resposta diz até quando esperar.',
      params: Name,
      success: TriedForm,
      handle: async ({ params }) => ok(await remotes.try(params.name)),
    }),
    operation('DELETE', `${REMOTE_PATH}/:name`, {
      ...SET_UP,
      id: 'removeRemote',
      right: 'none',
      summary: 'Remove um remoto, com suas comparações e a correspondência entre os registros',
      description: 'Os dois catálogos continuam como estão.',
      params: Name,
      otherSuccess: [204],
      handle: ({ params, caller }) => remotes.remove(params.name, caller),
    }),
  ];
}
