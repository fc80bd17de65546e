/** What a change makes of a user (contract section 16: a name given again changes what is said and keeps the rest). */
import { shown } from '../validation/shown.ts';
import { refusal } from './account-refusals.ts';
import type { User } from './model.ts';

/** What is said of a user; what is not is kept, and of a new one nothing is assumed that gives rights. */
export type UserChange = Pick<User, 'documento' | 'nome'> & Partial<User>;

/** Throws 422 where the whole makes no sense. */
export function merged(known: User | undefined, given: UserChange): User {
  const tipo = given.tipo ?? known?.tipo ?? 'PRIV';
  const orgao = given.orgao === undefined && tipo === known?.tipo ? known.orgao : (given.orgao ?? null);
  if (tipo === 'PUBL' && orgao === null)
    throw refusal(
      'bodyRequired',
      '/orgao',
      'orgao: obrigatório para um usuário PUBL; informe a sigla do órgão.',
    );
  if (tipo === 'PRIV' && orgao !== null)
    throw refusal(
      'bodyNotAllowed',
      '/orgao',
      `orgao: recebido ${shown(orgao)}; só um usuário PUBL tem órgão.`,
    );
  const administrador = given.administrador ?? known?.administrador ?? false;
  return { documento: given.documento, nome: given.nome, tipo, orgao, administrador };
}
