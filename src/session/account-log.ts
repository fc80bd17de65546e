/** What the log says of a change of users, companies, representations and keys: who did what to whom, never a secret. */
import type { Logger } from '../log/log.ts';
import { type AccountChange, SYSTEM, masked } from './model.ts';

export function logAccountChange(log: Logger, { action, subject, by, details }: AccountChange): void {
  const facts = { action, subject, by: masked(by), ...details };
  // What a development instance is born with is no news.
  if (by === SYSTEM) log.debug('{action} {subject} {by}', facts);
  else log.info('{action} {subject} {by}', facts);
}
