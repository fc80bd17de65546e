/** The data folder: one database, the keys beside it, a lock for the one server that may use it. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from './errors.ts';
import { syncFolder } from './files/sync-folder.ts';

export const DATABASE_FILE = 'catp.sqlite';
const KEY_FILE = 'catp.key';
const KEY_BYTES = 32;

export interface DataFolder {
  readonly path: string;
  readonly database: string;
  readonly imports: string;
  readonly keys: Keys;
}

/** Made at first start and kept outside the database: a copy of the database alone opens no session and shows no secret. */
export interface Keys {
  /** Signs tokens. */
  readonly tokens: Uint8Array;
  /** Encrypts the secrets of subscriptions. */
  readonly secrets: Uint8Array;
}

/** Opens a data folder, making it where it is missing. */
export function openFolder(path: string): DataFolder {
  const imports = join(path, 'imports');
  const isNew = mkdirSync(imports, { recursive: true, mode: 0o700 }) !== undefined;
  if (isNew) for (const made of [path, dirname(resolve(path))]) syncFolder(made);
  return { path, database: join(path, DATABASE_FILE), imports, keys: readKeys(path) };
}

export const isDataFolder = (path: string): boolean => existsSync(join(path, DATABASE_FILE));

export const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function readKeys(path: string): Keys {
  const file = join(path, KEY_FILE);
  if (!existsSync(file)) writeKeys(file);
  const bytes = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (bytes.length !== 2 * KEY_BYTES)
    throw new OperatorError(`O arquivo de chaves ${file} está danificado. Restaure-o da cópia de segurança.`);
  return { tokens: bytes.subarray(0, KEY_BYTES), secrets: bytes.subarray(KEY_BYTES) };
}

/** All of it or nothing, whenever the power goes: an empty key file would keep the server from ever starting. */
function writeKeys(file: string): void {
  const text = Buffer.from(crypto.getRandomValues(new Uint8Array(2 * KEY_BYTES))).toString('base64url');
  const unfinished = `${file}.${process.pid}`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(handle, `${text}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, file);
  syncFolder(dirname(file));
}
