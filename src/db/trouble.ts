/** What the storage may answer instead of storing, and what follows from it. */

/**
 * `full`: writes are refused until there is room. `crowded`: writes are taken, but the log cannot be brought into the
 * database file for want of room. `failed`: writes are refused until a restart.
 */
export type StorageTrouble = 'full' | 'crowded' | 'failed';

/** For whoever looks after the server (Portuguese). */
export const TROUBLE_NOTICES: Readonly<Record<StorageTrouble, string>> = {
  full: 'O disco está cheio: as gravações são recusadas e voltam sozinhas quando houver espaço; as consultas continuam. Libere espaço.',
  crowded:
    'O disco não tem espaço para o banco de dados crescer: por enquanto as gravações ficam no arquivo -wal, e logo serão recusadas. Libere espaço.',
  failed:
    'O disco falhou: as gravações estão suspensas até um reinício; as consultas continuam. Verifique o disco e reinicie o serviço.',
};

export const acceptsWrites = (trouble: StorageTrouble | undefined): boolean =>
  trouble === undefined || trouble === 'crowded';

export function isStorageFailure(error: unknown): boolean {
  return /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN|READONLY|CORRUPT|NOTADB|PROTOCOL|LOCKED)/.test(codeOf(error));
}

export const isOutOfSpace = (error: unknown): boolean => codeOf(error) === 'SQLITE_FULL';

/** Another connection is at the same thing. */
export const isPassing = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));

/** After a failed fsync nobody knows what the disk holds: going on would acknowledge what may be lost. */
export function isLastingFailure(error: unknown): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
