/** Codes of the rules of messages by e-mail: CATP-ER16nn. */
import { rulesOf } from '../errors.ts';

export const EMAIL_CODES = rulesOf({
  noServer: 'CATP-ER1601 Esta instância não envia e-mails.',
});
