/** Shows the versions that others saved while a form was open. A button saves over them. */
import { Actions, Button } from '../ui/button.tsx';
import { Changes } from '../ui/changes.tsx';
import type { NewerVersionsState } from './use-newer.ts';

export function NewerVersions(props: { readonly newer: NewerVersionsState; readonly onSave: () => unknown }) {
  const { newerVersions, accept } = props.newer;
  const { onSave } = props;
  if (newerVersions.length === 0) return null;
  return (
    <section class="stack" aria-label="O que mudou enquanto isso">
      {newerVersions.map(({ versao, changes }) => (
        <div key={versao}>
          <p>Versão {versao} mudou:</p>
          <Changes changes={changes} />
        </div>
      ))}
      <p class="muted">
        Salvar mesmo assim põe o que está aqui no lugar de tudo isso. Para aproveitá-lo, repita-o aqui antes.
      </p>
      <Actions>
        <Button
          onPress={() => {
            accept();
            void onSave();
          }}
        >
          Salvar mesmo assim
        </Button>
      </Actions>
    </section>
  );
}
