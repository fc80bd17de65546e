/** What the storage may answer instead of storing, and what follows from it. */

/** `full`: writes are refused until there is room. Any other: until a restart. */
export type StorageTrouble = 'full' | 'failed' | 'readonly' | 'damaged';

const WHOSE = 'Confira de quem são e o que permitem catp.sqlite, catp.sqlite-wal e catp.sqlite-shm';

/** For whoever looks after the server (Portuguese). */
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
 * The index of the log (-shm) has no room to grow. It is made anew at each start, so nothing that was acknowledged is in
 * doubt; but it grows when the group is in the log already, and a restart before the next write would find it there.
 */
export const isIndexOutOfSpace = (error: unknown): boolean => codeOf(error) === 'SQLITE_IOERR_SHMSIZE';

/** Another connection is at the same thing. */
export const isPassing = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** What the database file holds is no longer what was written. */
export const isDamage = (error: unknown): boolean =>
  ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].some((code) => codeOf(error).startsWith(code));

/** Permissions, not the disk; a database that was moved away answers alike, and is none of this. */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error).startsWith('SQLITE_READONLY') && codeOf(error) !== 'SQLITE_READONLY_DBMOVED';

/** What is said of a write that only permissions keep from the database (Portuguese). */
export const readOnlyText = (error: unknown): string =>
  `O banco de dados só permite leitura (${codeOf(error)}); nada desta requisição foi gravado. ${WHOSE}; um servidor grava de novo depois de reiniciado.`;

/** A file that was taken away, or may not be written any more, stays so. After a failed fsync nobody knows what the disk holds: going on would acknowledge what may be lost. */
export const isLastingFailure = (error: unknown): boolean =>
  !isOutOfSpace(error) && (/^SQLITE_(IOERR|READONLY)/.test(codeOf(error)) || isDamage(error));

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
