/** Builds the message with an invitation to set a password (contract section 27). */
import type { EpochMs } from '../clock.ts';
import { momentText } from '../validation/calendar.ts';
import type { EmailContent } from './model.ts';

/** `href`: path of the page that sets the password. */
export const invitationEmail = (href: string, until: EpochMs): EmailContent => ({
  subject: 'Convite para definir a senha do catálogo de produtos',
  lead: [
    'Alguém, talvez você, informou na página de entrada que esqueceu a senha. Pelo link abaixo você define outra.',
    `Ele vale uma vez, até ${momentText(until)}. Se não foi você, não faça nada: a senha de hoje continua valendo.`,
  ],
  groups: [{ heading: '', items: [{ text: 'Definir a senha', link: { href, label: 'Definir a senha' } }] }],
});
