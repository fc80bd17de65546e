/** Dialog that shows the two halves of a new key once. */
import type { ComponentChildren } from 'preact';
import type { NewAccessKey } from '../api/answers.ts';
import { Notice } from '../ui/alert.tsx';
import { Actions, Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';

export const NewKeyDialog = ({
  clientId,
  clientSecret,
  children,
  onClose,
}: NewAccessKey & { readonly children?: ComponentChildren; readonly onClose: () => void }) => (
  <Dialog title="Chave criada" onClose={onClose}>
    {children}
    <Notice tone="warn">
      Copie agora: o segredo é mostrado só desta vez, e depois ninguém mais pode vê-lo. Se ele se perder,
      exclua a chave e crie outra.
    </Notice>
    <dl class="administration-key">
      {Object.entries({ 'Client-Id': clientId, 'Client-Secret': clientSecret }).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{text}</code> <CopyButton text={text} label={`Copiar ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
    <Actions>
      <Button kind="primary" onPress={onClose}>
        Já copiei
      </Button>
    </Actions>
  </Dialog>
);
