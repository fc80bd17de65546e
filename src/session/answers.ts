/**
 * Refusals that a development instance also gives when it simulates faults of the public service (contract
 * section 15).
 */
import { type EpochMs, SECOND_MS } from '../clock.ts';
import { DomainError, ShortRefusal } from '../errors.ts';
import { localDateTime } from '../validation/calendar.ts';

const LIMIT_CODE = 'PUCX-ER1001';

/** Returns the refusal of a user who is over the hourly limit until a moment (contract section 11). */
export function hourlyLimitExceeded(limit: number, until: EpochMs, now: EpochMs): DomainError {
  const hour = localDateTime(until).slice(11, 16);
  const message = `Foi atingido o limite de ${limit} acessos permitidos à funcionalidade em uma hora. A funcionalidade estará disponível novamente após as ${hour}.`;
  const seconds = Math.ceil((until - now) / SECOND_MS);
  return new DomainError('unprocessable', message, {
    code: LIMIT_CODE,
    headers: { 'Retry-After': String(seconds) },
  });
}

export function unauthenticated(header: string, code: string, reason: string): DomainError {
  return new DomainError('unauthenticated', `Usuário não autenticado. Cabeçalho ${header} ${reason}.`, {
    code,
    field: header,
    path: header,
  });
}

/** Returns the refusal of an expired token. */
export const expiredToken = (): DomainError =>
  unauthenticated('Authorization', 'PUCX-ER0201', 'traz um JWT expirado; autentique-se de novo');

/**
 * Returns the refusal of the nightly stop. The public service stops every night; this product only simulates
 * it.
 */
export const dailyStop = (): ShortRefusal =>
  new ShortRefusal(
    'PUCX-ER0401',
    'O Portal Único de Comércio Exterior encontra-se em uma parada programada que ocorre diariamente entre 01:00 e 03:00',
  );
