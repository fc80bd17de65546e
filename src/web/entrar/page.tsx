/** The sign-in page: with an access key or, when TLS requests one, with a certificate. */
import type { JSX } from 'preact';
import { instance } from '../api/instance.ts';
import { useObserved } from '../api/observed.ts';
import { ending, signInWithCertificate } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { instead } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { FirstTime } from './first-time.tsx';
import { ProviderSignIn } from './provider-sign-in.tsx';
import { useKeySignIn } from './use-key-sign-in.tsx';

export default function SignInPage(): JSX.Element {
  const why = useObserved(ending);
  return (
    <Page
      title="Entrar"
      about="Use a sua chave de acesso, Client-Id e Client-Secret. Quem administra esta instalação a cria e entrega."
    >
      {why !== '' && <Notice tone="warn">{why}</Notice>}
      <div class="door">
        <div>
          <ProviderSignIn />
          <SignIn />
        </div>
        <FirstTime />
      </div>
    </Page>
  );
}

function SignIn(): JSX.Element {
  const byKey = useKeySignIn();
  const byCertificate = useAction(() => signInWithCertificate(byKey.perfil));
  return (
    <form
      class="card sign-in"
      aria-label="Entrar com chave de acesso"
      onSubmit={instead(() => {
        byCertificate.clear();
        void byKey.run();
      })}
    >
      {byKey.fields}
      <ErrorAlert error={byKey.error ?? byCertificate.error} />
      <Actions>
        <Button type="submit" kind="primary" busy={byKey.busy}>
          Entrar
        </Button>
        {instance.certificates && (
          <Button
            busy={byCertificate.busy}
            onPress={() => {
              byKey.clear();
              void byCertificate.run();
            }}
          >
            Entrar com certificado
          </Button>
        )}
      </Actions>
    </form>
  );
}
