/**
 * Merges a change into a user (contract section 16: a name given again changes the given members and keeps
 * the rest).
 */
import { formatValue } from '../validation/format-value.ts';
import { refusal, requireOfNew } from './account-refusals.ts';
import type { User } from './model.ts';

/** The members of a user to set. Omitted members are kept. A new user has no right by default. */
export type UserChange = Pick<User, 'documento'> & Partial<User>;

/**
 * Returns the changed user. Throws 400 for members that a new one lacks, 422 when the members contradict each
 * other.
 */
export function mergedUser(stored: User | undefined, change: UserChange): User {
  const members = { nome: change.nome ?? stored?.nome, tipo: change.tipo ?? stored?.tipo };
  requireOfNew(`o usuário ${change.documento}`, members);
  const { nome, tipo } = members;
  const orgao = change.orgao === undefined && tipo === stored?.tipo ? stored.orgao : (change.orgao ?? null);
  if (tipo === 'PUBL' && orgao === null)
    throw refusal('bodyRequired', '/orgao', 'obrigatório para um usuário PUBL; informe a sigla do órgão.');
  if (tipo === 'PRIV' && orgao !== null)
    throw refusal(
      'bodyNotAllowed',
      '/orgao',
      `recebido ${formatValue(orgao)}; só um usuário PUBL tem órgão.`,
    );
  const administrador = change.administrador ?? stored?.administrador ?? false;
  const email = change.email === undefined ? (stored?.email ?? null) : change.email;
  return { documento: change.documento, nome, tipo, orgao, email, administrador };
}
