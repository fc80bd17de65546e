/** The data folder: one database, its keys, and a lock for the one server that may use it. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError, UsageError } from '../errors.ts';
import { readSmallText } from '../system/bounded-file.ts';
import { makeOwnFolder } from '../system/own-folder.ts';
import { RANDOM_SECRET, quoted } from '../system/shell.ts';
import { placeFile, syncFolder } from '../system/sync-folder.ts';
import { placedReasonOf, systemCode } from '../system/errors.ts';

export const DATABASE_FILE = 'catp.sqlite';
export const KEY_FILE = 'catp.key';
/** File with the outer seal of the audit trail. Replicas do not contain it. */
export const SEAL_FILE = 'catp.seal';
const KEY_BYTES = 32;

export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly imports: string;
  readonly keys: Keys;
}

/**
 * Keys, created at first start and kept outside the database: a copy of the database alone opens no session
 * and reveals no secret.
 */
export interface Keys {
  /** Signs tokens. Instances that share it accept each other's sessions. */
  readonly tokens: Uint8Array;
  /** Encrypts the secrets of subscriptions. */
  readonly secrets: Uint8Array;
}

/** Creates a missing data folder without keys and database: only the holder of its lock creates those. */
export function makeFolder(path: string): void {
  const isNew = withUsableFolder(path, () => makeOwnFolder(importsOf(path))) !== undefined;
  if (isNew)
    for (const folder of [path, dirname(resolve(path))]) withUsableFolder(path, () => syncFolder(folder));
}

/** Opens a data folder and creates its missing parts. */
export function openFolder(path: string): DataFolder {
  makeFolder(path);
  return { ...pathsOf(path), keys: withUsableFolder(path, () => readKeys(path, { making: true })) };
}

/** Opens the folder of a server, which may be running. Creates no file. */
export function openExistingFolder(path: string): DataFolder {
  requireInstance(path);
  return { ...pathsOf(path), keys: withUsableFolder(path, () => readKeys(path, { making: false })) };
}

/** Throws when the folder holds no instance. The message says how to create one. */
export function requireInstance(path: string): void {
  if (!isDataFolder(path))
    throw new OperatorError(
      `${path} não é uma pasta de dados do catp. Indique-a com --data, ou crie-a com catp init --data ${quoted(path)}.`,
    );
}

export const isDataFolder = (path: string): boolean =>
  withUsableFolder(path, () => statSync(join(path, DATABASE_FILE), { throwIfNoEntry: false })) !== undefined;

const importsOf = (path: string): string => join(path, 'imports');

export const pathsOf = (path: string): Omit<DataFolder, 'keys'> => ({
  path,
  database: join(path, DATABASE_FILE),
  imports: importsOf(path),
});

/** Runs `work`, which needs the folder. Throws an error for the operator when the system refuses access. */
export function withUsableFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `A pasta de dados ${folder} não pode ser usada (${placedReasonOf(error)}). Verifique o caminho, as permissões e o disco, ou indique outra com --data.`,
      { cause: error },
    );
  }
}

export const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function readKeys(path: string, { making }: { readonly making: boolean }): Keys {
  const keys = findKeys(path);
  if (keys !== undefined && keys !== 'damaged') return keys;
  const file = join(path, KEY_FILE);
  if (keys === undefined && making) return writeKeys(path, newKeys());
  const what =
    keys === undefined ? `Falta o arquivo de chaves ${file}` : `O arquivo de chaves ${file} está danificado`;
  throw new OperatorError(
    `${what}. Restaure-o da cópia de segurança, ou crie chaves novas com catp init --new-keys --data ${quoted(path)} (as sessões terminam, e os segredos de assinaturas e remotos são esvaziados).`,
  );
}

/**
 * Returns the keys of a folder. `undefined`: no file. `damaged`: the file holds no keys. Throws system
 * errors.
 */
export function findKeys(path: string): Keys | 'damaged' | undefined {
  const file = join(path, KEY_FILE);
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return keysIn(readSmallText(file)) ?? 'damaged';
}

/** Returns the keys in a key file. `undefined`: the text holds none. */
function keysIn(text: string): Keys | undefined {
  const bytes = Buffer.from(text.trim(), 'base64url');
  if (bytes.length !== 2 * KEY_BYTES) return undefined;
  return { tokens: bytes.subarray(0, KEY_BYTES), secrets: bytes.subarray(KEY_BYTES) };
}

/** `tokens`: the key that is shared with other instances. */
export function newKeys(tokens?: Uint8Array): Keys {
  const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return { tokens: tokens ?? random(), secrets: random() };
}

/**
 * Reads the key of tokens from a file: another instance's catp.key, or 32 bytes as hexadecimal or base64url.
 * Throws.
 */
export function readTokenKey(file: string): Uint8Array {
  const key = tokenKeyIn(readSmallText(file).trim());
  if (key !== undefined) return key;
  throw new UsageError(
    `--token-key: ${file} não tem uma chave de tokens; aceita o catp.key de outra instância, ou 32 bytes em hexadecimal (${RANDOM_SECRET}).`,
  );
}

const HEX_KEY = /^[0-9a-fA-F]{64}$/;

function tokenKeyIn(text: string): Uint8Array | undefined {
  if (HEX_KEY.test(text)) return Buffer.from(text, 'hex');
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === KEY_BYTES ? bytes : keysIn(text)?.tokens;
}

/** Writes the keys completely or not at all: an empty key file would keep the server from ever starting. */
export function writeKeys(path: string, keys: Keys): Keys {
  placeFile(join(path, KEY_FILE), `${Buffer.concat([keys.tokens, keys.secrets]).toString('base64url')}\n`);
  return keys;
}
