/** The fixed users and companies of a development instance (contract section 13). */
import type { Core } from '../assembly/core.ts';
import { CATALOGUE_PROFILE, SYSTEM } from '../session/model.ts';

const COMPANIES = [
  { cpfCnpjRaiz: '12345678', nome: 'Exemplo Importadora S.A.', cnpj: '12345678000195' },
  { cpfCnpjRaiz: '87654321', nome: 'Modelo Comércio Exterior Ltda.', cnpj: '87654321000198' },
  { cpfCnpjRaiz: '11222333', nome: 'Outra Empresa Ltda.', cnpj: '11222333000181' },
] as const;

export const USERS = [
  { key: 'demo', documento: '00000000191', nome: 'Maria Demonstração', represents: ['12345678', '87654321'] },
  { key: 'demo2', documento: '00000000272', nome: 'João Demonstração', represents: ['12345678'] },
  { key: 'estranho', documento: '00000000353', nome: 'Ana de Outra Empresa', represents: ['11222333'] },
  { key: 'publico', documento: '00000000434', nome: 'Agente Público', represents: [], orgao: 'RECEITA' },
  { key: 'admin', documento: '00000000515', nome: 'Administração', represents: [], administrador: true },
] as const;

/** A user that authenticates by certificate only (contract section 13). */
export const COMPANY_USER = {
  documento: '12345678000195',
  nome: 'Exemplo Importadora S.A.',
  represents: '12345678',
  perfil: 'DEPOSIT',
} as const;

/**
 * Adds the users and companies. The secret of each access key equals its Client-Id. The writes run
 * concurrently to share a commit.
 */
export async function addPeople({ session: { accounts } }: Core): Promise<void> {
  const { represents: cpfCnpjRaiz, perfil, ...companyUser } = COMPANY_USER;
  await Promise.all([
    ...COMPANIES.map((company) => accounts.putCompany(company)),
    ...USERS.map((user) => {
      const { documento, nome } = user;
      const orgao = 'orgao' in user ? user.orgao : null;
      const administrador = 'administrador' in user;
      return accounts.putUser({
        documento,
        nome,
        tipo: orgao === null ? 'PRIV' : 'PUBL',
        orgao,
        administrador,
      });
    }),
    accounts.putUser({ ...companyUser, tipo: 'PRIV', orgao: null, administrador: false }),
  ]);
  await Promise.all([
    accounts.putRepresentation({ documento: companyUser.documento, cpfCnpjRaiz, perfil }),
    ...USERS.flatMap(({ key, documento, represents }) => [
      accounts.addKey({ documento }, SYSTEM, { clientId: key, clientSecret: key }),
      ...represents.map((cpfCnpjRaiz) =>
        accounts.putRepresentation({ documento, cpfCnpjRaiz, perfil: CATALOGUE_PROFILE }),
      ),
    ]),
  ]);
}
