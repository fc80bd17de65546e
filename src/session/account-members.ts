/** The changed members of an account, as the audit keeps them. */
import type { MembersChanged } from '../change.ts';
import { momentText } from '../validation/calendar.ts';
import type { AccessKey, RepresentationKey } from './model.ts';

/** Returns true for a change that left the account as it was. */
export const isNothing = ({ before, after }: MembersChanged): boolean =>
  before !== null && after !== null && Object.keys({ ...before, ...after }).length === 0;

type KeyFacts = Pick<AccessKey, 'clientId' | 'documento' | 'expiresAt'>;

/** Names a key with its owner: when the key is deleted, the entry stays. */
export const subjectOf = ({ clientId, documento }: KeyFacts): string => `${clientId}/${documento}`;

export const toMembers = ({ documento, expiresAt }: KeyFacts) => ({
  documento,
  expiresAt: expiresAt === null ? null : momentText(expiresAt),
});

export const keyOf = ({ documento, cpfCnpjRaiz, perfil }: RepresentationKey): string =>
  `${documento}/${cpfCnpjRaiz}/${perfil}`;
