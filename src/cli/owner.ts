/**
 * Runs a root command on a service's folder as the service's user: otherwise the service could not read the
 * files that the command writes to the folder.
 */
import { statSync } from 'node:fs';
import type { Command } from 'commander';

const ROOT_USER = 0;

/** Switches from root to the data folder's owner before the command's work, if another user owns it. */
export const asOwner = (made: Command): Command =>
  made.hook('preAction', () => becomeOwnerOf(made.opts()['data']));

/** Switches from root to the owner of the folder, who then owns the written files. */
export function becomeOwnerOf(folder: unknown): void {
  if (process.getuid?.() !== ROOT_USER || typeof folder !== 'string') return;
  const { uid = ROOT_USER, gid = ROOT_USER } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  if (uid === ROOT_USER) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
