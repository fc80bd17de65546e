/** Classifies errors of the storage. */

/** `full`: writes are refused until there is space. All others: until a restart. */
export type StorageTrouble = 'full' | 'failed' | 'readonly' | 'damaged';

const WHOSE = 'Confira de quem são e o que permitem catp.sqlite, catp.sqlite-wal e catp.sqlite-shm';

/** Notices for the operator (Portuguese). */
export const TROUBLE_NOTICES: Readonly<Record<StorageTrouble, string>> = {
  full: 'O disco está cheio: as gravações são recusadas e voltam sozinhas quando houver espaço; as consultas continuam. Libere espaço.',
  failed:
    'O disco falhou: as gravações estão suspensas até um reinício; as consultas continuam. Verifique o disco e reinicie o serviço; catp doctor diz se o banco de dados está danificado.',
  readonly: `O banco de dados só permite leitura: as gravações estão suspensas até um reinício; as consultas continuam. ${WHOSE}, e reinicie o serviço.`,
  damaged:
    'O banco de dados está danificado: as gravações estão suspensas; as consultas que não tocam o dano continuam. Rode catp doctor, pare o serviço e restaure a última cópia de segurança boa (catp restore).',
};

export function isStorageFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|LOCKED)/.test(codeOf(error));
}

export const isOutOfSpace = (error: unknown): boolean =>
  codeOf(error) === 'SQLITE_FULL' || isIndexOutOfSpace(error);

/**
 * Returns true when the index of the log (-shm) cannot grow. It is rebuilt at each start, so no acknowledged
 * write is in doubt. But the group is already in the log then, and a restart before the next write would find
 * it.
 */
export const isIndexOutOfSpace = (error: unknown): boolean => codeOf(error) === 'SQLITE_IOERR_SHMSIZE';

/** Returns true when another connection holds a lock. */
export const isLocked = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** Returns true when the database file no longer holds the written data. */
export const isDamage = (error: unknown): boolean =>
  ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((code) => codeOf(error).startsWith(code));

/**
 * Returns true for missing permissions. A database that was moved away gives a similar error, which does not
 * count.
 */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error).startsWith('SQLITE_READONLY') && codeOf(error) !== 'SQLITE_READONLY_DBMOVED';

/** Returns the message for a write that only permissions prevent (Portuguese). */
export const readOnlyText = (error: unknown): string =>
  `O banco de dados só permite leitura (${codeOf(error)}); nada desta requisição foi gravado. ${WHOSE}; um servidor grava de novo depois de reiniciado.`;

/**
 * Returns true for a permanent failure: a file that was removed or is no longer writable stays so. After a
 * failed fsync the content of the disk is unknown: further writes would acknowledge data that may be lost.
 */
export const isLastingFailure = (error: unknown): boolean =>
  !isOutOfSpace(error) && (/^SQLITE_(IOERR|READONLY)/.test(codeOf(error)) || isDamage(error));

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
