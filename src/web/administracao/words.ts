/** Types of the administration pages (contract sections 13 and 16), as the API returns them. */
import type { User } from '../api/answers.ts';
import { numberText } from '../words.ts';

export const COMPANIES = '/appliance/api/companies';
export const USERS = '/appliance/api/users';
export const REPRESENTATIONS = '/appliance/api/representations';
export const KEYS = '/appliance/api/keys';

export const kindInWords = (tipo: User['tipo']): string => (tipo === 'PUBL' ? 'Agente público' : 'Privado');

/** Formats a user as `Maria Exemplo (000.000.001-91)`, or as the number alone when the user is unknown. */
export function userInWords(documento: string, users: readonly User[]): string {
  const nome = users.find((user) => user.documento === documento)?.nome;
  return nome === undefined ? numberText(documento) : `${nome} (${numberText(documento)})`;
}
