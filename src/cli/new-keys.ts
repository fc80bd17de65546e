/**
 * Creates new keys for a folder that has lost its own. Secrets sealed with the lost keys are lost too, and
 * are reported.
 */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGED_SECRET } from '../change.ts';
import { OuterSeal } from '../audit/outer-seal.ts';
import { verifyAudit } from '../audit/verify.ts';
import { SystemClock, monotonicMs } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import { openCore } from '../assembly/core.ts';
import { FolderMarks } from '../db/folder-mark.ts';
import { lockFolder } from '../db/lock.ts';
import { OperatorError } from '../errors.ts';
import {
  KEY_FILE,
  findKeys,
  newKeys,
  pathsOf,
  requireInstance,
  withUsableFolder,
  writeKeys,
} from '../db/folder.ts';
import { folderStateOf, requireCurrent, requireOwnFolder } from '../replica/folder-owner.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { SubscriptionStore } from '../notification/subscription/store.ts';

type Subscriptions = ReturnType<SubscriptionStore['listWithSecrets']>;

export interface EmptiedSecrets {
  readonly subscriptions: Subscriptions;
  /** The names of the remotes. */
  readonly remotes: readonly string[];
}

/**
 * These marks keep the lists of emptied secrets until they are printed: a process killed in between must not
 * lose them.
 */
const EMPTIED_SECRETS_MARK = 'emptied-secrets';
const EMPTIED_REMOTES = 'emptied-remotes';

/** The members in the audit entry of a remote or a subscription whose secrets are lost. */
const EMPTIED_SECRET = { before: {}, after: { segredo: CHANGED_SECRET } };

/**
 * Replaces the keys. Returns the subscriptions and the remotes whose secrets were emptied: none when only the
 * token key changes. Throws when the folder has keys that would be lost, or is in use by a server.
 */
export async function replaceKeys(
  path: string,
  settings: Settings,
  /** The token key to share with other instances. Secrets sealed with the other key stay. */
  tokenKey: Uint8Array | undefined,
): Promise<EmptiedSecrets> {
  requireInstance(path);
  const state = folderStateOf(path);
  requireOwnFolder(path, state);
  requireCurrent(path, state);
  const storedKeys = withUsableFolder(path, () => findKeys(path));
  const file = join(path, KEY_FILE);
  const usableKeys = storedKeys === 'damaged' ? undefined : storedKeys;
  if (usableKeys !== undefined && tokenKey === undefined)
    throw new OperatorError(
      `${path} tem as suas chaves, e com outras os segredos das assinaturas se perderiam. Se é isso que quer, tire antes ${file} do lugar.`,
    );
  using lock = withUsableFolder(path, () => lockFolder(path));
  if (lock === undefined)
    throw new OperatorError(`${path} está em uso por outro catp. Pare-o antes de fazer chaves novas.`);
  if (usableKeys !== undefined && tokenKey !== undefined) {
    writeKeys(path, { tokens: tokenKey, secrets: usableKeys.secrets });
    return { subscriptions: [], remotes: [] };
  }
  const keys = newKeys(tokenKey);
  const [folder, clock] = [pathsOf(path), new SystemClock()];
  await using core = openCore({
    folder: { ...folder, keys },
    settings,
    clock,
    stopwatch: monotonicMs,
    keysAreNew: true,
  });
  const [marks, store] = [new FolderMarks(core.db), new SubscriptionStore(core.db)];
  // The key of the old seal is lost, so the seal cannot be verified. It still holds the length of the trail.
  const outer = new OuterSeal(path, undefined);
  const oldSeal = outer.find();
  const { fault } = verifyAudit(core.db, { outer });
  await core.writer.write(() => core.trail.reseal(fault));
  await core.backups.recordOpening(COMMAND_LINE);
  const emptied = await core.writer.write((tx) => {
    const emptiedBefore = JSON.parse(marks.find(EMPTIED_SECRETS_MARK) ?? '[]') as Subscriptions;
    const knownRemotes = JSON.parse(marks.find(EMPTIED_REMOTES) ?? '[]') as string[];
    const subscriptionsWithSecrets = store.listWithSecrets();
    const remotesWithSecrets = core.remote.connectionStore.listWithSecrets();
    const all = {
      subscriptions: [...emptiedBefore, ...subscriptionsWithSecrets],
      remotes: [...knownRemotes, ...remotesWithSecrets],
    };
    store.emptySecrets();
    for (const name of remotesWithSecrets)
      tx.record({ by: COMMAND_LINE, action: 'ALTERACAO', kind: 'remoto', key: name, ...EMPTIED_SECRET });
    core.remote.connectionStore.emptySecrets();
    core.email.loseContents(tx.now);
    const after = typeof oldSeal === 'object' ? String(oldSeal.seq) : null;
    tx.record({
      by: COMMAND_LINE,
      action: 'SUBSTITUICAO',
      kind: 'chave',
      key: KEY_FILE,
      before: null,
      after,
    });
    for (const { id } of subscriptionsWithSecrets)
      tx.record({
        by: COMMAND_LINE,
        action: 'ALTERACAO',
        kind: 'assinatura',
        key: String(id),
        ...EMPTIED_SECRET,
      });
    marks.put(EMPTIED_SECRETS_MARK, JSON.stringify(all.subscriptions));
    marks.put(EMPTIED_REMOTES, JSON.stringify(all.remotes));
    return all;
  });
  if (storedKeys === 'damaged') renameSync(file, `${file}.danificado`);
  writeKeys(path, keys);
  await core.writer.write(() => {
    marks.remove(EMPTIED_SECRETS_MARK);
    marks.remove(EMPTIED_REMOTES);
  });
  return emptied;
}
