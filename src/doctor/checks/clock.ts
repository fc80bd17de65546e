import { MINUTE_MS } from '../../clock.ts';
import { newestMoment } from '../doctor-store.ts';
import { error, ok } from '../model.ts';
import { onCurrentDatabase } from '../diagnosis-target.ts';
import { momentText } from '../../validation/calendar.ts';

/** Tolerated difference between correct clocks. */
const TOLERATED_MS = 5 * MINUTE_MS;
/** A clock before this date was never set: catp did not exist yet. */
const FIRST_DAY = Date.parse('2025-01-01T00:00:00Z');

/** Checks the machine's clock, which validity, tokens and certificates depend on. */
export const clock = onCurrentDatabase((db, { clock: machine }) => {
  const now = machine.now();
  const time = momentText(now);
  const remedy =
    'Acerte o relógio e mantenha-o por NTP (timedatectl set-ntp true) antes de iniciar o servidor.';
  if (now < FIRST_DAY) return error(`O relógio da máquina diz ${time}: nunca foi acertado.`, remedy);
  const newest = newestMoment(db);
  if (newest > now + TOLERATED_MS)
    return error(
      `O relógio da máquina diz ${time}, e há registros de ${momentText(newest)}: ele está, ou esteve, errado.`,
      remedy,
    );
  return ok('O relógio da máquina não está atrás do que já foi gravado.');
});
