/** Serves the administration of users, companies, representations and keys (contract section 13). */
import { type Operation, ok, operationsIn } from '../http/operation.ts';
import type { CatalogueRules } from '../validation/company.ts';
import { ClientId, accountSchemas, listedKey } from './account-schemas.ts';
import type { Accounts } from './accounts.ts';
import type { Caller } from './model.ts';
import { instantOf } from '../validation/calendar.ts';
import { t } from '../validation/type.ts';

const operation = operationsIn({
  tag: 'Administração',
  source: 'contract, section 13',
  access: 'administrator',
  right: 'none',
});
const BASE = '/appliance/api';
const KEEPS =
  'De um cadastro existente muda só o que é informado; um novo sem os membros obrigatórios é recusado (422).';

export function accountRoutes(accounts: Accounts, rules: CatalogueRules): Operation<Caller>[] {
  const schemas = accountSchemas(rules);
  const { Company, User, StoredCompany, StoredUser, Documento } = schemas;
  const { Access, GivenAccess, Representation, StoredRepresentation, KeyRequest, NewKey, ListedKey } =
    schemas;

  return [
    operation('GET', `${BASE}/companies`, {
      id: 'listCompanies',
      summary: 'Lista as empresas',
      success: t.Array(StoredCompany),
      handle: () => ok(accounts.listCompanies()),
    }),
    operation('POST', `${BASE}/companies`, {
      id: 'putCompany',
      summary: 'Inclui ou altera uma empresa',
      description: KEEPS,
      body: Company,
      success: StoredCompany,
      example: { cpfCnpjRaiz: '12345678', nome: 'Empresa Exemplo S.A.', cnpj: '12345678000195' },
      handle: async ({ body, caller }) => ok(await accounts.putCompany(body, caller)),
    }),
    operation('DELETE', `${BASE}/companies/:cpfCnpjRaiz`, {
      id: 'removeCompany',
      summary: 'Remove uma empresa que não tem registros nem representantes',
      description:
        'Uma empresa que tem registros no catálogo, ou que alguém representa, é recusada com tudo o que impede (422); nada muda.',
      params: t.Object({ cpfCnpjRaiz: Company.properties.cpfCnpjRaiz }),
      otherSuccess: [204],
      handle: ({ params, caller }) => accounts.removeCompany(params.cpfCnpjRaiz, caller),
    }),
    operation('GET', `${BASE}/users`, {
      id: 'listUsers',
      summary: 'Lista os usuários',
      success: t.Array(StoredUser),
      handle: () => ok(accounts.listUsers()),
    }),
    operation('POST', `${BASE}/users`, {
      id: 'putUser',
      summary: 'Inclui ou altera um usuário',
      description: KEEPS,
      body: User,
      success: StoredUser,
      example: { documento: '00000000191', nome: 'Maria Exemplo', tipo: 'PRIV' },
      handle: async ({ body, caller }) => ok(await accounts.putUser(body, caller)),
    }),
    operation('DELETE', `${BASE}/users/:documento`, {
      id: 'removeUser',
      summary: 'Remove um usuário, com suas chaves, representações e assinaturas',
      params: t.Object({ documento: Documento }),
      otherSuccess: [204],
      handle: ({ params, caller }) => accounts.removeUser(params.documento, caller),
    }),
    operation('DELETE', `${BASE}/users/:documento/sessions`, {
      id: 'endSessionsOfUser',
      source: 'contract, section 2',
      summary: 'Encerra todas as sessões de um usuário',
      description:
        'Seus tokens são recusados com 401 a partir da próxima requisição; as chaves continuam válidas, e com elas ele pode autenticar-se de novo.',
      params: t.Object({ documento: Documento }),
      otherSuccess: [204],
      handle: ({ params, caller }) => accounts.endSessionsOf(params.documento, caller),
    }),
    operation('GET', `${BASE}/representations`, {
      id: 'listRepresentations',
      summary: 'Lista as representações',
      success: t.Array(StoredRepresentation),
      handle: () => ok(accounts.listRepresentations()),
    }),
    operation('POST', `${BASE}/representations`, {
      id: 'putRepresentation',
      summary: 'Inclui uma representação, ou muda seu papel',
      body: Representation,
      success: StoredRepresentation,
      example: { documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP', papel: 'aprovacao' },
      handle: async ({ body, caller }) => ok(await accounts.putRepresentation(body, caller)),
    }),
    operation('DELETE', `${BASE}/representations`, {
      id: 'removeRepresentation',
      summary: 'Remove uma representação',
      body: Representation,
      otherSuccess: [204],
      example: { documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' },
      handle: ({ body, caller }) => accounts.removeRepresentation(body, caller),
    }),
    operation('POST', `${BASE}/access`, {
      id: 'giveAccess',
      summary: 'Dá a uma pessoa acesso a empresas, em um passo',
      description:
        'Inclui ou altera o usuário e suas representações e, com key, cria uma chave: tudo ou nada. Agentes públicos são recusados.',
      source: 'contract, section 27',
      body: Access,
      success: GivenAccess,
      handle: async ({ body, caller }) => ok(await accounts.giveAccess(body, caller)),
    }),
    operation('GET', `${BASE}/keys`, {
      id: 'listKeys',
      summary: 'Lista as chaves de acesso, sem os segredos',
      success: t.Array(ListedKey),
      handle: () => ok(accounts.listKeys().map(listedKey)),
    }),
    operation('POST', `${BASE}/keys`, {
      id: 'addKey',
      summary: 'Cria uma chave de acesso; o segredo é mostrado só aqui',
      body: KeyRequest,
      success: NewKey,
      example: { documento: '00000000191' },
      handle: async ({ body: { documento, expiresAt }, caller }) => ({
        ...ok(await accounts.addKey({ documento, expiresAt: instantOf(expiresAt ?? '') ?? null }, caller)),
        headers: { 'Cache-Control': 'no-store' },
      }),
    }),
    operation('DELETE', `${BASE}/keys/:clientId`, {
      id: 'revokeKey',
      summary: 'Revoga uma chave de acesso',
      params: t.Object({ clientId: ClientId }),
      otherSuccess: [204],
      handle: ({ params, caller }) => accounts.revokeKey(params.clientId, caller),
    }),
  ];
}
