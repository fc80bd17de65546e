/**
 * Logs each change of users, companies, representations and keys: who changed what for whom, never a secret.
 */
import type { Logger } from '../log/log.ts';
import { type AccountChange, SYSTEM, masked } from './model.ts';

export function logAccountChange(log: Logger, { action, subject, by, details }: AccountChange): void {
  const facts = { action, subject, by: masked(by), ...details };
  // The initial accounts of a development instance are logged at debug level only.
  if (by === SYSTEM) log.debug('{action} {subject} {by}', facts);
  else log.info('{action} {subject} {by}', facts);
}
