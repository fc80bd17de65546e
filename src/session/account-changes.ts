/** Changes of accounts: one transaction each, recorded for the audit, and logged after the commit. */
import { type Actor, type ChangeAction, type MembersChanged, type SubjectKind, nameOf } from '../change.ts';
import type { Feed } from '../db/feed.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { isNothing } from './account-members.ts';
import { type AccountChange, masked } from './model.ts';

export interface AccountChangesParts {
  readonly writer: Writer;
  readonly feed: Feed;
  /** Called after each change is on stable storage. */
  readonly changed: (change: AccountChange) => void;
}

type Action = AccountChange['action'];

/** Records a change for the audit and logs it. */
export type Tell = (...told: [...Parameters<Quietly>, details?: AccountChange['details']]) => void;
/** Records a change for the audit only, when it follows from another change. */
type Quietly = (action: Action, kind: SubjectKind, key: string, members: MembersChanged) => void;

export type Telling = Tell & { readonly quietly: Quietly };

/** Runs a unit that changes accounts. `isDryRun`: undoes it and only throws what it would throw. */
export type ChangeAccounts = <T>(
  by: Actor,
  work: (tell: Telling, tx: Transaction) => T,
  isDryRun?: boolean,
) => Promise<T>;

export const accountChanges =
  ({ writer, feed, changed }: AccountChangesParts): ChangeAccounts =>
  (by, work, isDryRun = false) =>
    writer.write((tx) => {
      tx.afterCommit(() => feed.changed('accounts'));
      const record: Quietly = (action, kind, key, { before, after }) =>
        tx.record({ by, action: AUDITED_ACTIONS[action], kind, key, before, after });
      const tell: Tell = (action, kind, key, members, details = {}) => {
        if (isNothing(members)) return;
        record(action, kind, key, members);
        const subject = `${kind} ${key.split('/').map(masked).join('/')}`;
        tx.afterCommit(() => changed({ action, subject, by: nameOf(by), details }));
      };
      return tx.part(() => work(Object.assign(tell, { quietly: record }), tx), !isDryRun);
    });

const AUDITED_ACTIONS: Readonly<Record<Action, ChangeAction>> = {
  include: 'INCLUSAO',
  change: 'ALTERACAO',
  remove: 'EXCLUSAO',
  revoke: 'REVOGACAO',
  end: 'ENCERRAMENTO',
};
