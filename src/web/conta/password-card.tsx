/** Changes the password of the user. */
import type { JSX } from 'preact';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Input } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Card } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { NewPasswordFields, NO_PASSWORD, passwordFaults } from './new-password.tsx';

export function PasswordCard(): JSX.Element {
  const form = useForm({ ...NO_PASSWORD, atual: '' });
  const send = async (): Promise<void> => {
    const faults = passwordFaults(form.latest());
    if (faults.length > 0) return form.refuse(faults);
    await form.submit(async ({ atual, senha }) => {
      const answer = await api.put('/appliance/api/me/password', { atual, nova: senha });
      if (answer.ok) {
        form.reset();
        toast('Senha trocada. As suas outras sessões abertas por senha terminaram.');
      }
      return answer;
    });
  };
  return (
    <Card title="Trocar a senha">
      <Form form={form} action="Trocar a senha" onSave={send}>
        <Input
          label="Senha atual"
          type="password"
          autocomplete="current-password"
          required
          help="Ainda não tem senha? Peça um convite a quem administra esta instalação."
          {...form.field('atual')}
        />
        <NewPasswordFields form={form} label="Senha nova" place="nova" />
      </Form>
    </Card>
  );
}
