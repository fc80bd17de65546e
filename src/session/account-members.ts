/** What changed of an account, as the audit keeps it. */
import type { MembersChanged } from '../change.ts';
import { momentText } from '../validation/calendar.ts';
import type { AccessKey, Representation } from './model.ts';

/** An account that was given again as it was. */
export const isNothing = ({ before, after }: MembersChanged): boolean =>
  before !== null && after !== null && Object.keys({ ...before, ...after }).length === 0;

type KeyFacts = Pick<AccessKey, 'clientId' | 'documento' | 'expiresAt'>;

/** Whose key it is goes with its name: the key itself goes, and the entry stays. */
export const subjectOf = ({ clientId, documento }: KeyFacts): string => `${clientId}/${documento}`;

export const toMembers = ({ documento, expiresAt }: KeyFacts) => ({
  documento,
  expiresAt: expiresAt === null ? null : momentText(expiresAt),
});

export const keyOf = ({ documento, cpfCnpjRaiz, perfil }: Representation): string =>
  `${documento}/${cpfCnpjRaiz}/${perfil}`;
