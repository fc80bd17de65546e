/** Runs changes of accounts: each in one transaction, recorded for the audit, and logged after the commit. */
import { type Actor, type ChangeAction, type MembersChanged, type SubjectKind, nameOf } from '../change.ts';
import type { Feed } from '../db/feed.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { isUnchanged } from './account-members.ts';
import { type AccountChange, masked } from './model.ts';

type Action = AccountChange['action'];

/** Records a change for the audit and logs it. */
export type RecordChange = (
  ...change: [...Parameters<RecordWithoutLog>, details?: AccountChange['details']]
) => void;
/** Records a change for the audit only, when it follows from another change. */
type RecordWithoutLog = (action: Action, kind: SubjectKind, key: string, members: MembersChanged) => void;

export type ChangeRecorder = RecordChange & { readonly withoutLog: RecordWithoutLog };

/** Runs a unit that changes accounts. `isDryRun`: undoes the unit, so that only its errors remain. */
export type ChangeAccounts = <T>(
  by: Actor,
  work: (record: ChangeRecorder, tx: Transaction) => T,
  isDryRun?: boolean,
) => Promise<T>;

/** Returns the runner. `onChange` is called after each change is on stable storage. */
export const accountChanges =
  (writer: Writer, feed: Feed, onChange: (change: AccountChange) => void): ChangeAccounts =>
  (by, work, isDryRun = false) =>
    writer.write((tx) => {
      // The right is checked before the work, because an administrator may end its own right with it.
      if (typeof by !== 'string') by.requireAdministrator?.();
      const author = typeof by === 'string' ? by : { documento: by.documento, key: by.key };
      feed.changing('accounts');
      tx.afterCommit(() => feed.changed('accounts'));
      const recordWithoutLog: RecordWithoutLog = (action, kind, key, { before, after }) =>
        tx.record({ by: author, action: AUDITED_ACTIONS[action], kind, key, before, after });
      const record: RecordChange = (action, kind, key, members, details = {}) => {
        if (isUnchanged(members)) return;
        recordWithoutLog(action, kind, key, members);
        const subject = `${kind} ${key.split('/').map(masked).join('/')}`;
        tx.afterCommit(() => onChange({ action, subject, by: nameOf(by), details }));
      };
      return tx.part(() => work(Object.assign(record, { withoutLog: recordWithoutLog }), tx), !isDryRun);
    });

const AUDITED_ACTIONS: Readonly<Record<Action, ChangeAction>> = {
  include: 'INCLUSAO',
  change: 'ALTERACAO',
  remove: 'EXCLUSAO',
  revoke: 'REVOGACAO',
  end: 'ENCERRAMENTO',
};
