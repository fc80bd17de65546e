/** The script of an operation's page: sends the operation with the session of the other pages. */
import { options, render } from 'preact';
import { useState } from 'preact/hooks';
import { startSession, useCurrentUser } from '../api/session.ts';
import { instance } from '../api/instance.ts';
import { useCompanyChoice } from '../api/use-company.ts';
import { useKeySignIn } from '../entrar/use-key-sign-in.tsx';
import { ErrorAlert } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { instead } from '../ui/form.tsx';
import { Select } from '../ui/select.tsx';
import type { TrialPage } from './trial.ts';
import { TryIt } from './try-it.tsx';

// Effects run before the next event, like in the other pages (src/web/main.tsx).
options.requestAnimationFrame = (flush) => queueMicrotask(flush);

// Anybody may open this page, so the end of a session does not change its address.
startSession(() => undefined);
const container = document.getElementById('experimentar');
if (container !== null) {
  const page = JSON.parse(container.dataset['operation'] ?? '') as TrialPage;
  container.replaceChildren();
  render(
    <>
      <SessionBar />
      <TryIt {...page} />
    </>,
    container,
  );
}

/** Shows the session that sends the requests and the company of the examples. */
function SessionBar() {
  const session = useCurrentUser();
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
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </div>
  );
}

function SignIn({ onClose }: { readonly onClose: () => void }) {
  const { fields, run, isBusy, error } = useKeySignIn(instance.fixedSecrets ? 'demo' : '', onClose);
  return (
    <Dialog title="Entrar" onClose={onClose}>
      <form class="stack" onSubmit={instead(run)}>
        {fields}
        <ErrorAlert error={error} />
        <Actions>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Entrar
          </Button>
          <Button onPress={onClose}>Cancelar</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
