/** What changed of an account, as the audit keeps it. */
import type { Members } from '../change.ts';
import { momentText } from '../validation/calendar.ts';
import type { AccessKey, Representation } from './model.ts';

type Account = Readonly<Record<string, string | boolean | null>>;

export interface MembersChanged {
  readonly before: Members | null;
  readonly after: Members | null;
}

/** The members that differ; `null`: there was no account, or is none any more. */
export const membersChanged = (before: object | undefined, after: object | undefined): MembersChanged => ({
  before: differing(before as Account | undefined, after as Account | undefined),
  after: differing(after as Account | undefined, before as Account | undefined),
});

/** An account that was given again as it was. */
export const isNothing = ({ before, after }: MembersChanged): boolean =>
  before !== null && after !== null && Object.keys({ ...before, ...after }).length === 0;

function differing(one: Account | undefined, other: Account = {}): Members | null {
  if (one === undefined) return null;
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => value !== (other[name] ?? null)));
}

type KeyFacts = Pick<AccessKey, 'clientId' | 'documento' | 'expiresAt'>;

/** Whose key it is goes with its name: the key itself goes, and the entry stays. */
export const subjectOf = ({ clientId, documento }: KeyFacts): string => `${clientId}/${documento}`;

export const toMembers = ({ documento, expiresAt }: KeyFacts) => ({
  documento,
  expiresAt: expiresAt === null ? null : momentText(expiresAt),
});

export const keyOf = ({ documento, cpfCnpjRaiz, perfil }: Representation): string =>
  `${documento}/${cpfCnpjRaiz}/${perfil}`;
