/**
 * The sign-in page: first the sign-ins for people that this instance offers, then access keys (contract
 * section 27).
 */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { hasFirstPassword, instance } from '../api/instance.ts';
import { useObserved } from '../api/observed.ts';
import { endReason } from '../api/session.ts';
import { Notice } from '../ui/alert.tsx';
import { Page } from '../ui/page.tsx';
import { FirstTime } from './first-time.tsx';
import { Forgotten } from './forgotten.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';
import { CertificateSignIn, KeySignIn, PasswordSignIn } from './sign-in-forms.tsx';

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

export default function SignInPage(): JSX.Element {
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
