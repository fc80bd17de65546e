/**
 * Records with which keys a database was written. The keys of another instance could not decrypt its secrets,
 * and would put a wrong seal on its audit trail.
 */
import { join } from 'node:path';
import { OperatorError } from '../errors.ts';
import { type DataFolder, KEY_FILE, type Keys } from './folder.ts';
import { FolderMarks, marksIn } from './folder-mark.ts';
import type { Db } from './open.ts';
import { quoted } from '../system/shell.ts';

const KEYS = 'keys';

/** Returns a mark of the keys, from which the keys cannot be computed. */
const markOf = ({ secrets }: Keys): string =>
  new Bun.CryptoHasher('sha256', secrets).update('catp keys').digest('base64url');

export class KeyMark {
  readonly #marks: FolderMarks;
  readonly #mark: string;

  constructor(db: Db, keys: Keys) {
    this.#marks = new FolderMarks(db);
    this.#mark = markOf(keys);
  }

  get exists(): boolean {
    return this.#marks.find(KEYS) !== undefined;
  }

  /** Stores the mark. Call it within a transaction. */
  put(): void {
    this.#marks.put(KEYS, this.#mark);
  }
}

/**
 * Throws for keys of another instance, before anything is written. A database without a mark is from an older
 * build, or new.
 */
export function refuseStrangeKeys(db: Db, { path, keys }: DataFolder): void {
  const mark = marksIn(db)?.find(KEYS);
  if (mark === undefined || mark === markOf(keys)) return;
  const file = join(path, KEY_FILE);
  throw new OperatorError(
    `O arquivo de chaves ${file} é de outra instância. Traga de volta o desta pasta, ou tire-o do lugar e faça chaves novas com catp init --new-keys --data ${quoted(path)} (as sessões terminam, e os segredos de assinaturas e remotos são esvaziados).`,
  );
}
