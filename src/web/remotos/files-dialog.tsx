/** Compares without network access: the user uploads the three exports of the other side. */
import type { JSX } from 'preact';
import type { ComparisonStarted, Remote } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useForm } from '../api/use-form.ts';
import { Checkbox } from '../ui/field.tsx';
import { FileDrop } from '../ui/file-drop.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { remotePath } from './words.ts';

const FILES = {
  produtos: 'Produtos, com os desativados',
  operadores: 'Operadores estrangeiros, com os desativados',
  vinculos: 'Vínculos com fabricantes',
} as const;
type Name = keyof typeof FILES;
const NAMES = Object.keys(FILES) as readonly Name[];

interface Values extends Record<Name, File | undefined> {
  readonly force: boolean;
}

export function FilesDialog({
  remote,
  company,
  onStarted,
  onClose,
}: {
  readonly remote: Remote;
  readonly company: string;
  readonly onStarted: () => void;
  readonly onClose: () => void;
}): JSX.Element {
  const form = useForm<Values>({
    produtos: undefined,
    operadores: undefined,
    vinculos: undefined,
    force: false,
  });
  const { values } = form;
  const start = async (): Promise<void> => {
    const missing = NAMES.filter((name) => values[name] === undefined);
    if (missing.length > 0)
      return form.refuse(
        missing.map((place) => ({ place, code: null, message: `${FILES[place]}: falta o arquivo.` })),
      );
    const started = await form.submit(({ force, ...files }) => {
      const body = new FormData();
      body.set('cpfCnpjRaiz', company);
      for (const name of NAMES) body.set(name, files[name] ?? '');
      if (force) body.set('force', 'true');
      return api.post<ComparisonStarted>(remotePath(remote.name, '/comparisons'), body);
    });
    if (started !== undefined) onStarted();
  };
  return (
    <FormDialog
      title={`Comparar com ${remote.name} por arquivos`}
      action="Comparar"
      wide
      form={form}
      onClose={onClose}
      onSave={start}
    >
      <p class="muted">
        As três exportações de lá, como vieram: o zip, ou o JSON de dentro dele. Nada é enviado a lugar
        nenhum.
      </p>
      <div class="remote-columns">
        {NAMES.map((name) => (
          <FileDrop
            key={name}
            title={FILES[name]}
            accept=".zip,.json"
            files={values[name] === undefined ? [] : [values[name]]}
            onFiles={([file]) => form.set({ [name]: file })}
          />
        ))}
      </div>
      <Checkbox
        label="Seguir mesmo que falte mais da metade"
        help="Do que se sabia estar lá: quase sempre é o arquivo de outra empresa, ou sem os desativados."
        {...form.field('force')}
      />
    </FormDialog>
  );
}
