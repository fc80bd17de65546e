import { DAY_MS } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { withCount } from '../../validation/text.ts';
import { emailTrouble } from '../doctor-store.ts';
import { ok, warning } from '../model.ts';
import { onOwnDatabase } from '../diagnosis-target.ts';

const DAYS = 7;
const REMEDY =
  'Envie uma mensagem de teste com catp call testEmail to=voce@empresa.exemplo, e corrija email.* em catp.toml ou o endereço da pessoa.';

/** Checks that messages by e-mail arrive. Without a server there is no finding. */
export const email = onOwnDatabase((db, { clock, settings }) => {
  if (settings['email.servidor'] === undefined) return undefined;
  const trouble = emailTrouble(db, clock.now() - DAYS * DAY_MS);
  const {
    givenUp = 0,
    lastGivenUpAt = null,
    reason,
    failing = 0,
    failingSince = null,
    failingReason,
  } = trouble ?? {};
  if (givenUp > 0 && lastGivenUpAt !== null)
    return warning(
      `${withCount(givenUp, 'e-mail não foi entregue', 'e-mails não foram entregues')} nos últimos ${DAYS} dias, o último em ${momentText(lastGivenUpAt)}: ${reason}.`,
      REMEDY,
    );
  if (failing > 0 && failingSince !== null)
    return warning(
      `${withCount(failing, 'e-mail espera', 'e-mails esperam')} desde ${momentText(failingSince)}: ${failingReason}.`,
      REMEDY,
    );
  return ok(`Nenhum e-mail se perdeu nos últimos ${DAYS} dias.`);
});
