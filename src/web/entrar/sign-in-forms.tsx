/** The ways to sign in by password, by certificate and by access key (contract section 27). */
import type { JSX, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { signInWithCertificate, signInWithPassword } from '../api/session.ts';
import { useAction, type Action } from '../api/use-action.ts';
import { Input } from '../ui/field.tsx';
import type { Session } from '../api/answers.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { instead } from '../ui/form.tsx';
import { ProfileChoice } from './profile-choice.tsx';
import { useKeySignIn } from './use-key-sign-in.tsx';

/** `isMain`: true for the first sign-in that the page offers. */
export function PasswordSignIn({ isMain }: { readonly isMain: boolean }): JSX.Element {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const action = useAction(() => signInWithPassword(login.trim(), password));
  return (
    <SignInForm label="Entrar com senha" action={action} isMain={isMain}>
      <Input
        label="CPF ou e-mail"
        name="login"
        autocomplete="username"
        required
        value={login}
        onChange={setLogin}
      />
      <Input
        label="Senha"
        name="senha"
        type="password"
        autocomplete="current-password"
        required
        help={
          instance.sendsEmail
            ? 'Ainda não tem senha? Quem administra esta instalação faz um convite.'
            : 'Não tem senha, ou a esqueceu? Quem administra esta instalação faz um convite.'
        }
        value={password}
        onChange={setPassword}
      />
    </SignInForm>
  );
}

export function CertificateSignIn(): JSX.Element {
  const [profile, setProfile] = useState('IMPEXP');
  const action = useAction(() => signInWithCertificate(profile));
  return (
    <SignInForm label="Entrar com certificado" action={action} verb="Entrar com certificado">
      <ProfileChoice value={profile} onChange={setProfile} />
    </SignInForm>
  );
}

export function KeySignIn({ isMain }: { readonly isMain: boolean }): JSX.Element {
  const { fields, ...action } = useKeySignIn();
  return (
    <SignInForm label="Entrar com chave de acesso" action={action} isMain={isMain}>
      {fields}
    </SignInForm>
  );
}

/** Form of one kind of sign-in: its fields and its button. */
const SignInForm = ({
  label,
  action: { run, isBusy, error },
  verb = 'Entrar',
  isMain = false,
  children,
}: {
  readonly label: string;
  readonly action: Action<[], Session>;
  readonly verb?: string;
  /** True for the first sign-in that the page offers. */
  readonly isMain?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <form class="stack" aria-label={label} onSubmit={instead(run)}>
    {children}
    <ErrorAlert error={error} />
    <Actions>
      <Button type="submit" kind={isMain ? 'primary' : 'quiet'} isBusy={isBusy}>
        {verb}
      </Button>
    </Actions>
  </form>
);
