/** Saves and restores snapshots, and resets to the initial state. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Snapshot } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { useResource } from '../api/use-resource.ts';
import { Actions, Button } from '../ui/button.tsx';
import { ConfirmSending } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Card, FetchedTable } from '../ui/page.tsx';
import type { Column } from '../ui/table.tsx';
import { LineForm } from '../ui/form.tsx';
import { toast } from '../ui/toast.tsx';
import { moment, size } from '../words.ts';

interface AskedChange {
  readonly what: 'restore' | 'remove' | 'reset';
  readonly name: string;
}

const PATH = '/appliance/api/snapshots';
const pathOf = (name: string): string => `${PATH}/${encodeURIComponent(name)}`;

export function SnapshotsTab(): JSX.Element {
  const snapshots = useResource<readonly Snapshot[]>(PATH);
  const [asked, setAsked] = useState<AskedChange>();
  const columns = useMemo(() => columnsWith(setAsked), []);
  const { reload } = snapshots;
  return (
    <div class="stack">
      <Card title="Snapshots">
        <p class="muted">
          Cada um guarda o estado inteiro, com o relógio de teste. Ficam depois de um reinício da instância.
        </p>
        <KeepSnapshot onKept={reload} />
        <FetchedTable
          of={snapshots}
          caption="Snapshots"
          columns={columns}
          rowKey={({ name }) => name}
          empty="Nenhum estado guardado ainda. Dê um nome ao de agora e guarde-o."
        />
      </Card>
      <Card title="Começar de novo">
        <p>
          Volta aos dados do primeiro início. Os snapshots ficam; regras de falha são removidas; o relógio
          fica onde está.
        </p>
        <Actions>
          <Button kind="danger" onPress={() => setAsked({ what: 'reset', name: '' })}>
            Reiniciar os dados
          </Button>
        </Actions>
      </Card>
      {asked !== undefined && <Asking asked={asked} onDone={reload} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function KeepSnapshot({ onKept }: { readonly onKept: () => void }): JSX.Element {
  const form = useForm({ name: '' });
  const keep = async (): Promise<void> => {
    const name = form.values.name.trim();
    if (name === '') {
      form.refuse([{ message: 'Dê um nome ao snapshot.', code: null, place: 'name' }]);
      return;
    }
    const kept = await form.submit(() => api.post<Snapshot>(pathOf(name)));
    if (kept === undefined) return;
    form.reset();
    toast(`Snapshot ${kept.name} guardado, com ${size(kept.bytes)}.`);
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

const columnsWith = (ask: (asked: AskedChange) => void): readonly Column<Snapshot>[] => [
  { key: 'name', title: 'Nome', code: true, cell: ({ name }) => name },
  { key: 'at', title: 'Guardado em', cell: ({ at }) => moment(at) },
  { key: 'bytes', title: 'Tamanho', align: 'right', cell: ({ bytes }) => size(bytes) },
  {
    key: 'actions',
    title: 'Ações',
    cell: ({ name }) => (
      <Actions>
        <Button small label={`Restaurar ${name}`} onPress={() => ask({ what: 'restore', name })}>
          Restaurar
        </Button>
        <Button small label={`Excluir ${name}`} onPress={() => ask({ what: 'remove', name })}>
          Excluir
        </Button>
      </Actions>
    ),
  },
];

const WORDS = {
  restore: {
    title: 'Restaurar este estado?',
    action: 'Restaurar',
    said: 'Estado restaurado.',
    about: 'O que mudou desde que ele foi guardado se perde; o relógio de teste volta com ele.',
  },
  remove: {
    title: 'Excluir este snapshot?',
    action: 'Excluir',
    said: 'Snapshot excluído.',
    about: 'O estado de agora não muda.',
  },
  reset: {
    title: 'Reiniciar os dados?',
    action: 'Reiniciar',
    said: 'Os dados são os do primeiro início.',
    about: 'Tudo o que foi gravado desde o primeiro início se perde, menos os snapshots.',
  },
} as const;

function Asking({
  asked: { what, name },
  onDone,
  onClose,
}: {
  readonly asked: AskedChange;
  readonly onDone: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const { about, said, ...words } = WORDS[what];
  return (
    <ConfirmSending
      {...words}
      danger
      send={() => {
        if (what === 'reset') return api.post('/appliance/api/reset');
        return what === 'remove' ? api.delete(pathOf(name)) : api.post(`${pathOf(name)}/restore`);
      }}
      onDone={() => {
        toast(said);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      {name !== '' && (
        <p>
          <code>{name}</code>
        </p>
      )}
      <p>{about}</p>
    </ConfirmSending>
  );
}
