/** Whoever administers the machine works on a service's folder as the service does: else files would be left that it cannot read. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';

const ROOT_USER = 0;

/** Before the command's work, root becomes the owner of its data folder, where somebody else owns it. */
export const asOwner = (made: Command): Command =>
  made.hook('preAction', () => becomeOwnerOf(made.opts()['data']));

/** What root leaves in the folder is its owner's. */
export function becomeOwnerOf(folder: unknown): void {
  if (process.getuid?.() !== ROOT_USER || typeof folder !== 'string') return;
  const { uid = ROOT_USER, gid = ROOT_USER } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  if (uid === ROOT_USER) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
