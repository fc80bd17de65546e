/** Describes the changed members of an account for the audit. */
import type { MembersChanged } from '../change.ts';
import { momentText } from '../validation/calendar.ts';
import type { AccessKey, RepresentationKey } from './model.ts';

/** Returns true if the change left the account as it was. */
export const isUnchanged = ({ before, after }: MembersChanged): boolean =>
  before !== null && after !== null && Object.keys({ ...before, ...after }).length === 0;

type KeyMembers = Pick<AccessKey, 'clientId' | 'documento' | 'expiresAt'>;

/** Names a key with its owner: when the key is deleted, the entry stays. */
export const subjectOf = ({ clientId, documento }: KeyMembers): string => `${clientId}/${documento}`;

export const toMembers = ({ documento, expiresAt }: KeyMembers) => ({
  documento,
  expiresAt: expiresAt === null ? null : momentText(expiresAt),
});

export const keyOf = ({ documento, cpfCnpjRaiz, perfil }: RepresentationKey): string =>
  `${documento}/${cpfCnpjRaiz}/${perfil}`;
