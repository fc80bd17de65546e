/** Sets the password of an invited person. The fragment of the address is the secret of the invitation. */
import { useState } from 'preact/hooks';
import { api } from '../api/api.ts';
import { NewPasswordFields, NO_PASSWORD, passwordFaults } from '../conta/new-password.tsx';
import { useForm } from '../api/use-form.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions } from '../ui/button.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export default function InvitationPage() {
  const form = useForm(NO_PASSWORD);
  const [isSet, setIsSet] = useState(false);
  const send = async (): Promise<void> => {
    const faults = passwordFaults(form.latest());
    if (faults.length > 0) return form.refuse(faults);
    const path = `/appliance/api/invitations/${encodeURIComponent(location.hash.slice(1))}`;
    await form.submit(async ({ senha }) => {
      const answer = await api.post(path, { senha });
      setIsSet(answer.ok);
      return answer;
    });
  };
  if (isSet)
    return (
      <Page title="Senha definida">
        <Notice tone="good">
          <p>Pronto. Entre com o seu CPF, ou com o e-mail do seu cadastro, e a senha que você escolheu.</p>
        </Notice>
        <Actions>
          {/* A full page load: after the first password of the instance, the sign-in page offers passwords. */}
          <a class="button primary" href="/entrar">
            Entrar
          </a>
        </Actions>
      </Page>
    );
  return (
    <Page
      title="Definir a senha"
      about="Você foi convidado a usar esta instalação. O convite vale uma vez; só você conhece a senha que escolher."
    >
      <div class="card">
        <Form form={form} action="Definir a senha" onSave={send}>
          <NewPasswordFields form={form} label="Senha" />
        </Form>
      </div>
    </Page>
  );
}
