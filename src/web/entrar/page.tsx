/**
 * The sign-in page: first the sign-ins for people that this instance offers, then access keys (contract
 * section 27).
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { hasFirstPassword, instance } from '../api/instance.ts';
import { useObserved } from '../api/observed.ts';
import {
  endReason,
  providerEnd,
  signInWithProvider,
  signInWithCertificate,
  signInWithPassword,
} from '../api/session.ts';
import { Notice, ErrorAlert } from '../ui/alert.tsx';
import { Page } from '../ui/page.tsx';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Input } from '../ui/field.tsx';
import { LineForm, instead } from '../ui/form.tsx';
import { useAction, type Action } from '../api/use-action.ts';
import { Actions, Button } from '../ui/button.tsx';
import type { Session } from '../api/answers.ts';
import { FirstTime } from './first-time.tsx';
import { ProfileChoice } from './profile-choice.tsx';
import { useKeySignIn } from './use-key-sign-in.tsx';

/** Loads the page again when the first person got a password since it was loaded. */
function useFirstPassword(): void {
  useEffect(() => {
    const reloadIfOffered = async (): Promise<void> => {
      if (document.visibilityState === 'visible' && (await hasFirstPassword())) location.reload();
    };
    const check = (): void => void reloadIfOffered();
    check();
    document.addEventListener('visibilitychange', check);
    return () => document.removeEventListener('visibilitychange', check);
  }, []);
}

export default function SignInPage() {
  useFirstPassword();
  const why = useObserved(endReason);
  const { provider, passwords, certificates, sendsEmail, isDev } = instance;
  const isForPeople = provider !== '' || passwords;
  return (
    <Page
      title="Entrar"
      about={
        isForPeople
          ? `Use ${[...(provider === '' ? [] : ['a conta da sua empresa']), ...(passwords ? ['o seu CPF ou e-mail e a sua senha'] : [])].join(', ou ')}. Para um programa, quem administra esta instalação cria uma chave de acesso.`
          : 'Use a sua chave de acesso, Client-Id e Client-Secret. Quem administra esta instalação a cria e entrega.'
      }
    >
      {why !== '' && <Notice tone="warn">{why}</Notice>}
      <div class="door">
        <div class="stack">
          <ProviderSignIn />
          {passwords && (
            <div class="card">
              <PasswordSignIn isMain={provider === ''} />
              {sendsEmail && <Forgotten />}
            </div>
          )}
          {certificates && (
            <div class="card">
              <CertificateSignIn />
            </div>
          )}
          {isDev || !isForPeople ? (
            <div class="card">
              <KeySignIn isMain={!isForPeople} />
            </div>
          ) : (
            <details class="card">
              <summary>Entrar com chave de acesso</summary>
              <KeySignIn isMain={false} />
            </details>
          )}
        </div>
        <FirstTime />
      </div>
    </Page>
  );
}

/** Asks for an invitation by e-mail, folded: only who forgot the password needs it. */
function Forgotten() {
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

/** Renders nothing in an instance without a provider. */
function ProviderSignIn() {
  const exchange = useAction(signInWithProvider);
  useEffect(() => {
    const code = codeInAddress();
    if (code === undefined) return;
    // The code stays neither in the address bar nor in the history.
    history.replaceState(history.state, '', location.pathname);
    void exchange.run(code);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, on mount
  }, []);
  const endAddress = useObserved(providerEnd);
  if (instance.provider === '') return null;
  return (
    <section class="card" aria-label={instance.provider}>
      {endAddress !== '' && (
        <Notice tone="calm">
          Você saiu daqui. A sua sessão no provedor continua aberta neste navegador.{' '}
          <a href={endAddress}>Sair também do provedor</a>
        </Notice>
      )}
      <ErrorAlert error={exchange.error} />
      <Actions>
        <a class="button primary" href="/entrar/oidc" aria-busy={exchange.isBusy ? 'true' : undefined}>
          {instance.provider}
        </a>
      </Actions>
    </section>
  );
}

const CODE = '#codigo=';

function codeInAddress(): string | undefined {
  const { hash } = location;
  return hash.startsWith(CODE) ? hash.slice(CODE.length) : undefined;
}

/** `isMain`: true for the first sign-in that the page offers. */
function PasswordSignIn({ isMain }: { readonly isMain: boolean }) {
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

function CertificateSignIn() {
  const [profile, setProfile] = useState('IMPEXP');
  const action = useAction(() => signInWithCertificate(profile));
  return (
    <SignInForm label="Entrar com certificado" action={action} verb="Entrar com certificado">
      <ProfileChoice value={profile} onChange={setProfile} />
    </SignInForm>
  );
}

function KeySignIn({ isMain }: { readonly isMain: boolean }) {
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
}) => (
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
