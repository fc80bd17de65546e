/** Refusals that a development instance gives too, when it plays the public service at fault (contract section 15). */
import { type EpochMs, SECOND_MS } from '../clock.ts';
import { DomainError, ShortRefusal } from '../errors.ts';
import { localDateTime } from '../validation/calendar.ts';

const LIMIT_CODE = 'PUCX-ER1001';

/** Over the hourly limit until a moment (contract section 11). */
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

/** Of a token that is good no more. */
export const expiredToken = (): DomainError =>
  unauthenticated('Authorization', 'PUCX-ER0201', 'traz um JWT expirado; autentique-se de novo');

/** The public service stops every night; this product only plays it. */
export const dailyStop = (): ShortRefusal =>
  new ShortRefusal(
    'PUCX-ER0401',
    'O Portal Único de Comércio Exterior encontra-se em uma parada programada que ocorre diariamente entre 01:00 e 03:00',
  );
