/** What the administration pages speak of (contract sections 13 and 16), as the API gives it. */

export interface Company {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
  readonly cnpj: string | null;
}

export interface User {
  readonly documento: string;
  readonly nome: string;
  readonly tipo: 'PRIV' | 'PUBL';
  readonly orgao: string | null;
  readonly administrador: boolean;
}

export interface Representation {
  readonly documento: string;
  readonly cpfCnpjRaiz: string;
  readonly perfil: string;
}

export interface AccessKey {
  readonly clientId: string;
  readonly documento: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** To the hour. */
  readonly lastUsedAt: string | null;
}

export interface NewKey {
  readonly clientId: string;
  readonly clientSecret: string;
}

export const COMPANIES = '/appliance/api/companies';
export const USERS = '/appliance/api/users';
export const REPRESENTATIONS = '/appliance/api/representations';
export const KEYS = '/appliance/api/keys';

/** The profiles of the specification, the usual one first. */
export const PROFILES: readonly string[] = [
  ...['IMPEXP', 'DEPOSIT', 'OPERPORT', 'TRANSPORT', 'TRANSPEST', 'AGECARGA', 'AGEREMESS', 'AJUDESPAC'],
  ...['INSTFINANC', 'CONTATOOEA', 'RESPLEGAL', 'HABILITAD', 'TERCEIROS'],
];

export const kindInWords = (tipo: User['tipo']): string => (tipo === 'PUBL' ? 'Agente público' : 'Privado');

/** `Maria Exemplo (00000000191)`, or the number alone where nobody has it. */
export function userInWords(documento: string, users: readonly User[]): string {
  const nome = users.find((user) => user.documento === documento)?.nome;
  return nome === undefined ? documento : `${nome} (${documento})`;
}
