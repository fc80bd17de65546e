/** Administration of users, companies, representations and keys (contract section 13). */
import { Type as t } from '@sinclair/typebox';
import { type Operation, noContent, ok, operation } from '../http/operation.ts';
import { type CatalogueRules, companySchema } from '../catalogue/company.ts';
import type { Accounts } from './accounts.ts';
import { type Caller, PROFILES, type PartyKind, type Profile } from './model.ts';

const ADMINISTRATION = { tag: 'Administração', source: 'contract, section 13', access: 'administrator' } as const;
const BASE = '/appliance/api';
const strict = { additionalProperties: false } as const;

const Nome = t.String({ minLength: 1, maxLength: 150 });
const ClientId = t.String({ minLength: 1, maxLength: 100 });

export function accountRoutes(accounts: Accounts, rules: CatalogueRules): Operation<Caller>[] {
  const cpfCnpjRaiz = companySchema(rules);
  const cnpj = rules.alphanumericCnpj ? '[0-9A-Z]{12}[0-9]{2}' : '[0-9]{14}';
  const Documento = t.String({
    pattern: `^([0-9]{11}|${cnpj})$`,
    'x-domain': 'CPF com 11 ou CNPJ com 14 posições',
    examples: ['00000000191'],
  });
  const Cnpj = t.String({ pattern: `^${cnpj}$`, 'x-domain': 'CNPJ com 14 posições' });
  const Perfil = t.Unsafe<Profile>({ type: 'string', enum: Object.keys(PROFILES) });
  const Company = t.Object({ cpfCnpjRaiz, nome: Nome, cnpj: t.Optional(Cnpj) }, strict);
  const User = t.Object(
    {
      documento: Documento,
      nome: Nome,
      tipo: t.Unsafe<PartyKind>({ type: 'string', enum: ['PRIV', 'PUBL'] }),
      orgao: t.Optional(t.String({ maxLength: 40 })),
      administrador: t.Optional(t.Boolean()),
    },
    strict,
  );
  const Representation = t.Object({ documento: Documento, cpfCnpjRaiz, perfil: Perfil }, strict);

  return [
    operation('GET', `${BASE}/companies`, {
      ...ADMINISTRATION,
      id: 'listCompanies',
      summary: 'Lista as empresas',
      success: t.Array(Company),
      handle: () => ok(accounts.listCompanies()),
    }),
    operation('POST', `${BASE}/companies`, {
      ...ADMINISTRATION,
      id: 'putCompany',
      summary: 'Inclui ou altera uma empresa',
      body: Company,
      success: Company,
      example: { cpfCnpjRaiz: '12345678', nome: 'Empresa Exemplo S.A.', cnpj: '12345678000195' },
      handle: async ({ body }) => ok(await accounts.putCompany({ ...body, cnpj: body.cnpj ?? null })),
    }),
    operation('GET', `${BASE}/users`, {
      ...ADMINISTRATION,
      id: 'listUsers',
      summary: 'Lista os usuários',
      success: t.Array(User),
      handle: () => ok(accounts.listUsers()),
    }),
    operation('POST', `${BASE}/users`, {
      ...ADMINISTRATION,
      id: 'putUser',
      summary: 'Inclui ou altera um usuário',
      body: User,
      success: User,
      example: { documento: '00000000191', nome: 'Maria Exemplo', tipo: 'PRIV' },
      handle: async ({ body }) =>
        ok(
          await accounts.putUser({ ...body, orgao: body.orgao ?? null, administrador: body.administrador ?? false }),
        ),
    }),
    operation('DELETE', `${BASE}/users/:documento`, {
      ...ADMINISTRATION,
      id: 'removeUser',
      summary: 'Remove um usuário, com suas chaves, representações e assinaturas',
      params: t.Object({ documento: Documento }),
      otherSuccess: [204],
      handle: async ({ params }) => {
        await accounts.removeUser(params.documento);
        return noContent;
      },
    }),
    operation('GET', `${BASE}/representations`, {
      ...ADMINISTRATION,
      id: 'listRepresentations',
      summary: 'Lista as representações',
      success: t.Array(Representation),
      handle: () => ok(accounts.listRepresentations()),
    }),
    operation('POST', `${BASE}/representations`, {
      ...ADMINISTRATION,
      id: 'putRepresentation',
      summary: 'Inclui uma representação',
      body: Representation,
      success: Representation,
      example: { documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' },
      handle: async ({ body }) => ok(await accounts.putRepresentation(body)),
    }),
    operation('DELETE', `${BASE}/representations`, {
      ...ADMINISTRATION,
      id: 'removeRepresentation',
      summary: 'Remove uma representação',
      body: Representation,
      otherSuccess: [204],
      example: { documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' },
      handle: async ({ body }) => {
        await accounts.removeRepresentation(body);
        return noContent;
      },
    }),
    operation('GET', `${BASE}/keys`, {
      ...ADMINISTRATION,
      id: 'listKeys',
      summary: 'Lista as chaves de acesso, sem os segredos',
      success: t.Array(t.Object({ clientId: ClientId, documento: Documento, createdAt: t.Integer() })),
      handle: () => ok(accounts.listKeys()),
    }),
    operation('POST', `${BASE}/keys`, {
      ...ADMINISTRATION,
      id: 'addKey',
      summary: 'Cria uma chave de acesso; o segredo é mostrado só aqui',
      body: t.Object({ documento: Documento }, strict),
      success: t.Object({ clientId: ClientId, clientSecret: t.String() }),
      example: { documento: '00000000191' },
      handle: async ({ body }) => ({
        ...ok(await accounts.addKey(body.documento)),
        headers: { 'Cache-Control': 'no-store' },
      }),
    }),
    operation('DELETE', `${BASE}/keys/:clientId`, {
      ...ADMINISTRATION,
      id: 'revokeKey',
      summary: 'Revoga uma chave de acesso',
      params: t.Object({ clientId: ClientId }),
      otherSuccess: [204],
      handle: async ({ params }) => {
        await accounts.revokeKey(params.clientId);
        return noContent;
      },
    }),
  ];
}
