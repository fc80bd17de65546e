/** The fixed users and companies of a development instance (contract section 13). */
import type { Core } from '../core.ts';
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

/** Adds them; each key's secret is its own name. All at once: what waits together shares a commit. */
export async function addPeople({ session: { accounts } }: Core): Promise<void> {
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
  ]);
  await Promise.all(
    USERS.flatMap(({ key, documento, represents }) => [
      accounts.addKey(documento, SYSTEM, { clientId: key, clientSecret: key }),
      ...represents.map((cpfCnpjRaiz) =>
        accounts.putRepresentation({ documento, cpfCnpjRaiz, perfil: CATALOGUE_PROFILE }),
      ),
    ]),
  );
}
