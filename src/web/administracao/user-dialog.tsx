/** The dialog that adds or changes a user. */
import type { JSX } from 'preact';
import type { User } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { type Form, useForm } from '../api/use-form.ts';
import { Checkbox, Input } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { USERS, kindInWords } from './words.ts';
import { plainNumber } from './numbers.ts';
import { useNumberCheck } from './use-number-check.ts';

export interface UserDialogProps {
  /** Absent for a new user. */
  readonly user: User | undefined;
  readonly onSaved: (user: User) => void;
  readonly onClose: () => void;
}

export type UserValues = Omit<User, 'orgao'> & { readonly orgao: string };

export const NO_USER: UserValues = { documento: '', nome: '', tipo: 'PRIV', orgao: '', administrador: false };

export const sendUser = ({ documento, nome, tipo, orgao, administrador }: UserValues) =>
  api.post<User>(USERS, {
    documento: plainNumber(documento),
    nome: nome.trim(),
    tipo,
    administrador,
    ...(tipo === 'PUBL' && orgao.trim() !== '' && { orgao: orgao.trim() }),
  });

const KINDS = (['PRIV', 'PUBL'] as const).map((value) => ({ value, label: kindInWords(value) }));

export function UserDialog({ user, onSaved, onClose }: UserDialogProps): JSX.Element {
  const isNew = user === undefined;
  const form = useForm<UserValues>({ ...NO_USER, ...user, orgao: user?.orgao ?? '' });
  const faultsOf = useNumberCheck();
  const save = async (): Promise<void> => {
    const faults = isNew
      ? faultsOf([{ field: 'documento', kind: 'documento', typed: form.values.documento }])
      : [];
    if (faults.length > 0) return form.refuse(faults);
    const saved = await form.submit(sendUser);
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <FormDialog
      title={isNew ? 'Novo usuário' : `Alterar ${user.nome}`}
      form={form}
      onClose={onClose}
      onSave={save}
    >
      <UserFields form={form} isNew={isNew} />
    </FormDialog>
  );
}

/** `isNew`: the number is still to be entered. `known`: the user who already has it. */
export function UserFields({
  form,
  isNew,
  known,
}: {
  readonly form: Pick<Form<UserValues>, 'values' | 'field'>;
  readonly isNew: boolean;
  readonly known?: User | undefined;
}): JSX.Element {
  const isPublic = form.values.tipo === 'PUBL';
  return (
    <>
      <Input
        label="CPF ou CNPJ"
        required
        code
        disabled={!isNew}
        help={known === undefined ? NUMBER_HELP : `Já é usuário: ${known.nome}.`}
        {...form.field('documento')}
      />
      {known === undefined && (
        <>
          <Input label="Nome" required max={150} {...form.field('nome')} />
          <Select
            label="Tipo"
            options={KINDS}
            {...form.field('tipo')}
            help={isPublic ? 'Só lê, em todas as empresas.' : 'Atua pelas empresas que representa.'}
          />
          {isPublic && (
            <Input label="Órgão" required max={40} help="Sigla, como RECEITA." {...form.field('orgao')} />
          )}
          <Checkbox
            label="Administrador"
            help="Cuida desta instalação: contas, chaves, tabelas, cópias."
            {...form.field('administrador')}
          />
        </>
      )}
    </>
  );
}

const NUMBER_HELP = 'CPF de uma pessoa, ou CNPJ do certificado de uma empresa.';
