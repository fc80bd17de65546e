/** Serves the test of the e-mail server (contract section 27). */
import { type Operation, ok, operation } from '../http/operation.ts';
import type { Caller } from '../session/model.ts';
import { EMAIL, EMAIL_DOMAIN } from '../validation/email.ts';
import { closedForm, form, text } from '../validation/forms.ts';
import type { Emails } from './service.ts';
import { t } from '../validation/type.ts';

const EmailTest = form('EmailTest', 'A resposta do servidor de e-mail a uma mensagem de teste.', {
  ok: t.Boolean({ description: 'true: o servidor aceitou a mensagem.', examples: [true] }),
  message: text('O que aconteceu.', 'smtp.empresa.exemplo:465 aceitou a mensagem.'),
});

export const emailRoutes = (emails: Pick<Emails, 'test'>): Operation<Caller>[] => [
  operation('POST', '/appliance/api/email/test', {
    tag: 'Administração',
    source: 'contract, section 27',
    access: 'administrator',
    right: 'none',
    id: 'testEmail',
    summary: 'Envia uma mensagem de teste a um endereço',
    description:
      'Responde em até 30 s se o servidor de e-mail a aceitou; uma recusa também é um resultado: ok é false, e message diz por quê. Sem email.servidor, 422.',
    body: closedForm('EmailTestRequest', 'O destinatário da mensagem de teste.', {
      to: text('O endereço.', 'maria@exemplo.com.br', {
        maxLength: 254,
        pattern: EMAIL,
        'x-domain': EMAIL_DOMAIN,
        'x-printed': { pattern: undefined, format: 'email' },
      }),
    }),
    success: EmailTest,
    example: { to: 'maria@exemplo.com.br' },
    handle: async ({ body }) => ok(await emails.test(body.to)),
  }),
];
