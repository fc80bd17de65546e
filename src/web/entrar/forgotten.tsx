/** Asks for an invitation by e-mail, folded: only who forgot the password needs it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Notice } from '../ui/alert.tsx';
import { Input } from '../ui/field.tsx';
import { LineForm } from '../ui/form.tsx';

export function Forgotten(): JSX.Element {
  const form = useForm({ email: '' });
  const [sentTo, setSentTo] = useState('');
  const send = async (): Promise<void> => {
    setSentTo('');
    await form.submit(async ({ email }) => {
      const answer = await api.post('/appliance/api/session/forgotten', { email: email.trim() });
      if (answer.ok) setSentTo(email.trim());
      return answer;
    });
  };
  return (
    <details>
      <summary>Esqueci a senha</summary>
      <div class="stack">
        <LineForm form={form} verb="Enviar convite" onSend={send}>
          <Input label="E-mail do seu cadastro" {...form.field('email')} />
        </LineForm>
        {sentTo !== '' && (
          <Notice tone="good">
            <p>
              Se alguém daqui tem o endereço <bdi>{sentTo}</bdi>, ele recebe em minutos um convite para
              definir outra senha. Não chegou? Veja o lixo eletrônico, ou peça o convite a quem administra.
            </p>
          </Notice>
        )}
      </div>
    </details>
  );
}
