/** The two fields of a new password, and what they check before it is sent. */
import type { Form } from '../api/use-form.ts';
import type { Problem } from '../api/result.ts';
import { PASSWORD_LENGTH } from '../../validation/password.ts';
import { Input } from '../ui/field.tsx';

export interface NewPassword {
  readonly senha: string;
  readonly repetida: string;
}

export const NO_PASSWORD: NewPassword = { senha: '', repetida: '' };

const { minLength, maxLength } = PASSWORD_LENGTH;

export function passwordFaults({ senha, repetida }: NewPassword): readonly Problem[] {
  const { length } = Array.from(senha);
  if (length < minLength || length > maxLength)
    return [fault('senha', `Tem ${length} caracteres; use de ${minLength} a ${maxLength}.`)];
  if (senha !== repetida) return [fault('repetida', 'Não é igual à senha; digite a mesma.')];
  return [];
}

const fault = (place: keyof NewPassword, message: string): Problem => ({ place, message, code: null });

/** `place`: the member of the request that holds the new password. */
export const NewPasswordFields = ({
  form,
  label,
  place = 'senha',
}: {
  readonly form: Form<NewPassword>;
  readonly label: string;
  readonly place?: string;
}) => (
  <>
    <Input
      label={label}
      type="password"
      autocomplete="new-password"
      required
      help={`De ${minLength} a ${maxLength} caracteres, sem o seu CPF nem palavras do seu nome. Uma frase é fácil de lembrar.`}
      {...form.field('senha', place)}
    />
    <Input
      label="A mesma senha outra vez"
      type="password"
      autocomplete="new-password"
      required
      {...form.field('repetida')}
    />
  </>
);
