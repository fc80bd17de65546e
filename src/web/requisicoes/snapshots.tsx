/** Saves and restores snapshots, and resets to the initial state. */
import type { Snapshot } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { type RecordListKind, RecordList } from '../kit/record-list/record-list.tsx';
import { Actions } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { LineForm } from '../ui/form.tsx';
import { Card, ResourceView } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';
import { momentText, sizeText } from '../words.ts';

const PATH = '/appliance/api/snapshots';
const pathOf = (name: string): string => `${PATH}/${encodeURIComponent(name)}`;

const SNAPSHOT: RecordListKind<Snapshot, never, never> = {
  title: 'Snapshots',
  words: ['snapshot', 'snapshots'],
  empty: 'Nenhum estado guardado ainda. Dê um nome ao de agora e guarde-o.',
  rowKey: ({ name }) => name,
  nameOf: ({ name }) => name,
  columns: [
    { title: 'Nome', code: true, text: ({ name }) => name },
    { title: 'Guardado em', text: ({ at }) => momentText(at) },
    { title: 'Tamanho', text: ({ bytes }) => sizeText(bytes) },
  ],
  rowActions: [
    {
      label: 'Restaurar',
      send: ({ name }) => api.post(`${pathOf(name)}/restore`),
      confirmation: ({ name }) => ({
        title: 'Restaurar este estado?',
        about: `${name}: o que mudou desde que ele foi guardado se perde; o relógio de teste volta com ele.`,
        doneText: 'Estado restaurado.',
      }),
    },
    {
      label: 'Excluir',
      send: ({ name }) => api.delete(pathOf(name)),
      confirmation: ({ name }) => ({
        title: 'Excluir este snapshot?',
        about: `${name}: o estado de agora não muda.`,
        doneText: 'Snapshot excluído.',
      }),
    },
  ],
};

export function SnapshotsTab() {
  const snapshots = useResource<readonly Snapshot[]>(PATH);
  return (
    <div class="stack">
      <ResourceView resource={snapshots}>
        {(rows) => (
          <RecordList
            {...SNAPSHOT}
            rows={rows}
            onChanged={snapshots.reload}
            about={
              <>
                <p class="muted">
                  Cada um guarda o estado inteiro, com o relógio de teste. Ficam depois de um reinício da
                  instância.
                </p>
                <KeepSnapshot onKept={snapshots.reload} />
              </>
            }
          />
        )}
      </ResourceView>
      <Card title="Começar de novo">
        <p>
          Volta aos dados do primeiro início. Os snapshots ficam; regras de falha são removidas; o relógio
          fica onde está.
        </p>
        <Actions>
          <ConfirmButton
            label="Reiniciar os dados"
            kind="danger"
            danger
            title="Reiniciar os dados?"
            action="Reiniciar"
            send={() => api.post('/appliance/api/reset')}
            doneText="Os dados são os do primeiro início."
            onDone={snapshots.reload}
          >
            <p>Tudo o que foi gravado desde o primeiro início se perde, menos os snapshots.</p>
          </ConfirmButton>
        </Actions>
      </Card>
    </div>
  );
}

function KeepSnapshot({ onKept }: { readonly onKept: () => void }) {
  const form = useForm({ name: '' });
  const keep = async (): Promise<void> => {
    const name = form.values.name.trim();
    if (name === '') {
      form.refuse([{ message: 'Dê um nome ao snapshot.', code: null, place: 'name' }]);
      return;
    }
    const snapshot = await form.submit(() => api.post<Snapshot>(pathOf(name)));
    if (snapshot === undefined) return;
    form.reset();
    toast(`Snapshot ${snapshot.name} guardado, com ${sizeText(snapshot.bytes)}.`);
    onKept();
  };
  return (
    <LineForm form={form} verb="Guardar" kind="primary" onSend={keep}>
      <Input
        label="Nome do snapshot"
        code
        help="letras minúsculas, dígitos e hífens; um nome repetido é substituído"
        {...form.field('name')}
      />
    </LineForm>
  );
}
