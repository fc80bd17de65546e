/**
 * Decides if this machine may write to a data folder (contract section 26, "Whose folder it is"), and if
 * this executable may use its database (section 16, "Upgrades"). Every command calls this before it opens a
 * folder.
 */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MADE_BY_DEV, WRITER, marksIn } from '../db/folder-mark.ts';
import { type DataFolder, SEAL_FILE, fileSize, pathsOf, withUsableFolder } from '../db/folder.ts';
import { WRITER_FILE, followingFile, writerIn } from '../db/folder-writer.ts';
import { LOCK_FILE, lockFolder } from '../db/lock.ts';
import { type Migration, emptiedDatabaseError, lackingText, pendingMigrations } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations.ts';
import { Inspection } from '../db/inspection.ts';
import type { Db } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { quoted } from '../system/shell.ts';
import { VERSION } from '../version.ts';
import { Epochs, storedReportIn, supersededByStored } from './epoch.ts';

export type Owner =
  /** This folder is the writer. */
  | { readonly kind: 'own' }
  /** No writer is recorded: an older version wrote last, or nothing was written yet. */
  | { readonly kind: 'unrecorded' }
  /** Litestream updates the folder from the replica of another machine. */
  | { readonly kind: 'follower' }
  /** The database is a copy of another folder's. */
  | { readonly kind: 'copy'; readonly isFileMissing: boolean }
  /** Another machine took over. `reason` is Portuguese. */
  | { readonly kind: 'superseded'; readonly reason: string }
  /** The database cannot be read. The code that opens it for work reports the reason. */
  | { readonly kind: 'unreadable' };

/** The state of a database before its use. */
export interface FolderState {
  readonly owner: Owner;
  /** Pending migrations. Empty: the database is of this version, or cannot be read. */
  readonly pending: readonly Migration[];
  /** The reason why this executable cannot use the database at all: a newer version used it. */
  readonly refusal: OperatorError | undefined;
  readonly isUnused: boolean;
  readonly isMadeByDev: boolean;
}

const NOTHING_READ: Omit<FolderState, 'owner'> = {
  pending: [],
  refusal: undefined,
  isUnused: false,
  isMadeByDev: false,
};

/**
 * Reads the state of a data folder without changing a byte of its database. While Litestream updates the
 * file, no connection to it may be opened: only `viewOf`, which copies the file, reads its schema.
 */
export function folderStateOf(path: string): FolderState {
  const { state, inspection } = inspectFolder(path);
  inspection?.[Symbol.dispose]();
  return state;
}

/** A state, and the open connection from which it was read. `undefined`: there is none. */
interface InspectedFolder {
  readonly state: FolderState;
  readonly inspection: Inspection | undefined;
}

/** Reads the same state for a caller that goes on to use the database, and closes or takes the connection. */
export const inspectFolder = (path: string): InspectedFolder =>
  isFollowing(path)
    ? { state: { ...NOTHING_READ, owner: { kind: 'follower' } }, inspection: undefined }
    : inspectFile(path);

const isFollowing = (path: string): boolean =>
  withUsableFolder(path, () => statSync(followingFile(pathsOf(path).database), { throwIfNoEntry: false })) !==
  undefined;

/** Returns true when a start of a server has nothing to upgrade or to record in the folder. */
export const isSettled = ({ owner, pending, refusal, isUnused }: FolderState): boolean =>
  owner.kind === 'own' && pending.length === 0 && refusal === undefined && !isUnused;

/** Throws, before anything is written, when this machine may not write to the folder. */
export function requireOwnFolder(path: string, { owner }: FolderState): void {
  const refusal = refusalOfOwner(path, owner);
  if (refusal !== undefined) throw new OperatorError(refusal);
}

/** Throws when this executable may not use the database as it is: newer, older or emptied. */
export function requireCurrent(path: string, state: FolderState): void {
  if (state.refusal !== undefined) throw state.refusal;
  if (state.isUnused) throw emptiedDatabaseError(pathsOf(path).database);
  if (state.pending.length > 0) throw olderRefusal(path, state);
}

/**
 * Throws in the same cases for a view. The upgrade of a following database happens on the machine that
 * writes.
 */
export function requireCurrentView(path: string, state: FolderState): void {
  if (state.pending.length > 0)
    throw new OperatorError(
      `A pasta de dados ${path} é de uma versão anterior do catp (${versionText(state)}), e segue outra máquina. Atualize aquela, e esta recebe o banco novo pela réplica; ou tome o lugar dela com catp takeover --data ${quoted(path)}.`,
    );
  requireCurrent(path, state);
}

/** Returns why this machine may not write to the folder, in Portuguese. `undefined`: it may. */
export function refusalOfOwner(path: string, owner: Owner): string | undefined {
  switch (owner.kind) {
    case 'follower':
      return `A pasta de dados ${path} segue outra máquina (${basename(followingFile(pathsOf(path).database))}); nada foi gravado nela. ${takeoverOf(path)}`;
    case 'copy':
      return `A pasta de dados ${path} é cópia da de outra máquina, ou veio de uma réplica (${owner.isFileMissing ? `falta ${WRITER_FILE}` : `${WRITER_FILE} é de outra`}); nada foi gravado nela. ${takeoverOf(path)}`;
    case 'superseded':
      return owner.reason;
    case 'own':
    case 'unrecorded':
    case 'unreadable':
      return undefined;
  }
}

