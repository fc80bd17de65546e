/** Errors for writes that the storage refused. */
import { DomainError } from '../errors.ts';
import {
  isDamage,
  isIndexOutOfSpace,
  isLastingFailure,
  isOutOfSpace,
  isReadOnly,
  readOnlyText,
} from './trouble.ts';

/**
 * Returns the error for the waiting requests. Its message states if it is unknown whether the writes are
 * stored.
 */
export function refused(error: unknown, isCommitting: boolean): DomainError {
  if (isCommitting && isIndexOutOfSpace(error))
    return unavailable(
      'O disco está cheio, e não se sabe se esta requisição foi gravada. Libere espaço; quando as gravações voltarem, consulte antes de repetir.',
      error,
    );
  if (isOutOfSpace(error))
    return unavailable(
      'O disco está cheio; nada desta requisição foi gravado. Libere espaço e tente de novo.',
      error,
    );
  if (!isLastingFailure(error))
    return unavailable(
      'O armazenamento não aceitou a gravação; nada desta requisição foi gravado. Tente de novo.',
      error,
    );
  if (isDamage(error)) return unavailable(`${DAMAGED} ${WHAT_TO_DO}`, error);
  if (isReadOnly(error) && !isCommitting) return unavailable(readOnlyText(error), error);
  return unavailable(
    isCommitting
      ? 'O disco falhou durante a gravação, e não se sabe se esta requisição foi gravada. As gravações estão suspensas; depois que o operador verificar o disco e reiniciar o serviço, consulte antes de repetir.'
      : 'O disco falhou; nada desta requisição foi gravado. As gravações estão suspensas até que o operador verifique o disco e reinicie o serviço.',
    error,
  );
}

/** Returns the error for a write after the disk has failed, or while the database is known to be damaged. */
export const halted = (error: unknown): DomainError =>
  unavailable(
    isDamage(error)
      ? `${DAMAGED} ${WHAT_TO_DO}`
      : isReadOnly(error)
        ? readOnlyText(error)
        : 'As gravações estão suspensas porque o disco falhou; nada desta requisição foi gravado. As consultas continuam. O operador deve verificar o disco e reiniciar o serviço.',
    error,
  );

const DAMAGED =
  'As gravações estão suspensas porque o banco de dados está danificado; nada desta requisição foi gravado.';
const WHAT_TO_DO = 'O operador deve restaurar a última cópia de segurança boa.';

const unavailable = (message: string, cause: unknown): DomainError =>
  new DomainError('unavailable', message, { cause });

export const closing = (): DomainError =>
  unavailable('O serviço está sendo encerrado; nada foi gravado.', undefined);
