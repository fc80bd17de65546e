/** The door: with an access key or, where TLS asks for one, with a certificate. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { useObserved } from '../api/observed.ts';
import { ending, signInWithCertificate, signInWithKey } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ErrorAlert, Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Select } from '../ui/select.tsx';
import { FirstTime } from './first-time.tsx';

/** The domain of Role-Type, contract section 2. */
const ROLE_TYPES = [
  'IMPEXP',
  'DEPOSIT',
  'OPERPORT',
  'TRANSPORT',
  'TRANSPEST',
  'AGECARGA',
  'AGEREMESS',
  'AJUDESPAC',
  'INSTFINANC',
  'CONTATOOEA',
  'RESPLEGAL',
  'HABILITAD',
  'TERCEIROS',
] as const;

export default function SignInPage(): JSX.Element {
  const why = useObserved(ending);
  return (
    <Page title="Entrar" about="O Catálogo de Produtos, no seu servidor.">
      {why !== '' && <Notice tone="warn">{why}</Notice>}
      <div class="door">
        <SignIn />
        <FirstTime />
      </div>
    </Page>
  );
}

function SignIn(): JSX.Element {
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const [perfil, setPerfil] = useState<string>(ROLE_TYPES[0]);
  const byKey = useAction(() => signInWithKey(clientId.trim(), clientSecret, perfil));
  const byCertificate = useAction(() => signInWithCertificate(perfil));
  return (
    <form
      class="card sign-in"
      aria-label="Entrar com chave de acesso"
      onSubmit={(event) => {
        event.preventDefault();
        byCertificate.clear();
        void byKey.run();
      }}
    >
      <Input
        {...{ label: 'Client-Id', name: 'clientId', code: true, autocomplete: 'username', required: true }}
        value={clientId}
        onChange={setClientId}
      />
      <Input
        {...{ label: 'Client-Secret', name: 'clientSecret', type: 'password', required: true }}
        autocomplete="current-password"
        value={clientSecret}
        onChange={setClientSecret}
      />
      <Select
        label="Perfil"
        name="perfil"
        value={perfil}
        onChange={setPerfil}
        options={ROLE_TYPES.map((role) => ({ value: role, label: role }))}
      />
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