const takeoverOf = (path: string): string =>
  `Se é esta máquina que deve gravar, e a outra está desligada, tome o lugar com catp takeover --data ${quoted(path)}; senão, desabilite o catp nela e deixe-a seguir.`;

const versionText = ({ pending }: FolderState): string => `este é o ${VERSION}; ${lackingText(pending)}`;

function olderRefusal(path: string, state: FolderState): OperatorError {
  const lacking = versionText(state);
  if (isLockedFolder(path))
    return new OperatorError(
      `A pasta de dados ${path} está em uso por um catp de outra versão (${lacking}). Use o executável desse servidor, ou pare-o e inicie-o com este.`,
    );
  const server = state.isMadeByDev ? 'catp dev' : 'catp serve';
  return new OperatorError(
    `A pasta de dados ${path} é de uma versão anterior do catp (${lacking}), e este comando não a atualiza. Inicie ${server} --data ${quoted(path)}, ou atualize-a com catp migrate --data ${quoted(path)}; os dois fazem antes uma cópia de segurança.`,
  );
}

/** Returns true when the folder is locked. Creates no lock file. */
function isLockedFolder(path: string): boolean {
  if (statSync(join(path, LOCK_FILE), { throwIfNoEntry: false }) === undefined) return false;
  using lock = withUsableFolder(path, () => lockFolder(path));
  return lock === undefined;
}

/** Reads the state of a database file. */
function inspectFile(path: string): InspectedFolder {
  let inspection: Inspection | undefined;
  try {
    inspection = new Inspection(pathsOf(path).database);
    return { state: stateIn(inspection.db, path), inspection };
  } catch (error) {
    inspection?.[Symbol.dispose]();
    if (systemCode(error) === undefined) throw error;
    return { state: { ...NOTHING_READ, owner: { kind: 'unreadable' } }, inspection: undefined };
  }
}

function stateIn(db: Db, path: string): FolderState {
  const state = {
    isMadeByDev: marksIn(db)?.find(MADE_BY_DEV) !== undefined,
    owner: ownerIn(db, path),
  };
  try {
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    return { ...state, pending, isUnused: pending.length === MIGRATIONS.length, refusal: undefined };
  } catch (refusal) {
    if (!(refusal instanceof OperatorError)) throw refusal;
    return { ...state, pending: [], isUnused: false, refusal };
  }
}

function ownerIn(db: Db, path: string): Owner {
  const marks = marksIn(db);
  if (marks === undefined) return { kind: 'unrecorded' };
  const [recorded, inFile] = [marks.find(WRITER), withUsableFolder(path, () => writerIn(path))];
  if (recorded !== undefined && recorded !== inFile)
    return { kind: 'copy', isFileMissing: inFile === undefined };
  const report = withUsableFolder(path, () => storedReportIn(path));
  const reason = report && supersededByStored(report, new Epochs(db).current);
  if (reason !== undefined) return { kind: 'superseded', reason };
  return recorded === undefined ? { kind: 'unrecorded' } : { kind: 'own' };
}

/** A temporary copy of a database that may not be opened in place. Dispose deletes its folder. */
export interface FolderView extends Disposable {
  readonly folder: Omit<DataFolder, 'keys'>;
  readonly state: FolderState;
}

/**
 * Attempts to copy a follower. Litestream updates it every second, so a copy that changed meanwhile is
 * repeated.
 */
const VIEW_ATTEMPTS = 5;

/** Copies the database of a follower or of a copy for a command that only reads. Throws `OperatorError`. */
export function viewOf(path: string, owner: Owner): FolderView {
  const { database } = pathsOf(path);
  // Loaded on demand, because no start of a server needs it.
  const { tmpdir } = require('node:os') as typeof import('node:os');
  const copyFolder = mkdtempSync(join(tmpdir(), 'catp-leitura-'));
  const end = (): void => rmSync(copyFolder, { recursive: true, force: true });
  try {
    copyUnchanged(database, copyFolder, owner.kind === 'copy' ? ['', '-wal'] : ['']);
    const seal = join(path, SEAL_FILE);
    if (existsSync(seal)) copyFileSync(seal, join(copyFolder, SEAL_FILE));
    const { state, inspection } = inspectFile(copyFolder);
    inspection?.[Symbol.dispose]();
    return {
      folder: pathsOf(copyFolder),
      state: { ...state, owner },
      [Symbol.dispose]: end,
    };
  } catch (error) {
    end();
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `O banco de dados ${database} não pôde ser copiado para ${copyFolder} e lido lá (${reasonOf(error)}); a pasta não é aberta, porque não é esta máquina que grava nela. Libere espaço, ou indique outra pasta temporária em TMPDIR.`,
      { cause: error },
    );
  }
}

function copyUnchanged(database: string, target: string, suffixes: readonly string[]): void {
  const stamp = (): string =>
    [database, followingFile(database)]
      .map((file) => statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs ?? '')
      .join();
  for (let attempt = 0; attempt < VIEW_ATTEMPTS; attempt += 1) {
    const before = stamp();
    for (const suffix of suffixes)
      if (suffix === '' || fileSize(database + suffix) > 0)
        copyFileSync(
          database + suffix,
          join(target, basename(database) + suffix),
          constants.COPYFILE_FICLONE,
        );
    if (stamp() === before) return;
  }
  throw new OperatorError(
    `O banco de dados ${database} muda enquanto é lido. Pare o litestream que o segue (systemctl stop catp-segue), e repita.`,
  );
}
