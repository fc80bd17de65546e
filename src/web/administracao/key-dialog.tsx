/** Creates an access key for a user, then shows its two halves once. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NewAccessKey, User } from '../api/answers.ts';
import { api } from '../api/api.ts';
import type { Problem } from '../api/result.ts';
import { useForm } from '../api/use-form.ts';
import type { Bound } from '../ui/field.tsx';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DayInput } from '../ui/typed-input.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { userOptions } from '../ui/parties.ts';
import { KEYS } from './words.ts';
import { plainNumber } from './numbers.ts';

export interface KeyDialogProps {
  readonly users: readonly User[];
  /** Called when the key was created; its owner still has to copy it. */
  readonly onMade: () => void;
  readonly onClose: () => void;
}

export const lastDayFaults = (lastDay: string): readonly Problem[] =>
  lastDay === '' || /^\d{4}-\d{2}-\d{2}$/.test(lastDay)
    ? []
    : [{ message: `Recebido “${lastDay}”; escreva o dia como dd/mm/aaaa.`, code: null, place: 'expiresAt' }];

export const sendKey = ({
  documento,
  expiresAt,
}: {
  readonly documento: string;
  readonly expiresAt: string;
}) =>
  api.post<NewAccessKey>(KEYS, {
    documento: plainNumber(documento),
    // The end of the day in Brasília.
    ...(expiresAt !== '' && { expiresAt: `${expiresAt}T23:59:59.999` }),
  });

export const LastDayField = (bound: Bound<string>): JSX.Element => (
  <DayInput
    label="Último dia"
    help="Vale até o fim deste dia, e as sessões abertas com ela também. Vazio: não vence."
    {...bound}
  />
);

export function KeyDialog({ users, onMade, onClose }: KeyDialogProps): JSX.Element {
  const form = useForm({ documento: '', expiresAt: '' });
  const [made, setMade] = useState<NewAccessKey>();
  const save = async (): Promise<void> => {
    if (form.values.documento.trim() === '')
      return form.refuse([{ message: 'Escolha a quem a chave pertence.', code: null, place: 'documento' }]);
    const faults = lastDayFaults(form.values.expiresAt);
    if (faults.length > 0) return form.refuse(faults);
    const key = await form.submit(sendKey);
    if (key === undefined) return;
    setMade(key);
    onMade();
  };
  if (made !== undefined) return <MadeKey {...made} onClose={onClose} />;
  return (
    <FormDialog title="Nova chave" form={form} onClose={onClose} onSave={save}>
      <Combobox label="Usuário" required free options={userOptions(users)} {...form.field('documento')} />
      <LastDayField {...form.field('expiresAt')} />
    </FormDialog>
  );
}

export function MadeKey({
  clientId,
  clientSecret,
  children,
  onClose,
}: NewAccessKey & { readonly children?: ComponentChildren; readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Chave criada" onClose={onClose}>
      {children}
      <Notice tone="warn">
        Copie agora: o segredo é mostrado só desta vez, e depois ninguém mais pode vê-lo. Se ele se perder,
        exclua a chave e crie outra.
      </Notice>
      <dl class="administration-key">
        <KeyHalf name="Client-Id" text={clientId} />
        <KeyHalf name="Client-Secret" text={clientSecret} />
      </dl>
      <Actions>
        <Button kind="primary" onPress={onClose}>
          Já copiei
        </Button>
      </Actions>
    </Dialog>
  );
}

const KeyHalf = ({ name, text }: { readonly name: string; readonly text: string }): JSX.Element => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code>{text}</code> <CopyButton text={text} label={`Copiar ${name}`} />
    </dd>
  </div>
);
