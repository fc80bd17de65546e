/** Creates an instance completely, or leaves no file of it when it fails. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SystemClock, monotonicMs } from '../clock.ts';
import { CONFIG_FILE, type Settings } from '../settings/config.ts';
import { configTemplate } from '../settings/config-template.ts';
import { openCore } from '../assembly/core.ts';
import { LOCK_FILE, lockFolder } from '../db/lock.ts';
import { OperatorError } from '../errors.ts';
import { makeOwn, makeOwnFolder } from '../system/own-folder.ts';
import { quoted } from '../system/shell.ts';
import { syncFolder } from '../system/sync-folder.ts';
import {
  DATABASE_FILE,
  KEY_FILE,
  SEAL_FILE,
  findKeys,
  isDataFolder,
  newKeys,
  pathsOf,
  withUsableFolder,
  writeKeys,
} from '../db/folder.ts';
import { WRITER_FILE } from '../db/folder-writer.ts';
import { FolderMarks, MADE_BY_INIT } from '../db/folder-mark.ts';
import { KeyMark } from '../db/key-mark.ts';
import type { CompanyChange } from '../session/accounts.ts';
import { COMMAND_LINE } from '../session/model.ts';
import type { UserChange } from '../session/user-change.ts';
import { reasonOf } from '../system/errors.ts';
import { namesIn } from '../system/gone.ts';
import { logFromCommandLine } from './open.ts';

export interface FirstAccounts {
  readonly company: CompanyChange | undefined;
  readonly administrator: UserChange | undefined;
}

export interface InstanceParts {
  readonly path: string;
  readonly settings: Settings;
  /** The catp.toml to write, in the folder if no `file` is named; `undefined`: a file exists. */
  readonly config:
    { readonly file: string | undefined; readonly given: ReadonlyMap<string, string> } | undefined;
  readonly accounts: FirstAccounts;
  /** The token key, if other instances share it. */
  readonly tokenKey: Uint8Array | undefined;
}

export interface FirstKey {
  readonly clientId?: string;
  readonly clientSecret?: string;
}

/** Files that a folder may contain before it holds an instance. */
const ALLOWED_NAMES: ReadonlySet<string> = new Set([
  CONFIG_FILE,
  LOCK_FILE,
  KEY_FILE,
  SEAL_FILE,
  WRITER_FILE,
  'imports',
  'backups',
  'lost+found',
]);
/** The staging folder of the database. The move of the database out of it completes the instance. */
const STAGING = '.init';

/** Creates the instance. Throws an `OperatorError` when the folder has an instance, or foreign files. */
export async function makeInstance(parts: InstanceParts): Promise<FirstKey> {
  const { path } = parts;
  requireEmptyFolder(path);
  const newPaths: string[] = [];
  try {
    return await withUsableFolderAsync(path, () => build(parts, newPaths));
  } catch (error) {
    for (const one of newPaths.toReversed()) rmSync(one, { recursive: true, force: true });
    throw error;
  }
}

function requireEmptyFolder(path: string): void {
  if (isDataFolder(path))
    throw new OperatorError(
      `${path} já tem uma instância do catp. Inicie-a com catp serve --data ${quoted(path)}, ou indique outra pasta com --data.`,
    );
  const foreignNames = withUsableFolder(path, () => namesIn(path)).filter(
    (name) => !ALLOWED_NAMES.has(name) && name !== STAGING,
  );
  if (foreignNames.length > 0)
    throw new OperatorError(
      `${path} não está vazia (tem ${foreignNames.slice(0, 3).join(', ')}${foreignNames.length > 3 ? ', …' : ''}). Indique com --data uma pasta nova ou vazia: ela passa a ser só do catp.`,
    );
}

/** Builds the instance. `made`: the paths to remove after a failure. */
async function build(
  { path, settings, config, accounts, tokenKey }: InstanceParts,
  made: string[],
): Promise<FirstKey> {
  const first = makeOwnFolder(path);
  if (first !== undefined) made.push(first);
  makeOwn(path);
  const hadLock = namesIn(path).includes(LOCK_FILE);
  using lock = lockFolder(path);
  if (lock === undefined)
    throw new OperatorError(
      `${path} está em uso por outro catp. Espere que ele termine, ou indique outra com --data.`,
    );
  if (!hadLock) made.push(join(path, LOCK_FILE));
  const staging = join(path, STAGING);
  rmSync(staging, { recursive: true, force: true });
  made.push(staging);
  mkdirSync(join(staging, 'imports'), { recursive: true });
  mkdirSync(join(path, 'imports'), { recursive: true });
  if (config !== undefined) made.push(writeConfig(path, config));
  const keys = keysOf(path, tokenKey, made);
  const key = await fill({ ...pathsOf(staging), keys }, settings, accounts);
  // The database is moved last: it makes the folder an instance.
  const besideDatabase = [SEAL_FILE, WRITER_FILE];
  made.push(...besideDatabase.map((name) => join(path, name)));
  for (const name of [...besideDatabase, DATABASE_FILE]) renameSync(join(staging, name), join(path, name));
  rmSync(staging, { recursive: true });
  for (const one of [path, dirname(resolve(path))]) syncFolder(one);
  return key;
}

/** Returns the keys. Existing keys are kept. */
function keysOf(path: string, tokenKey: Uint8Array | undefined, made: string[]) {
  const storedKeys = findKeys(path);
  if (storedKeys === 'damaged')
    throw new OperatorError(
      `${join(path, KEY_FILE)} não é um arquivo de chaves. Retire-o, ou traga o que falta.`,
    );
  if (storedKeys !== undefined && tokenKey !== undefined)
    throw new OperatorError(
      `${path} já tem chaves (${KEY_FILE}). Retire-as do lugar, ou faça a instância sem --token-key.`,
    );
  if (storedKeys !== undefined) return storedKeys;
  made.push(join(path, KEY_FILE));
  return writeKeys(path, newKeys(tokenKey));
}

function writeConfig(path: string, { file, given }: NonNullable<InstanceParts['config']>): string {
  const place = file ?? join(path, CONFIG_FILE);
  try {
    writeFileSync(place, configTemplate(given), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw new OperatorError(
      `${place} não pode ser gravado (${reasonOf(error)}). Indique outro arquivo com --config.`,
      {
        cause: error,
      },
    );
  }
  return place;
}

async function fill(
  folder: Parameters<typeof openCore>[0]['folder'],
  settings: Settings,
  { company, administrator }: FirstAccounts,
): Promise<FirstKey> {
  await using core = openCore({
    folder,
    settings,
    clock: new SystemClock(),
    stopwatch: monotonicMs,
    onAccountChanged: logFromCommandLine(settings),
  });
  await core.writer.write(() => {
    new FolderMarks(core.db).put(MADE_BY_INIT, 'true');
    new KeyMark(core.db, folder.keys).put();
  });
  await core.sealUpdater.begin();
  if (company !== undefined) await core.session.accounts.putCompany(company, COMMAND_LINE);
  if (administrator === undefined) return {};
  await core.session.accounts.putUser(administrator, COMMAND_LINE);
  return await core.session.accounts.addKey(administrator, COMMAND_LINE);
}

/** The asynchronous form of `withUsableFolder`. */
async function withUsableFolderAsync<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return withUsableFolder(path, () => {
      throw error;
    });
  }
}
