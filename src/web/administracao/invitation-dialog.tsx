/** Shows the address of a new invitation once. */
import type { JSX } from 'preact';
import type { Invitation } from '../api/answers.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { momentText } from '../words.ts';

export const InvitationDialog = ({
  nome,
  url,
  until,
  onClose,
}: Invitation & { readonly nome: string; readonly onClose: () => void }): JSX.Element => (
  <Dialog title="Convite" onClose={onClose}>
    <p>
      Entregue este endereço só a <bdi>{nome}</bdi>, que com ele define a própria senha. Vale uma vez, até{' '}
      {momentText(until)}.
    </p>
    <dl class="administration-key">
      <div>
        <dt>Endereço</dt>
        <dd>
          <code>{url}</code> <CopyButton text={url} label="Copiar o endereço" />
        </dd>
      </div>
    </dl>
    <Notice tone="warn">
      Copie agora: depois só um convite novo, que encerra este, mostra outro endereço.
    </Notice>
    <Actions>
      <Button kind="primary" onPress={onClose}>
        Já copiei
      </Button>
    </Actions>
  </Dialog>
);
