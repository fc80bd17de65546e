/** Portuguese messages for errors of the operating system and SQLite, for the operator of the machine. */

/** The machine cannot run this executable. The message names the suitable one. */
export class UnfitSystem extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'sem permissão',
  EPERM: 'sem permissão',
  ENOENT: 'não existe',
  ENOTDIR: 'uma parte do caminho é um arquivo, não uma pasta',
  EISDIR: 'é uma pasta, não um arquivo',
  EEXIST: 'já existe um arquivo com esse nome',
  ENOTEMPTY: 'a pasta não está vazia',
  EROFS: 'o sistema de arquivos só permite leitura',
  ENOSPC: 'o disco está cheio',
  EDQUOT: 'a cota de disco acabou',
  EFBIG: 'o arquivo passou do tamanho permitido',
  EIO: 'o disco falhou',
  EMFILE: 'há arquivos abertos demais',
  ENFILE: 'há arquivos abertos demais',
  ELOOP: 'os atalhos do caminho formam um círculo',
  ENAMETOOLONG: 'o nome é longo demais',
  EBUSY: 'está em uso',
  ETXTBSY: 'está em uso',
  EADDRINUSE: 'a porta está em uso',
  EADDRNOTAVAIL: 'o endereço não é desta máquina',
  SQLITE_CANTOPEN: 'não pôde ser aberto',
  SQLITE_READONLY: 'só permite leitura',
  SQLITE_PERM: 'sem permissão',
  SQLITE_AUTH: 'sem permissão',
  SQLITE_NOTADB: 'não é um banco de dados SQLite',
  SQLITE_CORRUPT: 'está danificado',
  SQLITE_FULL: 'o disco está cheio',
  SQLITE_IOERR: 'o disco falhou',
  SQLITE_BUSY: 'está em uso por outro processo',
  SQLITE_LOCKED: 'está em uso por outro processo',
};

/** Returns the code of an error of the system, or `undefined` for an error of this program. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const isOfSystem = /^E[A-Z0-9]{2,}$/.test(error.code) || sqliteReason(error.code) !== undefined;
  return isOfSystem ? error.code : undefined;
}

/**
 * Returns the reason of an SQLite code. Extended codes are not more useful to an operator:
 * `SQLITE_IOERR_FSYNC` is `SQLITE_IOERR`.
 */
const sqliteReason = (code: string): string | undefined => REASONS[code.split('_').slice(0, 2).join('_')];

/**
 * Returns the reason in words, with the code for searches. An unknown error gives its own message, on one
 * line.
 */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  const reason = code === undefined ? undefined : (REASONS[code] ?? sqliteReason(code));
  if (reason !== undefined) return `${reason}, ${code}`;
  return oneLine(error instanceof Error ? error.message : String(error));
}

/** Returns the reason after the name of the file, when the error names one. */
export function placedReasonOf(error: unknown): string {
  const file = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : '';
  return file === '' ? reasonOf(error) : `${file}: ${reasonOf(error)}`;
}

export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(systemCode(error) ?? '');

/** The remedy for a damaged database. */
export const RESTORE =
  'Pare o servidor, guarde a pasta como está e restaure a última cópia de segurança com catp restore.';

/** Returns the remedy. `otherwise`: the remedy when the error itself has none. */
export function remedyFor(error: unknown, otherwise: string): string {
  if (isDiskFull(error)) return 'Libere espaço em disco e tente de novo.';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(systemCode(error) ?? '')) return RESTORE;
  return otherwise;
}

/** Joins the lines of a text. Messages of libraries may contain code frames and stacks. */
export const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
