/** Whose requests are sent, and for which company the examples are. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { instance } from '../api/instance.ts';
import { signInWithKey, useWho } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { useCompanyChoice } from '../api/use-company.ts';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import type { ListedOperation } from './openapi.ts';

export function SessionBar({ entries }: { readonly entries: readonly ListedOperation[] }): JSX.Element {
  const session = useWho();
  const { company, choose } = useCompanyChoice();
  const [isOpen, setOpen] = useState(false);
  const isIn = typeof session !== 'string';
  return (
    <div class="card reference-session">
      {isIn ? (
        <p>
          <b>
            <bdi>{session.nome}</bdi>
          </b>{' '}
          <span class="muted">envia as requisições, no perfil {session.perfil}.</span>
        </p>
      ) : (
        <p class="muted">
          Cada operação tem <b>Experimentar</b>. Para as que pedem uma sessão, entre: ela é a mesma das outras
          páginas.
        </p>
      )}
      {isIn && session.companies.length > 0 && (
        <Select
          label="Exemplos para"
          value={company}
          options={session.companies.map(({ cpfCnpjRaiz, nome }) => ({
            value: cpfCnpjRaiz,
            label: `${cpfCnpjRaiz} · ${nome}`,
          }))}
          onChange={choose}
        />
      )}
      <Actions>
        <Button small kind={isIn ? 'quiet' : 'primary'} onPress={() => setOpen(true)}>
          {isIn ? 'Entrar com outra chave' : 'Entrar para experimentar'}
        </Button>
      </Actions>
      {isOpen && <SignIn entries={entries} onClose={() => setOpen(false)} />}
    </div>
  );
}

function SignIn({
  entries,
  onClose,
}: {
  readonly entries: readonly ListedOperation[];
  readonly onClose: () => void;
}): JSX.Element {
  const preset = instance.fixedSecrets ? 'demo' : '';
  const [clientId, setClientId] = useState(preset);
  const [clientSecret, setClientSecret] = useState(preset);
  const roles = rolesOf(entries);
  const [perfil, setPerfil] = useState(roles[0] ?? 'IMPEXP');
  const action = useAction(() => signInWithKey(clientId.trim(), clientSecret, perfil));
  return (
    <Dialog title="Entrar" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void action.run().then((session) => session && onClose());
        }}
      >
        <Input label="Client-Id" code autocomplete="username" value={clientId} onChange={setClientId} />
        <Input
          {...{ label: 'Client-Secret', type: 'password', autocomplete: 'current-password' }}
          value={clientSecret}
          onChange={setClientSecret}
        />
        <Select
          label="Perfil"
          value={perfil}
          options={roles.map((value) => ({ value, label: value }))}
          onChange={setPerfil}
        />
        <ErrorAlert error={action.error} />
        <Actions>
          <Button type="submit" kind="primary" busy={action.busy}>
            Entrar
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** As the document lists them. */
function rolesOf(entries: readonly ListedOperation[]): readonly string[] {
  const parameter = entries.flatMap(({ parameters }) => parameters).find(({ name }) => name === 'Role-Type');
  return (parameter?.schema?.enum ?? ['IMPEXP']).map(String);
}
